// Pooling and resampling of images.
#include <algorithm>

#include "gpu/lowering.h"
#include "plan/record/read.h"

namespace wick::gpu {

using plan::TracedStep;
using plan::TracedValue;

namespace {

uint32_t pair_word(const IntVec& v) { return static_cast<uint32_t>(v[0] << 16 | v[1]); }

// Two numbers from a list of two, one, or none; those of an empty list are `missing`.
bool read_pair(const TracedStep& step, size_t k, const IntVec& missing, IntVec& out) {
  if (k >= step.args.size() || step.args[k].kind != TracedValue::Kind::kStatic || !step.args[k].value.is_list()) {
    return false;
  }
  out = step.args[k].value.to_int_vec();
  if (out.empty()) out = missing;
  if (out.size() == 1) out.push_back(out[0]);
  return out.size() == 2 && out[0] >= 0 && out[1] >= 0 && out[0] < 65536 && out[1] < 65536;
}

bool is_image_last(const Value& v) { return v.strides[1] == 1 && v.sizes[1] > 1; }

// An image without batch, or with one spatial dim (`line`), as one of four dims.
Value in_four(Value v, bool line) {
  if (line) {
    v.sizes.insert(v.sizes.size() - 1, 1);
    v.strides.insert(v.strides.size() - 1, 0);
  }
  while (v.sizes.size() < 4) {
    v.sizes.insert(0, 1);
    v.strides.insert(0, 0);
  }
  return v;
}
// The same memory with the dims of `sizes` again.
Value from_four(Value v, const IntVec& sizes, bool line) {
  IntVec strides;
  for (size_t d = 4 - sizes.size() - line; d < 4; ++d) {
    if (!line || d != 2) strides.push_back(v.strides[d]);
  }
  v.sizes = sizes;
  v.strides = strides;
  return v;
}

// As the input lies.
Value make_like(Lowering& g, const IntVec& sizes, const Value& x) {
  return is_image_last(x) ? g.make_image(sizes) : g.make_dense(sizes);
}

}  // namespace

bool lower_pool(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  std::string_view name = step.op->schema.name;
  const TensorId from = plan::tensor_arg(step, 0), result = g.first_result(s);
  if (from == kNoTensor || result == kNoTensor || !b.is_float(from)) return false;
  const bool line = name.find("pool1d") != std::string_view::npos;
  if (!line && name.find("pool2d") == std::string_view::npos) return false;
  const size_t dims = b.tensor(from).sizes.size(), most = line ? 3 : 4;
  if ((dims != most && dims != most - 1) || b.tensor(result).sizes.size() != dims) return false;
  uint32_t kind = 0;
  bool count_pad = true;
  int64_t divisor = 0;
  IntVec taps{1, 1}, stride{1, 1}, pad{0, 0}, dilation{1, 1};
  const auto read = [&](size_t k, const IntVec& missing, int64_t of_line, IntVec& out) {
    if (!read_pair(step, k, missing, out)) return false;
    if (line) out[0] = of_line;
    return true;
  };
  if ((name.starts_with("aten::max_pool1d") || name.starts_with("aten::max_pool2d")) && step.args.size() == 6) {
    if (!read(1, {}, 1, taps) || !read(2, taps, 1, stride) || !read(3, {}, 0, pad) || !read(4, {}, 1, dilation)) {
      return false;
    }
  } else if ((name == "aten::avg_pool2d" && step.args.size() == 7) ||
             (name == "aten::avg_pool1d" && step.args.size() == 6)) {
    kind = 1;
    if (!read(1, {}, 1, taps) || !read(2, taps, 1, stride) || !read(3, {}, 0, pad)) return false;
    count_pad = plan::bool_arg(step, 5);
    if (plan::is_given(step, 6)) divisor = plan::int_arg(step, 6).value_or(0);
    if (divisor < 0) return false;
  } else if (name == "aten::adaptive_avg_pool2d" || name == "aten::_adaptive_avg_pool2d" ||
             name == "aten::adaptive_avg_pool1d") {
    // A mean over all of it is a reduction, which shares the work.
    const IntVec& out = b.tensor(result).sizes;
    if (name == "aten::adaptive_avg_pool2d" && dims == 4 && out[2] * out[3] == 1) return false;
    kind = 2;
  } else if (name == "aten::adaptive_max_pool2d" || name == "aten::adaptive_max_pool1d") {
    kind = 3;
  } else {
    return false;
  }
  const Value x = in_four(g.value(from), line);
  const IntVec& in = x.sizes;
  Value shape;
  shape.sizes = shape.strides = b.tensor(result).sizes;
  const IntVec out = in_four(shape, line).sizes;
  // Where an adaptive window begins is computed in words.
  if (kind >= 2 && (out[2] * (in[2] + 1) > UINT32_MAX || out[3] * (in[3] + 1) > UINT32_MAX)) return false;
  const Value y = make_like(g, out, x);
  Dispatch d;
  d.shader = Shader::k_pool;
  d.constants = {g.element_threads(), kind, count_pad, is_image_last(x)};
  const int64_t count = checked_numel(out);
  d.push.all_of(count, in[1], in[2], in[3], out[2], out[3], pair_word(taps), pair_word(stride), pair_word(pad),
                pair_word(dilation), divisor, x.at, x.strides[0], x.strides[1], x.strides[2], x.strides[3], y.at,
                y.strides[0], y.strides[1], y.strides[2], y.strides[3]);
  d.reads[0] = x.memory;
  d.write = y.memory;
  d.name = std::string(name.substr(6));
  d.node = step.node;
  g.add(std::move(d), count);
  g.set(result, from_four(y, b.tensor(result).sizes, line));
  return true;
}

bool lower_resize(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const std::string_view name = step.op->schema.name;
  const bool line = name.ends_with("1d");
  const bool nearest = name == "aten::upsample_nearest2d" || name == "aten::upsample_nearest1d",
             exact = name == "aten::_upsample_nearest_exact2d" || name == "aten::_upsample_nearest_exact1d",
             cubic = name == "aten::upsample_bicubic2d",
             bilinear = name == "aten::upsample_bilinear2d" || name == "aten::upsample_linear1d" || cubic;
  const TensorId from = plan::tensor_arg(step, 0), result = b.result(s);
  if ((!nearest && !exact && !bilinear) || from == kNoTensor || result == kNoTensor || !b.can_define_plain(result)) {
    return false;
  }
  if (b.tensor(from).sizes.size() != (line ? 3u : 4u) || b.tensor(result).sizes.size() != (line ? 3u : 4u))
    return false;
  const Value x = in_four(g.value(from), line);
  const IntVec& in = x.sizes;
  Value shape;
  shape.sizes = shape.strides = b.tensor(result).sizes;
  const IntVec out = in_four(shape, line).sizes;
  const bool aligned = bilinear && plan::bool_arg(step, 2);
  // Scales are the last arguments: numbers in two, or a list (".vec"). Only what follows from them counts.
  double scale[2];
  for (size_t k = 0; k < 2; ++k) {
    const size_t d = 2 + k;
    scale[k] = static_cast<float>(in[d]) / static_cast<float>(out[d]);
    if (aligned) scale[k] = out[d] > 1 ? static_cast<float>(in[d] - 1) / static_cast<float>(out[d] - 1) : 0.0F;
    if (aligned) continue;
    const bool listed = step.op->schema.overload == "vec";
    const size_t at = listed || line ? step.args.size() - 1 : step.args.size() - 2 + k;
    if (!plan::is_given(step, at) || (line && k == 0)) continue;
    const IValue& given = step.args[at].value;
    double factor = 0;
    if (listed) {
      if (!given.is_list() || given.to_list().items.size() != (line ? 1u : 2u)) return false;
      factor = given.to_list().items[line ? 0 : k].to_scalar().to_double();
    } else {
      factor = plan::number_arg(step, at).value_or(0);
    }
    if (!(factor > 0)) return false;
    scale[k] = static_cast<float>(1.0 / factor);
  }
  const Value y = make_like(g, out, x);
  Dispatch d;
  d.shader = Shader::k_resize;
  d.constants = {g.element_threads(), nearest ? 0u : exact ? 1u : (cubic ? 4u : 2u) + aligned, is_image_last(x)};
  const int64_t count = checked_numel(out);
  d.push.all_of(count, in[1], in[2], in[3], out[2], out[3], scale[0], scale[1], x.at, x.strides[0], x.strides[1],
                x.strides[2], x.strides[3], y.at, y.strides[0], y.strides[1], y.strides[2], y.strides[3]);
  d.reads[0] = x.memory;
  d.write = y.memory;
  d.name = std::string(name.substr(6));
  d.node = step.node;
  g.add(std::move(d), count);
  g.set(result, from_four(y, b.tensor(result).sizes, line));
  return true;
}

}  // namespace wick::gpu
