// Attention as one dispatch.
#include <algorithm>

#include "gpu/lowering.h"

namespace wick::gpu {

namespace {

// [image][head][row][width], everything in units of some elements.
struct Heads {
  int64_t sizes[4] = {1, 1, 1, 1};
  int64_t at = 0, strides[4] = {0, 0, 0, 0};
};
std::optional<Heads> heads_of(const Value& v, int64_t unit) {
  const size_t dims = v.sizes.size();
  if (dims < 2 || dims > 4 || v.at % unit != 0 || v.sizes.back() % unit != 0 || v.strides.back() != 1) {
    return std::nullopt;
  }
  Heads out;
  out.at = v.at / unit;
  for (size_t d = 0; d < dims; ++d) {
    const size_t to = 4 - dims + d;
    out.sizes[to] = v.sizes[d];
    if (to == 3 || v.sizes[d] == 1) continue;
    if (v.strides[d] % unit != 0) return std::nullopt;
    out.strides[to] = v.strides[d] / unit;
  }
  return out;
}

struct Block {
  uint32_t queries, keys;
};
constexpr Block kBlocks[] = {{32, 32}, {16, 32}, {16, 16}, {8, 16}};

struct Sizes {
  int64_t images, heads, queries, keys, width;
};
// Of attention, when they fit together.
std::optional<Sizes> sizes_of(const Heads& q, const Heads& k, const Heads& v, const Heads& y) {
  const Sizes out{y.sizes[0], y.sizes[1], q.sizes[2], k.sizes[2], q.sizes[3]};
  if (k.sizes[3] != out.width || v.sizes[3] != out.width || y.sizes[3] != out.width || v.sizes[2] != out.keys ||
      y.sizes[2] != out.queries || out.width > 256) {
    return std::nullopt;
  }
  for (const Heads* h : {&q, &k, &v}) {
    for (size_t d : {0, 1}) {
      if (h->sizes[d] != y.sizes[d] && h->sizes[d] != 1) return std::nullopt;
    }
  }
  return out;
}

// The shader, its constants and the queries of a workgroup.
struct Form {
  Shader shader;
  std::vector<uint32_t> constants;
  int64_t queries;
};

std::optional<Form> matrix_form(const Lowering& g, const Sizes& s, uint32_t unit, bool causal) {
  const MatrixShape& m = g.limits().matrix;
  if (g.program().half == g.limits().emulates_matrices || m.m != 16 || m.n != 16 || m.k != 16 || s.width % 16 != 0 ||
      s.keys > 1024) {
    return std::nullopt;
  }
  constexpr uint32_t kSubgroups = 4;
  if (m.subgroups < kSubgroups) return std::nullopt;
  const auto width = static_cast<uint32_t>(s.width), keys = static_cast<uint32_t>((s.keys + 15) / 16 * 16),
             threads = kSubgroups * m.subgroup;
  const uint32_t floats = m.m * (std::max(keys, width) + 4) + 2 * threads;
  for (const uint32_t block : {128, 64, 32}) {
    const uint32_t units = (m.m + block) * (width / unit + 1) + m.m * (keys / unit + 1);
    if (threads > g.limits().max_invocations || units * 16 + floats * 4 > g.limits().max_shared_bytes) continue;
    return Form{Shader::k_attention_matrix, {threads, m.m, m.n, m.k, m.subgroup, block, width, keys, causal}, m.m};
  }
  return std::nullopt;
}

std::optional<Form> plain_form(const Lowering& g, const Sizes& s, bool causal) {
  for (const Block& b : kBlocks) {
    const int64_t fours = s.width / 4;
    const int64_t shared = b.queries * fours + b.keys * (2 * fours + 1) + b.queries * b.keys / 4;
    if (b.queries * 8 > g.limits().max_invocations || shared * 16 > g.limits().max_shared_bytes) continue;
    return Form{Shader::k_attention,
                {b.queries * 8, b.queries, b.keys, static_cast<uint32_t>(fours), causal},
                static_cast<int64_t>(b.queries)};
  }
  return std::nullopt;
}

bool add(Lowering& g, const std::array<const Value*, 4>& values, int64_t unit, bool matrices, double scale, bool causal,
         const ir::Node* node) {
  std::vector<Heads> heads;
  for (const Value* v : values) {
    const std::optional<Heads> h = heads_of(*v, unit);
    if (!h) return false;
    heads.push_back(*h);
  }
  const std::optional<Sizes> s = sizes_of(heads[0], heads[1], heads[2], heads[3]);
  if (!s) return false;
  std::optional<Form> form =
      matrices ? matrix_form(g, *s, static_cast<uint32_t>(unit), causal) : plain_form(g, *s, causal);
  if (!form) return false;
  Dispatch d;
  d.shader = form->shader;
  d.constants = std::move(form->constants);
  d.push.all_of(s->queries, s->keys, s->heads);
  for (const Heads& h : heads) d.push.all_of(h.at, h.strides[0], h.strides[1], h.strides[2]);
  d.push.add(scale);
  d.reads = {values[0]->memory, values[1]->memory, values[2]->memory};
  d.write = values[3]->memory;
  d.workgroups = {static_cast<uint32_t>((s->queries + form->queries - 1) / form->queries),
                  static_cast<uint32_t>(s->images * s->heads), 1};
  d.name = "attention";
  d.node = node;
  d.operations = 4 * s->images * s->heads * s->queries * s->keys * s->width;
  g.add(std::move(d));
  return true;
}

}  // namespace

bool add_fused_attention(Lowering& g, const Value& q, const Value& k, const Value& v, const Value& y, double scale,
                         bool causal, const ir::Node* node) {
  const std::array<const Value*, 4> values{&q, &k, &v, &y};
  return add(g, values, g.program().half ? 8 : 4, true, scale, causal, node) ||
         add(g, values, 4, false, scale, causal, node);
}

}  // namespace wick::gpu
