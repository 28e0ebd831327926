// Products with constant weights in matrices of subgroups: which tiles, and how many parts of the sums.
#include <algorithm>
#include <cmath>

#include "gpu/lowering.h"
#include "kernels/divide.h"

namespace wick::gpu {

using kernels::ceil_div;
namespace {

struct Tile {
  uint32_t rows, columns, depth;
  uint32_t down, across;  // subgroups
  uint32_t count;         // in shared memory
  uint32_t ahead;         // on their way there
  uint32_t round_ns;      // one of them on a large GPU (bench/results/gpu.md)
};
constexpr Tile kTiles[] = {
    {128, 64, 64, 4, 2, 1, 2, 1000}, {64, 64, 64, 2, 2, 2, 2, 740},  {32, 64, 64, 2, 4, 2, 2, 580},
    {32, 32, 64, 2, 2, 2, 2, 580},   {128, 64, 32, 4, 2, 2, 1, 950}, {64, 64, 32, 2, 2, 1, 1, 620},
    {32, 32, 32, 1, 2, 1, 1, 550},   {16, 32, 32, 1, 1, 1, 1, 550},
};

struct Choice {
  Tile tile{};
  int64_t parts = 1;
  double cost = 0;
};

uint32_t shared_bytes(const Tile& t, const MatrixShape& m, uint32_t unit) {
  const uint32_t units = t.rows * (t.depth / unit + 1) + t.depth * (t.columns / unit + 1);
  return t.count * units * 16 + t.down * t.across * m.m * (t.columns / t.across + 4) * 4;
}

bool fits(const Tile& t, const Limits& limits, uint32_t unit) {
  const MatrixShape& m = limits.matrix;
  const uint32_t threads = t.down * t.across * m.subgroup;
  return t.rows % (t.down * m.m) == 0 && t.columns % (t.across * m.n) == 0 && t.depth % m.k == 0 &&
         threads % (t.depth / unit) == 0 && threads <= limits.max_invocations && t.down * t.across <= m.subgroups &&
         shared_bytes(t, m, unit) <= limits.max_shared_bytes;
}

struct Work {
  int64_t pixels, outputs, depth;
  bool flat;  // gathered element by element
};

// What a product costs with a tile, in nanoseconds: measured on a GPU of 132 processors, which keep as many workgroups
// as their shared memory holds. A smaller GPU does the same in more waves.
double cost_of(const Tile& t, const Work& work, int64_t parts, const MatrixShape& m, uint32_t unit) {
  constexpr int64_t kProcessors = 132, kSharedBytes = 65536;
  constexpr double kDispatch = 5000, kGather = 110;
  const int64_t groups = ceil_div(work.pixels, t.rows) * ceil_div(work.outputs, t.columns) * parts;
  const int64_t resident = std::max<int64_t>(1, kSharedBytes / shared_bytes(t, m, unit));
  const int64_t rounds = ceil_div(ceil_div(work.depth, t.depth), parts) * ceil_div(groups, kProcessors * resident);
  const double gathered = work.flat ? kGather * t.rows * t.depth / (t.down * t.across * m.subgroup) : 0;
  const double sum = parts == 1 ? 0 : kDispatch + static_cast<double>(work.pixels * work.outputs * parts) / 1000;
  return kDispatch + static_cast<double>(rounds) * (t.round_ns + gathered) + sum;
}

std::optional<Choice> choose(const Limits& limits, const Work& work, uint32_t unit) {
  std::optional<Choice> best;
  for (const Tile& tile : kTiles) {
    if (!fits(tile, limits, unit)) continue;
    for (int64_t parts : {1, 2, 3, 4, 5, 6, 8, 12, 16}) {
      if (parts > 1 && ceil_div(work.depth, tile.depth) < 2 * parts) break;
      const double cost = cost_of(tile, work, parts, limits.matrix, unit);
      if (!best || cost < best->cost) best = {tile, parts, cost};
    }
  }
  return best;
}

// What is there in whole units of a vector.
bool in_units(int64_t n, uint32_t unit) { return n % unit == 0; }
bool reads_units(const Product& p, uint32_t unit) {
  if (!p.in_fours || !in_units(p.inputs, unit) || !in_units(p.x.at, unit)) return false;
  for (size_t d : {0, 2, 3}) {
    if (p.x.sizes[d] != 1 && !in_units(p.x.strides[d], unit)) return false;
  }
  return true;
}
bool writes_units(const Product& p, const Finish& finish, uint32_t unit) {
  return in_units(p.y.at, unit) && in_units(p.y_pixel, unit) &&
         (!finish.residual.defined() || (in_units(finish.residual.at, unit) && in_units(finish.residual_pixel, unit)));
}

}  // namespace

bool add_matrix_product(Lowering& g, const Product& p, const Finish& finish, const ir::Node* node,
                        const std::string& name) {
  if (!has_shader(Shader::k_gemm_matrix)) return false;
  const Limits& limits = g.limits();
  const bool half = g.program().half;
  if (limits.matrix.m == 0 || half == limits.emulates_matrices) return false;
  const uint32_t unit = half ? 8 : 4;
  const int64_t pixels = p.batch * p.out[0] * p.out[1], taps = p.taps[0] * p.taps[1], depth = taps * p.inputs;
  if (!in_units(p.outputs, unit) || pixels < 8 || depth > INT32_MAX / 2) return false;
  const bool x_in_units = reads_units(p, unit);
  const std::optional<Choice> choice = choose(limits, {pixels, p.outputs, depth, !x_in_units}, unit);
  if (!choice) return false;
  const Tile& t = choice->tile;
  const int64_t blocks = ceil_div(depth, t.depth), steps = ceil_div(blocks, choice->parts),
                parts = ceil_div(blocks, steps);
  const bool split = parts > 1;
  const Value partial = split ? make_parts(g, p, parts) : Value();
  const MatrixShape& m = limits.matrix;
  Dispatch d;
  d.shader = Shader::k_gemm_matrix;
  d.constants = {t.down * t.across * m.subgroup,
                 m.m,
                 m.n,
                 m.k,
                 m.subgroup,
                 t.rows,
                 t.columns,
                 t.depth,
                 t.across,
                 t.down,
                 t.count,
                 !x_in_units,
                 static_cast<uint32_t>(p.taps[1]),
                 static_cast<uint32_t>(taps),
                 split ? 0 : static_cast<uint32_t>(finish.epilogue.activation),
                 !split && p.has_bias,
                 split ? 0 : residual_kind(finish),
                 writes_units(p, finish, unit),
                 split,
                 x_in_units ? t.ahead : 1,
                 static_cast<uint32_t>(p.inputs)};
  add_product_push(d.push, p, finish, depth * p.outputs / unit, split, steps);
  d.reads = {p.x.memory, p.weights.memory, split ? kNoMemory : finish.residual.memory};
  d.write = split ? partial.memory : p.y.memory;
  d.workgroups = {static_cast<uint32_t>(ceil_div(pixels, t.rows)),
                  static_cast<uint32_t>(ceil_div(p.outputs, t.columns)), static_cast<uint32_t>(parts)};
  if (!split) d.placing = {20, 21, 17, 1, unit};
  d.name = split ? name + " split " + std::to_string(parts) : name;
  d.node = node;
  d.operations = 2 * pixels * depth * p.outputs;
  g.add(std::move(d));
  if (split) add_sum_of_parts(g, p, finish, partial, parts, node, name);
  return true;
}

}  // namespace wick::gpu
