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

// The sizes of a result as those of four dims.
IntVec sizes_in_four(const IntVec& sizes, bool line) {
  Value shape;
  shape.sizes = shape.strides = sizes;
  return in_four(shape, line).sizes;
}

// Of shaders/pool.comp.
struct Pooling {
  enum Kind : uint32_t { kMax, kMean, kAdaptiveMean, kAdaptiveMax } kind = kMax;
  bool count_pad = true;
  int64_t divisor = 0;
  IntVec taps{1, 1}, stride{1, 1}, pad{0, 0}, dilation{1, 1};

  bool is_adaptive() const { return kind >= kAdaptiveMean; }
};

// `line`: of one spatial dim.
bool read_pooling(const TracedStep& step, bool line, Pooling& p) {
  const std::string_view name = step.op->schema.name;
  const auto read = [&](size_t k, const IntVec& missing, int64_t of_line, IntVec& out) {
    if (!read_pair(step, k, missing, out)) return false;
    if (line) out[0] = of_line;
    return true;
  };
  const auto read_window = [&] {
    return read(1, {}, 1, p.taps) && read(2, p.taps, 1, p.stride) && read(3, {}, 0, p.pad);
  };
  if (name.starts_with("aten::max_pool")) return step.args.size() == 6 && read_window() && read(4, {}, 1, p.dilation);
  if (name == "aten::avg_pool2d" || name == "aten::avg_pool1d") {
    p.kind = Pooling::kMean;
    if (step.args.size() != (line ? 6u : 7u) || !read_window()) return false;
    p.count_pad = plan::bool_arg(step, 5);
    if (plan::is_given(step, 6)) p.divisor = plan::int_arg(step, 6).value_or(0);
    return p.divisor >= 0;
  }
  p.kind = name.find("max") == std::string_view::npos ? Pooling::kAdaptiveMean : Pooling::kAdaptiveMax;
  return name == "aten::adaptive_avg_pool2d" || name == "aten::_adaptive_avg_pool2d" ||
         name == "aten::adaptive_avg_pool1d" || name == "aten::adaptive_max_pool2d" ||
         name == "aten::adaptive_max_pool1d";
}

// A mean over all of an image is a reduction, which shares the work.
bool is_mean_of_all(const TracedStep& step, const IntVec& sizes) {
  return step.op->schema.name == "aten::adaptive_avg_pool2d" && sizes.size() == 4 && sizes[2] * sizes[3] == 1;
}

}  // namespace

bool lower_pool(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const std::string_view name = step.op->schema.name;
  const TensorId from = plan::tensor_arg(step, 0), result = g.first_result(s);
  if (from == kNoTensor || result == kNoTensor || !b.is_float(from)) return false;
  const bool line = name.find("pool1d") != std::string_view::npos;
  if (!line && name.find("pool2d") == std::string_view::npos) return false;
  const IntVec& sizes = b.tensor(result).sizes;
  const size_t dims = b.tensor(from).sizes.size(), most = line ? 3 : 4;
  if ((dims != most && dims != most - 1) || sizes.size() != dims) return false;
  Pooling p;
  if (is_mean_of_all(step, sizes) || !read_pooling(step, line, p)) return false;
  const Value x = in_four(g.value(from), line);
  const IntVec& in = x.sizes;
  const IntVec out = sizes_in_four(sizes, line);
  // Where an adaptive window begins is computed in words.
  if (p.is_adaptive() && (out[2] * (in[2] + 1) > UINT32_MAX || out[3] * (in[3] + 1) > UINT32_MAX)) return false;
  const Value y = make_like(g, out, x);
  Dispatch d;
  d.shader = Shader::k_pool;
  d.constants = {g.element_threads(), p.kind, p.count_pad, is_image_last(x)};
  const int64_t count = checked_numel(out);
  d.push.all_of(count, in[1], in[2], in[3], out[2], out[3], pair_word(p.taps), pair_word(p.stride), pair_word(p.pad),
                pair_word(p.dilation), p.divisor, x.at, x.strides[0], x.strides[1], x.strides[2], x.strides[3], y.at,
                y.strides[0], y.strides[1], y.strides[2], y.strides[3]);
  d.reads[0] = x.memory;
  d.write = y.memory;
  d.name = std::string(name.substr(6));
  d.node = step.node;
  g.add(std::move(d), count);
  g.set(result, from_four(y, sizes, line));
  return true;
}

namespace {

// Of shaders/resize.comp.
struct Resizing {
  enum Kind : uint32_t { kNearest, kNearestExact, kLinear, kLinearAligned, kCubic, kCubicAligned } kind = kNearest;
  bool line = false;     // of one spatial dim
  bool aligned = false;  // corners of input and result are at one place
};
std::optional<Resizing> read_resizing(const TracedStep& step) {
  const std::string_view name = step.op->schema.name;
  Resizing out;
  out.line = name.ends_with("1d");
  if (name == "aten::upsample_nearest2d" || name == "aten::upsample_nearest1d") return out;
  if (name == "aten::_upsample_nearest_exact2d" || name == "aten::_upsample_nearest_exact1d") {
    out.kind = Resizing::kNearestExact;
    return out;
  }
  out.aligned = plan::bool_arg(step, 2);
  if (name == "aten::upsample_bicubic2d") {
    out.kind = out.aligned ? Resizing::kCubicAligned : Resizing::kCubic;
  } else if (name == "aten::upsample_bilinear2d" || name == "aten::upsample_linear1d") {
    out.kind = out.aligned ? Resizing::kLinearAligned : Resizing::kLinear;
  } else {
    return std::nullopt;
  }
  return out;
}

// The input's extent for one of the result, along the spatial dim k of two. The step's scale factors are its last
// arguments: numbers in two, or a list (".vec"). Only what follows from them counts.
std::optional<double> scale_of(const TracedStep& step, const Resizing& r, size_t k, int64_t in, int64_t out) {
  if (r.aligned) return out > 1 ? static_cast<float>(in - 1) / static_cast<float>(out - 1) : 0.0F;
  const bool listed = step.op->schema.overload == "vec";
  const size_t at = listed || r.line ? step.args.size() - 1 : step.args.size() - 2 + k;
  if (!plan::is_given(step, at) || (r.line && k == 0)) return static_cast<float>(in) / static_cast<float>(out);
  const IValue& given = step.args[at].value;
  double factor = 0;
  if (listed) {
    if (!given.is_list() || given.to_list().items.size() != (r.line ? 1u : 2u)) return std::nullopt;
    factor = given.to_list().items[r.line ? 0 : k].to_scalar().to_double();
  } else {
    factor = plan::number_arg(step, at).value_or(0);
  }
  if (!(factor > 0)) return std::nullopt;
  return static_cast<float>(1.0 / factor);
}

}  // namespace

bool lower_resize(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const std::optional<Resizing> resizing = read_resizing(step);
  const TensorId from = plan::tensor_arg(step, 0), result = b.result(s);
  if (!resizing || from == kNoTensor || result == kNoTensor || !b.can_define_plain(result)) return false;
  const bool line = resizing->line;
  const IntVec& sizes = b.tensor(result).sizes;
  if (b.tensor(from).sizes.size() != (line ? 3u : 4u) || sizes.size() != (line ? 3u : 4u)) return false;
  const Value x = in_four(g.value(from), line);
  const IntVec& in = x.sizes;
  const IntVec out = sizes_in_four(sizes, line);
  double scale[2];
  for (size_t k = 0; k < 2; ++k) {
    const std::optional<double> found = scale_of(step, *resizing, k, in[2 + k], out[2 + k]);
    if (!found) return false;
    scale[k] = *found;
  }
  const Value y = make_like(g, out, x);
  Dispatch d;
  d.shader = Shader::k_resize;
  d.constants = {g.element_threads(), resizing->kind, is_image_last(x)};
  const int64_t count = checked_numel(out);
  d.push.all_of(count, in[1], in[2], in[3], out[2], out[3], scale[0], scale[1], x.at, x.strides[0], x.strides[1],
                x.strides[2], x.strides[3], y.at, y.strides[0], y.strides[1], y.strides[2], y.strides[3]);
  d.reads[0] = x.memory;
  d.write = y.memory;
  d.name = step.op->schema.name.substr(6);
  d.node = step.node;
  g.add(std::move(d), count);
  g.set(result, from_four(y, sizes, line));
  return true;
}

}  // namespace wick::gpu
