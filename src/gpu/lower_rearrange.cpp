// Elements in another order: flips, rolls, repetitions, pixel shuffles. All are copies between strides.
#include <algorithm>

#include "gpu/lowering.h"
#include "plan/record/read.h"

namespace wick::gpu {

using plan::TracedStep;
using plan::TracedValue;

namespace {

std::optional<IntVec> list_arg(const TracedStep& step, size_t k) {
  if (k >= step.args.size() || step.args[k].kind != TracedValue::Kind::kStatic) return std::nullopt;
  if (step.args[k].value.is_int()) return IntVec{step.args[k].value.to_int()};
  if (!step.args[k].value.is_list()) return std::nullopt;
  return step.args[k].value.to_int_vec();
}

Value make_as(Lowering& g, const IntVec& sizes, const Value& x) {
  Value y = g.make(sizes, dense_strides(sizes), x.wide);
  y.low = x.low;
  y.high = x.high;
  return y;
}

// The same memory with other sizes and strides.
Value seen_as(const Value& v, IntVec sizes, IntVec strides) {
  Value out = v;
  out.sizes = std::move(sizes);
  out.strides = std::move(strides);
  return out;
}

bool add_flip(Lowering& g, const Value& x, const IntVec& over, const Value& y, const ir::Node* node) {
  Value from = x;
  for (int64_t d : over) {
    const auto dims = static_cast<int64_t>(x.sizes.size());
    if (d < -dims || d >= dims) return false;
    const auto at = static_cast<size_t>(d < 0 ? d + dims : d);
    from.at += (x.sizes[at] - 1) * x.strides[at];
    from.strides[at] = -x.strides[at];
  }
  g.copy(from, y, false, node);
  return true;
}

// One dim after the other: each splits what there is into two parts that change places.
bool add_roll(Lowering& g, Value x, Value y, const IntVec& shifts, const IntVec& over, size_t k, const ir::Node* node) {
  if (k == over.size()) {
    g.copy(x, y, true, node);
    return true;
  }
  const auto dims = static_cast<int64_t>(x.sizes.size());
  if (over[k] < -dims || over[k] >= dims) return false;
  const auto d = static_cast<size_t>(over[k] < 0 ? over[k] + dims : over[k]);
  const int64_t size = x.sizes[d], shift = ((shifts[k] % size) + size) % size;
  for (const bool wraps : {false, true}) {
    const int64_t part = wraps ? shift : size - shift;
    if (part == 0) continue;
    Value from = x, to = y;
    from.sizes[d] = to.sizes[d] = part;
    from.at += wraps ? (size - shift) * x.strides[d] : 0;
    to.at += wraps ? 0 : shift * y.strides[d];
    if (!add_roll(g, from, to, shifts, over, k + 1, node)) return false;
  }
  return true;
}

bool add_repeat(Lowering& g, const Value& x, const IntVec& repeats, const Value& y, const ir::Node* node) {
  const size_t dims = y.sizes.size();
  if (repeats.size() != dims || x.sizes.size() > dims) return false;
  IntVec sizes, from, to;
  for (size_t d = 0; d < dims; ++d) {
    const size_t missing = dims - x.sizes.size();
    const int64_t size = d < missing ? 1 : x.sizes[d - missing], stride = d < missing ? 0 : x.strides[d - missing];
    if (repeats[d] * size != y.sizes[d]) return false;
    sizes.push_back(repeats[d]);
    from.push_back(0);
    to.push_back(size * y.strides[d]);
    sizes.push_back(size);
    from.push_back(stride);
    to.push_back(y.strides[d]);
  }
  g.copy(seen_as(x, sizes, from), seen_as(y, sizes, to), false, node);
  return true;
}

bool add_interleave(Lowering& g, Value x, int64_t repeats, std::optional<int64_t> dim, const Value& y,
                    const ir::Node* node) {
  if (!dim) {
    const IntVec flat{checked_numel(x.sizes)};
    const std::optional<IntVec> strides = reshaped_strides(x.sizes, x.strides, flat);
    if (!strides) x = g.copied(x, dense_strides(x.sizes), node);
    x = seen_as(x, flat, strides ? *strides : IntVec{1});
    dim = 0;
  }
  const auto dims = static_cast<int64_t>(x.sizes.size());
  const int64_t at = *dim < 0 ? *dim + dims : *dim;
  if (at < 0 || at >= dims || y.sizes.size() != x.sizes.size() || repeats < 1) return false;
  IntVec sizes, from, to;
  for (size_t d = 0; d < x.sizes.size(); ++d) {
    const bool is_it = static_cast<int64_t>(d) == at;
    if (x.sizes[d] * (is_it ? repeats : 1) != y.sizes[d]) return false;
    sizes.push_back(x.sizes[d]);
    from.push_back(x.strides[d]);
    to.push_back(y.strides[d] * (is_it ? repeats : 1));
    if (!is_it) continue;
    sizes.push_back(repeats);
    from.push_back(0);
    to.push_back(y.strides[d]);
  }
  g.copy(seen_as(x, sizes, from), seen_as(y, sizes, to), false, node);
  return true;
}

// Pixels of an image as channels, or the other way round.
bool add_pixel_shuffle(Lowering& g, const Value& x, int64_t r, bool back, const Value& y, const ir::Node* node) {
  const size_t dims = x.sizes.size();
  if (dims < 3 || y.sizes.size() != dims || r < 1) return false;
  // With more pixels (fine) and with more channels (coarse).
  const Value& fine = back ? x : y;
  const Value& coarse = back ? y : x;
  const size_t c = dims - 3, h = dims - 2, w = dims - 1;
  if (coarse.sizes[c] != fine.sizes[c] * r * r || fine.sizes[h] != coarse.sizes[h] * r ||
      fine.sizes[w] != coarse.sizes[w] * r) {
    return false;
  }
  IntVec sizes, of_fine, of_coarse;
  const auto add = [&](int64_t size, int64_t fine_stride, int64_t coarse_stride) {
    sizes.push_back(size);
    of_fine.push_back(fine_stride);
    of_coarse.push_back(coarse_stride);
  };
  for (size_t d = 0; d < c; ++d) add(fine.sizes[d], fine.strides[d], coarse.strides[d]);
  add(fine.sizes[c], fine.strides[c], coarse.strides[c] * r * r);
  add(coarse.sizes[h], fine.strides[h] * r, coarse.strides[h]);
  add(r, fine.strides[h], coarse.strides[c] * r);
  add(coarse.sizes[w], fine.strides[w] * r, coarse.strides[w]);
  add(r, fine.strides[w], coarse.strides[c]);
  g.copy(seen_as(x, sizes, back ? of_fine : of_coarse), seen_as(y, sizes, back ? of_coarse : of_fine), false, node);
  return true;
}

bool add_channel_shuffle(Lowering& g, const Value& x, int64_t groups, const Value& y, const ir::Node* node) {
  if (x.sizes.size() < 2 || groups < 1 || x.sizes[1] % groups != 0) return false;
  const int64_t each = x.sizes[1] / groups;
  IntVec sizes{x.sizes[0], each, groups}, from{x.strides[0], x.strides[1], x.strides[1] * each},
      to{y.strides[0], y.strides[1] * groups, y.strides[1]};
  for (size_t d = 2; d < x.sizes.size(); ++d) {
    sizes.push_back(x.sizes[d]);
    from.push_back(x.strides[d]);
    to.push_back(y.strides[d]);
  }
  g.copy(seen_as(x, sizes, from), seen_as(y, sizes, to), false, node);
  return true;
}

}  // namespace

bool lower_rearrange(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const std::string_view name = step.op->schema.name;
  const TensorId from = plan::tensor_arg(step, 0), result = b.result(s);
  constexpr std::string_view kNames[] = {"aten::flip",
                                         "aten::roll",
                                         "aten::repeat",
                                         "aten::tile",
                                         "aten::pixel_shuffle",
                                         "aten::pixel_unshuffle",
                                         "aten::channel_shuffle",
                                         "aten::repeat_interleave"};
  if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames) || from == kNoTensor ||
      result == kNoTensor || !b.can_define_plain(result) || b.tensor(from).dtype != b.tensor(result).dtype) {
    return false;
  }
  std::optional<IntVec> list = list_arg(step, 1);
  if (!list) return false;
  const Value x = g.value(from);
  const IntVec& out = b.tensor(result).sizes;
  const Value y = make_as(g, out, x);
  bool made = false;
  if (name == "aten::flip") {
    made = add_flip(g, x, *list, y, step.node);
  } else if (name == "aten::roll") {
    const std::optional<IntVec> over = list_arg(step, 2);
    if (!over || over->size() > 2) return false;
    if (over->empty()) {
      // Of all elements in their order.
      const IntVec flat{checked_numel(x.sizes)};
      Value dense = x;
      if (!is_dense_value(x)) dense = g.copied(x, dense_strides(x.sizes), step.node);
      made =
          list->size() == 1 && add_roll(g, seen_as(dense, flat, {1}), seen_as(y, flat, {1}), *list, {0}, 0, step.node);
    } else {
      made = over->size() == list->size() && add_roll(g, x, y, *list, *over, 0, step.node);
    }
  } else if (name == "aten::repeat" || name == "aten::tile") {
    while (list->size() < out.size()) list->insert(0, 1);
    made = add_repeat(g, x, *list, y, step.node);
  } else if (name == "aten::repeat_interleave") {
    const std::optional<int64_t> repeats = plan::int_arg(step, 1);
    std::optional<int64_t> dim;
    if (plan::is_given(step, 2)) dim = plan::int_arg(step, 2);
    made = repeats && add_interleave(g, x, *repeats, dim, y, step.node);
  } else if (list->size() == 1) {
    const int64_t n = (*list)[0];
    made = name == "aten::channel_shuffle" ? add_channel_shuffle(g, x, n, y, step.node)
                                           : add_pixel_shuffle(g, x, n, name == "aten::pixel_unshuffle", y, step.node);
  }
  if (made) g.set(result, y);
  return made;
}

}  // namespace wick::gpu
