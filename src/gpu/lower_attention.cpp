// Attention as one dispatch.
#include <algorithm>

#include "gpu/lowering.h"

namespace wick::gpu {

namespace {

// [image][head][row][width], everything in fours.
struct Heads {
  int64_t sizes[4] = {1, 1, 1, 1};
  int64_t at = 0, strides[4] = {0, 0, 0, 0};
};
std::optional<Heads> heads_of(const Value& v) {
  const size_t dims = v.sizes.size();
  if (dims < 2 || dims > 4 || v.at % 4 != 0 || v.sizes.back() % 4 != 0 || v.strides.back() != 1) return std::nullopt;
  Heads out;
  out.at = v.at / 4;
  for (size_t d = 0; d < dims; ++d) {
    const size_t to = 4 - dims + d;
    out.sizes[to] = v.sizes[d];
    if (to == 3 || v.sizes[d] == 1) continue;
    if (v.strides[d] % 4 != 0) return std::nullopt;
    out.strides[to] = v.strides[d] / 4;
  }
  return out;
}

struct Block {
  uint32_t queries, keys;
};
constexpr Block kBlocks[] = {{32, 32}, {16, 32}, {16, 16}, {8, 16}};

}  // namespace

bool add_fused_attention(Lowering& g, const Value& q, const Value& k, const Value& v, const Value& y, double scale,
                         bool causal, const ir::Node* node) {
  const std::optional<Heads> hq = heads_of(q), hk = heads_of(k), hv = heads_of(v), hy = heads_of(y);
  if (!hq || !hk || !hv || !hy) return false;
  const int64_t width = hq->sizes[3], queries = hq->sizes[2], keys = hk->sizes[2];
  if (hk->sizes[3] != width || hv->sizes[3] != width || hy->sizes[3] != width || hv->sizes[2] != keys ||
      hy->sizes[2] != queries || width > 256) {
    return false;
  }
  for (const Heads* h : {&*hq, &*hk, &*hv}) {
    for (size_t d : {0, 1}) {
      if (h->sizes[d] != hy->sizes[d] && h->sizes[d] != 1) return false;
    }
  }
  const Block* best = nullptr;
  for (const Block& b : kBlocks) {
    const int64_t fours = width / 4;
    const int64_t shared = b.queries * fours + b.keys * (2 * fours + 1) + b.queries * b.keys / 4;
    if (b.queries * 8 > g.limits().max_invocations || shared * 16 > g.limits().max_shared_bytes) continue;
    best = &b;
    break;
  }
  if (best == nullptr) return false;
  Dispatch d;
  d.shader = Shader::k_attention;
  d.constants = {best->queries * 8, best->queries, best->keys, static_cast<uint32_t>(width / 4), causal};
  d.push.all_of(queries, keys, hy->sizes[1]);
  for (const Heads* h : {&*hq, &*hk, &*hv, &*hy}) d.push.all_of(h->at, h->strides[0], h->strides[1], h->strides[2]);
  d.push.add(scale);
  d.reads = {q.memory, k.memory, v.memory};
  d.write = y.memory;
  d.workgroups = {static_cast<uint32_t>((queries + best->queries - 1) / best->queries),
                  static_cast<uint32_t>(hy->sizes[0] * hy->sizes[1]), 1};
  d.name = "attention";
  d.node = node;
  d.operations = 4 * hy->sizes[0] * hy->sizes[1] * queries * keys * width;
  g.add(std::move(d));
  return true;
}

}  // namespace wick::gpu
