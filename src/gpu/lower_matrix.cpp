// Products with constant weights in matrices of subgroups: which tiles, and how many parts of the sums.
#include <algorithm>
#include <cmath>

#include "gpu/lowering.h"

namespace wick::gpu {

namespace {

struct Tile {
  uint32_t rows, columns, depth;
  uint32_t down, across;  // subgroups
  uint32_t count;         // in shared memory
};
constexpr Tile kTiles[] = {
    {128, 128, 32, 2, 4, 1}, {128, 64, 32, 4, 2, 2}, {64, 128, 32, 2, 4, 2}, {64, 64, 64, 2, 2, 2},
    {64, 32, 64, 2, 2, 2},   {32, 64, 64, 2, 2, 2},  {32, 32, 64, 2, 2, 2},  {32, 32, 128, 2, 2, 2},
    {64, 64, 32, 2, 2, 1},   {32, 32, 32, 1, 2, 1},  {16, 32, 32, 1, 1, 1},
};

int64_t ceil_of(int64_t a, int64_t b) { return (a + b - 1) / b; }

struct Choice {
  Tile tile{};
  int64_t parts = 1;
  double cost = 0;
};

bool fits(const Tile& t, const Limits& limits, uint32_t unit) {
  const MatrixShape& m = limits.matrix;
  const uint32_t subgroups = t.down * t.across, threads = subgroups * m.subgroup;
  const uint32_t units = t.rows * (t.depth / unit + 1) + t.depth * (t.columns / unit + 1);
  const uint32_t stage = subgroups * m.m * (t.columns / t.across + 4) * 4;
  return t.rows % (t.down * m.m) == 0 && t.columns % (t.across * m.n) == 0 && t.depth % m.k == 0 &&
         threads % (t.depth / unit) == 0 && threads <= limits.max_invocations &&
         t.count * units * 16 + stage <= limits.max_shared_bytes;
}

// What a product costs with a tile, in nanoseconds of a large GPU. Small GPUs do best with the same: the fewest bytes
// in the fewest rounds.
double cost_of(const Tile& t, int64_t pixels, int64_t outputs, int64_t depth, int64_t parts) {
  constexpr double kProcessors = 132, kRound = 400, kBytesPerNs = 60, kSum = 2500;
  const auto groups = static_cast<double>(ceil_of(pixels, t.rows) * ceil_of(outputs, t.columns) * parts);
  const double rounds = static_cast<double>(ceil_of(ceil_of(depth, t.depth), parts));
  const double bytes = (t.rows + t.columns) * t.depth * 2.0;
  const double each = std::ceil(groups / kProcessors);
  const double sum = parts == 1 ? 0 : kSum + static_cast<double>(pixels * outputs * parts) * 8 / 2000;
  return rounds * std::max(kRound, each * bytes / kBytesPerNs) + sum;
}

std::optional<Choice> choose(const Lowering& g, int64_t pixels, int64_t outputs, int64_t depth, uint32_t unit) {
  std::optional<Choice> best;
  for (const Tile& tile : kTiles) {
    if (!fits(tile, g.limits(), unit)) continue;
    for (int64_t parts : {1, 2, 3, 4, 6, 8, 12, 16}) {
      if (parts > 1 && ceil_of(depth, tile.depth) < 2 * parts) break;
      const double cost = cost_of(tile, pixels, outputs, depth, parts);
      if (!best || cost < best->cost) best = {tile, parts, cost};
    }
  }
  return best;
}

}  // namespace

bool add_matrix_product(Lowering& g, const Product& p, const Finish& finish, const ir::Node* node,
                        const std::string& name) {
  const Limits& limits = g.limits();
  const bool half = g.program().half;
  if (limits.matrix.m == 0 || half == limits.emulates_matrices) return false;
  const uint32_t unit = half ? 8 : 4;
  const int64_t pixels = p.batch * p.out[0] * p.out[1], taps = p.taps[0] * p.taps[1], depth = taps * p.inputs;
  const auto in_units = [&](int64_t n) { return n % unit == 0; };
  if (!in_units(p.outputs) || pixels < 8 || depth > INT32_MAX / 2) return false;
  bool x_in_units = p.in_fours && in_units(p.inputs) && in_units(p.x.at);
  for (size_t d : {0, 2, 3}) x_in_units = x_in_units && (p.x.sizes[d] == 1 || in_units(p.x.strides[d]));
  const std::optional<Choice> choice = choose(g, pixels, p.outputs, depth, unit);
  if (!choice) return false;
  const Tile& t = choice->tile;
  const int64_t blocks = ceil_of(depth, t.depth), steps = ceil_of(blocks, choice->parts),
                parts = ceil_of(blocks, steps);
  const bool split = parts > 1;
  const bool wide = in_units(p.y.at) && in_units(p.y_pixel) &&
                    (!finish.residual.defined() || (in_units(finish.residual.at) && in_units(finish.residual_pixel)));
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
                 wide,
                 split};
  add_product_push(d.push, p, finish, depth * p.outputs / unit, split, steps);
  d.reads = {p.x.memory, p.weights.memory, split ? kNoMemory : finish.residual.memory};
  d.write = split ? partial.memory : p.y.memory;
  d.workgroups = {static_cast<uint32_t>(ceil_of(pixels, t.rows)),
                  static_cast<uint32_t>(ceil_of(p.outputs, t.columns)), static_cast<uint32_t>(parts)};
  if (!split) d.placing = {20, 21, 17, 1, unit};
  d.name = split ? name + " split " + std::to_string(parts) : name;
  d.node = node;
  d.operations = 2 * pixels * depth * p.outputs;
  g.add(std::move(d));
  if (split) add_sum_of_parts(g, p, finish, partial, parts, node, name);
  return true;
}

}  // namespace wick::gpu
