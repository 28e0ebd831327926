// Softmax, normalization and reductions.
#include <algorithm>

#include "gpu/lowering.h"
#include "kernels/divide.h"
#include "plan/record/read.h"

namespace wick::gpu {

using plan::TracedStep;
using plan::TracedValue;

namespace {

bool is_none_or_float(const TracedStep& step, size_t k) {
  return !plan::is_given(step, k) || plan::int_arg(step, k) == static_cast<int64_t>(DType::kFloat);
}

// Weight and bias, of `count` values each, one after the other.
Value pack_pair(Lowering& g, const Tensor& weight, const Tensor& bias, int64_t count) {
  constexpr int64_t kForm = 7;  // the form a key names
  return g.constant(plan::PackKey({weight, bias}, {kForm}), static_cast<size_t>(2 * count), [&](float* to) {
    std::fill_n(to, count, 1.0F);
    std::fill_n(to + count, count, 0.0F);
    for (const Tensor* t : {&weight, &bias}) {
      if (!t->defined()) continue;
      const Tensor f = plan::as_floats(*t);
      std::copy_n(f.data_ptr<float>(), count, to + (t == &weight ? 0 : count));
    }
  });
}

// What lies across a dim: the other dims, and their strides in two values.
struct Lines {
  IntVec sizes, from, to;
};
Lines lines_across(size_t dim, const Value& x, const Value& y) {
  Lines out;
  for (size_t d = 0; d < x.sizes.size(); ++d) {
    if (d == dim) continue;
    out.sizes.push_back(x.sizes[d]);
    out.from.push_back(x.strides[d]);
    out.to.push_back(y.strides[d]);
  }
  coalesce(out.sizes, {&out.from, &out.to});
  if (out.sizes.size() > 3) throw Declined();
  return out;
}

// The index of a dim that may be counted from the end; none where there is no such dim.
std::optional<size_t> dim_index(int64_t dim, size_t dims) {
  const auto count = static_cast<int64_t>(dims);
  if (dim < -count || dim >= count) return std::nullopt;
  return static_cast<size_t>(dim < 0 ? dim + count : dim);
}

struct NormShape {
  int64_t rows, groups, channels, pixels;  // channels of a group
};

void add_norm(Lowering& g, const NormShape& n, const Value& x, const Value& y, const IntVec& x_strides,
              const IntVec& y_strides, const Tensor& weight, const Tensor& bias, double epsilon, bool channels_first,
              const ir::Node* node, std::string name) {
  const int64_t length = n.channels * n.pixels, all = n.groups * n.channels;
  const uint32_t threads = g.threads_up_to(std::clamp<int64_t>(length / 2, 32, 256));
  const bool weighted = weight.defined() || bias.defined();
  Value w;
  if (weighted) w = pack_pair(g, weight, bias, all);
  Dispatch d;
  d.shader = Shader::k_norm;
  const int64_t own = kernels::ceil_div(length, threads);
  const bool keeps = n.pixels == 1 && own <= 8;
  d.constants = {
      threads, weight.defined(), bias.defined(), channels_first, keeps, keeps ? static_cast<uint32_t>(own) : 1};
  d.push.all_of(n.rows, n.groups, n.channels, n.pixels, x.at, x_strides[0], x_strides[1], x_strides[2], y.at,
                y_strides[0], y_strides[1], y_strides[2], int64_t{0}, all, epsilon);
  d.reads = {x.memory, w.memory, kNoMemory};
  d.write = y.memory;
  d.name = std::move(name);
  d.node = node;
  d.workgroups = g.spread(n.rows);
  g.add(std::move(d));
}

}  // namespace

void add_softmax(Lowering& g, const Value& x, const Value& y, size_t dim, Softmax kind, const ir::Node* node) {
  const Lines lines = lines_across(dim, x, y);
  const int64_t length = x.sizes[dim], rows = checked_numel(x.sizes) / length;
  Dispatch d;
  d.shader = Shader::k_softmax;
  const bool log = kind == Softmax::kLog;
  d.constants = {g.threads_up_to(std::clamp<int64_t>(length, 32, 256)), log, kind == Softmax::kSafe};
  d.push.all_of(rows, length);
  d.push.add_last(lines.sizes, 3, 1);
  d.push.add_last(lines.from, 3, 0);
  d.push.add_last(lines.to, 3, 0);
  d.push.all_of(x.at, x.strides[dim], y.at, y.strides[dim]);
  d.reads[0] = x.memory;
  d.write = y.memory;
  d.name = log ? "log_softmax" : "softmax";
  d.node = node;
  d.workgroups = g.spread(rows);
  g.add(std::move(d));
}

bool lower_softmax(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const std::string_view name = step.op->schema.name, overload = step.op->schema.overload;
  const bool log = name == "aten::log_softmax" || name == "aten::_log_softmax";
  const bool named = ((name == "aten::softmax" || name == "aten::log_softmax") && overload == "int") ||
                     ((name == "aten::_softmax" || name == "aten::_log_softmax") && overload.empty());
  const TensorId from = plan::tensor_arg(step, 0), result = b.result(s);
  const std::optional<int64_t> dim = plan::int_arg(step, 1);
  if (!named || from == kNoTensor || result == kNoTensor || !dim || !b.can_define_plain(result)) return false;
  if (name[6] != '_' && !is_none_or_float(step, 2)) return false;
  const Value x = g.value(from);
  const std::optional<size_t> at = dim_index(*dim, x.sizes.size());
  if (!at) return false;
  const Value y = g.make(x.sizes, strides_in_order(x.sizes, x.strides));
  add_softmax(g, x, y, *at, log ? Softmax::kLog : Softmax::kPlain, step.node);
  g.set(result, y);
  return true;
}

namespace {

// Weight and bias of a norm, undefined where it has none; false when they are not known.
struct NormWeights {
  Tensor weight, bias;

  bool read(const plan::Builder& b, const TracedStep& step, size_t k) {
    return plan::read_constant(b, step.args[k], weight) && plan::read_constant(b, step.args[k + 1], bias);
  }
  bool have(int64_t count) const {
    return (!weight.defined() || weight.numel() == count) && (!bias.defined() || bias.numel() == count);
  }
};

bool lower_layer_norm(Lowering& g, const TracedStep& step, TensorId from, TensorId result) {
  NormWeights w;
  if (!step.args[1].value.is_list() || !w.read(g.builder(), step, 2)) return false;
  Value x = g.value(from);
  const int64_t length = checked_numel(step.args[1].value.to_int_vec());
  const int64_t rows = checked_numel(x.sizes) / length;
  if (!w.have(length)) return false;
  std::optional<IntVec> strides = reshaped_strides(x.sizes, x.strides, {rows, length});
  if (!strides) {
    x = g.copied(x, dense_strides(x.sizes), step.node);
    strides = IntVec{length, 1};
  }
  const Value y = g.make_dense(x.sizes);
  add_norm(g, {rows, 1, length, 1}, x, y, {(*strides)[0], (*strides)[1], 0}, {length, 1, 0}, w.weight, w.bias,
           plan::number_arg(step, 4).value_or(1e-5), true, step.node, "layer_norm");
  g.set(result, y);
  return true;
}

// Strides of batch, channels and all pixels of an image; none when its pixels are not at one distance.
std::optional<IntVec> strides_by_pixel(const Value& v, int64_t pixels) {
  IntVec sizes, strides;
  for (size_t d = 2; d < v.sizes.size(); ++d) {
    sizes.push_back(v.sizes[d]);
    strides.push_back(v.strides[d]);
  }
  const std::optional<IntVec> one = reshaped_strides(sizes, strides, {pixels});
  if (!one) return std::nullopt;
  return IntVec{v.strides[0], v.strides[1], (*one)[0]};
}

// A norm of images by groups of channels.
struct GroupNorm {
  NormWeights weights;
  int64_t groups = 0;
  double epsilon = 1e-5;

  bool read(const plan::Builder& b, const TracedStep& step) {
    const std::string_view name = step.op->schema.name;
    if (name == "aten::group_norm" && step.args.size() >= 5) {
      groups = plan::int_arg(step, 1).value_or(0);
      epsilon = plan::number_arg(step, 4).value_or(1e-5);
      return weights.read(b, step, 2);
    }
    if (name != "aten::instance_norm" || step.args.size() < 8 || !plan::bool_arg(step, 5)) return false;
    const IntVec& sizes = b.tensor(plan::tensor_arg(step, 0)).sizes;
    groups = sizes.size() > 1 ? sizes[1] : 0;
    epsilon = plan::number_arg(step, 7).value_or(1e-5);
    return weights.read(b, step, 1);
  }
};

bool lower_group_norm(Lowering& g, const TracedStep& step, TensorId from, TensorId result) {
  GroupNorm norm;
  if (!norm.read(g.builder(), step)) return false;
  Value x = g.value(from);
  if (x.sizes.size() < 2 || norm.groups < 1 || x.sizes[1] % norm.groups != 0) return false;
  const int64_t channels = x.sizes[1], pixels = checked_numel(x.sizes) / x.sizes[0] / channels;
  if (!norm.weights.have(channels)) return false;
  std::optional<IntVec> strides = strides_by_pixel(x, pixels);
  if (!strides) {
    x = g.copied(x, dense_strides(x.sizes), step.node);
    strides = strides_by_pixel(x, pixels);
  }
  const Value y = g.make(x.sizes, strides_in_order(x.sizes, x.strides));
  const std::optional<IntVec> to = strides_by_pixel(y, pixels);
  if (!strides || !to) return false;
  add_norm(g, {x.sizes[0] * norm.groups, norm.groups, channels / norm.groups, pixels}, x, y, *strides, *to,
           norm.weights.weight, norm.weights.bias, norm.epsilon, (*strides)[1] == 1, step.node,
           step.op->schema.name.substr(6));
  g.set(result, y);
  return true;
}

}  // namespace

bool lower_norm(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const TensorId from = plan::tensor_arg(step, 0), result = b.result(s);
  if (from == kNoTensor || result == kNoTensor || !b.can_define_plain(result)) return false;
  if (step.op->schema.name == "aten::layer_norm" && step.args.size() >= 5) {
    return lower_layer_norm(g, step, from, result);
  }
  return lower_group_norm(g, step, from, result);
}

void add_reduce(Lowering& g, const Value& x, const std::vector<bool>& dims, uint32_t kind, double correction,
                const Value& y, const ir::Node* node, std::string name) {
  IntVec kept, kept_strides, gone, gone_strides;
  for (size_t d = 0; d < x.sizes.size(); ++d) {
    (dims[d] ? gone : kept).push_back(x.sizes[d]);
    (dims[d] ? gone_strides : kept_strides).push_back(x.strides[d]);
  }
  coalesce(kept, {&kept_strides});
  coalesce(gone, {&gone_strides});
  if (kept.size() > 3 || gone.size() > 3) throw Declined();
  const int64_t count = checked_numel(kept), length = checked_numel(gone);
  if (count != checked_numel(y.sizes) || x.wide != y.wide) throw Declined();
  // Neighbors in memory are read by neighboring invocations.
  const bool across = kept_strides.back() == 1 && kept.back() > 1;
  const uint32_t threads = g.threads_up_to(across ? (length > 256 ? 1024 : 256) : std::clamp<int64_t>(length, 32, 256));
  Dispatch d;
  d.shader = Shader::k_reduce;
  d.wide = x.wide;
  const uint32_t outputs = across ? std::min(threads, count >= 4096 ? 32u : 8u) : 1;
  d.constants = {threads, kind, outputs};
  d.push.all_of(count, length);
  d.push.add_last(kept, 3, 1);
  d.push.add_last(kept_strides, 3, 0);
  d.push.add_last(gone, 3, 1);
  d.push.add_last(gone_strides, 3, 0);
  d.push.all_of(x.at, y.at, correction);
  d.reads[0] = x.memory;
  d.write = y.memory;
  d.name = std::move(name);
  d.node = node;
  d.workgroups = g.spread(kernels::ceil_div(count, outputs));
  g.add(std::move(d));
}

namespace {

struct Reduction {
  uint32_t kind = 0;  // of shaders/reduce.comp
  IntVec over;        // none: all dims
  double correction = 0;
};

// Dims from a list, one number, or None.
bool read_dims(const TracedStep& step, size_t k, IntVec& out) {
  if (!plan::is_given(step, k)) return true;
  if (const std::optional<int64_t> one = plan::int_arg(step, k)) {
    out = {*one};
    return true;
  }
  if (step.args[k].kind != TracedValue::Kind::kStatic || !step.args[k].value.is_list()) return false;
  out = step.args[k].value.to_int_vec();
  return true;
}

// A dtype to compute in, which is float's where it is given.
bool keeps_dtype(const TracedStep& step, size_t k, bool of_floats) { return !of_floats || is_none_or_float(step, k); }

bool read_sum(const TracedStep& step, bool of_floats, Reduction& r) {
  const std::string_view overload = step.op->schema.overload;
  r.kind = step.op->schema.name == "aten::mean" ? 1 : 0;
  if (overload.empty()) return keeps_dtype(step, 1, of_floats);
  return (overload == "dim" || overload == "dim_IntList") && keeps_dtype(step, 3, of_floats) &&
         read_dims(step, 1, r.over);
}

// The largest or smallest, of truth values whether any or all are true; overloads that give no indices.
bool read_extreme(const TracedStep& step, bool of_floats, Reduction& r) {
  const std::string_view name = step.op->schema.name, overload = step.op->schema.overload;
  r.kind = name == "aten::amax" || name == "aten::max" || name == "aten::any" ? 2 : 3;
  if (name == "aten::amax" || name == "aten::amin") return overload.empty() && read_dims(step, 1, r.over);
  if (name == "aten::max" || name == "aten::min") return overload.empty() && step.args.size() == 1;
  return !of_floats && (overload.empty() || (overload == "dim" && read_dims(step, 1, r.over)));
}

bool read_product(const TracedStep& step, Reduction& r) {
  const std::string_view overload = step.op->schema.overload;
  r.kind = 4;
  if (overload.empty()) return is_none_or_float(step, 1);
  return overload == "dim_int" && is_none_or_float(step, 3) && read_dims(step, 1, r.over);
}

bool read_variance(const TracedStep& step, Reduction& r) {
  const std::string_view overload = step.op->schema.overload;
  r.kind = step.op->schema.name == "aten::var" ? 6 : 7;
  r.correction = 1;
  if (overload.empty()) {
    r.correction = plan::bool_arg(step, 1) ? 1 : 0;
    return true;
  }
  if (!read_dims(step, 1, r.over)) return false;
  if (overload == "dim") r.correction = plan::bool_arg(step, 2) ? 1 : 0;
  if (overload == "correction" && plan::is_given(step, 2)) {
    const std::optional<double> given = plan::number_arg(step, 2);
    if (!given) return false;
    r.correction = *given;
  }
  return overload == "dim" || overload == "correction";
}

// Of the second degree.
bool read_vector_norm(const TracedStep& step, Reduction& r) {
  const std::string_view name = step.op->schema.name, overload = step.op->schema.overload;
  r.kind = 5;
  if (name == "aten::frobenius_norm") return overload.empty() || read_dims(step, 1, r.over);
  const bool is_vector = name == "aten::linalg_vector_norm";
  if (!is_vector && overload != "Scalar" && overload != "ScalarOpt_dim") return false;
  if (plan::is_given(step, 1) && plan::number_arg(step, 1) != 2.0) return false;
  if (is_vector && !is_none_or_float(step, 4)) return false;
  return overload == "Scalar" || read_dims(step, 2, r.over);
}

bool read_reduction(const TracedStep& step, bool of_floats, Reduction& r) {
  const std::string_view name = step.op->schema.name;
  if (name == "aten::sum" || (name == "aten::mean" && of_floats)) return read_sum(step, of_floats, r);
  for (const std::string_view extreme :
       {"aten::amax", "aten::amin", "aten::max", "aten::min", "aten::any", "aten::all"}) {
    if (name == extreme) return read_extreme(step, of_floats, r);
  }
  if (!of_floats) return false;
  if (name == "aten::prod") return read_product(step, r);
  if (name == "aten::var" || name == "aten::std") return read_variance(step, r);
  const bool is_norm = name == "aten::norm" || name == "aten::linalg_vector_norm" || name == "aten::frobenius_norm";
  return is_norm && read_vector_norm(step, r);
}

// A pool to one pixel is a mean.
bool is_mean_of_image(const plan::Builder& b, const TracedStep& step, TensorId from, TensorId result) {
  const IntVec& out = b.tensor(result).sizes;
  return step.op->schema.name == "aten::adaptive_avg_pool2d" && b.is_float(from) && b.tensor(from).sizes.size() == 4 &&
         out.size() == 4 && out[2] * out[3] == 1;
}

// The dtype that a reduction gives on the GPU: of floats floats, of integers and truth values sums are integers.
bool gives_dtype(std::string_view name, DType given, bool sums, DType wanted) {
  if (given != DType::kBool && (name == "aten::any" || name == "aten::all")) return false;
  if (given == DType::kFloat) return wanted == DType::kFloat;
  return wanted == (sums ? DType::kLong : given);
}

}  // namespace

bool lower_reduce(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const TensorId from = plan::tensor_arg(step, 0), result = b.result(s);
  if (from == kNoTensor || result == kNoTensor || !b.can_define_plain(result)) return false;
  const IntVec& in = b.tensor(from).sizes;
  const DType given = b.tensor(from).dtype, wanted = b.tensor(result).dtype;
  Reduction r;
  const std::string_view name = step.op->schema.name;
  if (is_mean_of_image(b, step, from, result)) {
    r.kind = 1;
    r.over = {2, 3};
  } else if (!read_reduction(step, given == DType::kFloat, r)) {
    return false;
  }
  const bool sums = r.kind < 2;
  if (!gives_dtype(name, given, sums, wanted)) return false;
  std::vector<bool> reduced(in.size(), r.over.empty());
  for (int64_t d : r.over) {
    const std::optional<size_t> at = dim_index(d, in.size());
    if (!at) return false;
    reduced[*at] = true;
  }
  Value x = g.value(from);
  const bool whole = is_integer(wanted);
  if (whole) x = g.widened(x, step.node);
  Value y = g.make(b.tensor(result).sizes, dense_strides(b.tensor(result).sizes), whole);
  if (whole) {
    const int64_t terms = sums ? checked_numel(in) / checked_numel(y.sizes) : 1;
    y.low = (given == DType::kBool ? 0 : x.low) * terms;
    y.high = (given == DType::kBool ? 1 : x.high) * terms;
    if (y.low < -kLargestInteger || y.high > kLargestInteger) return false;
  }
  add_reduce(g, x, reduced, r.kind, r.correction, y, step.node, std::string(name.substr(6)));
  g.set(result, y);
  return true;
}

namespace {

// As a line of all elements in their order.
Value flattened(Lowering& g, Value x, const ir::Node* node) {
  const IntVec flat{checked_numel(x.sizes)};
  std::optional<IntVec> strides = reshaped_strides(x.sizes, x.strides, flat);
  if (!strides) {
    x = g.copied(x, dense_strides(x.sizes), node);
    strides = IntVec{1};
  }
  x.sizes = flat;
  x.strides = *strides;
  return x;
}

void add_arg_reduce(Lowering& g, const Value& x, size_t dim, bool largest, const Value& y, const TracedStep& step) {
  const Lines lines = lines_across(dim, x, x);
  const int64_t length = x.sizes[dim], rows = checked_numel(lines.sizes);
  Dispatch d;
  d.shader = Shader::k_arg_reduce;
  d.constants = {g.threads_up_to(std::clamp<int64_t>(length, 32, 256)), largest};
  d.push.all_of(rows, length);
  d.push.add_last(lines.sizes, 3, 1);
  d.push.add_last(lines.from, 3, 0);
  d.push.all_of(x.at, x.strides[dim]);
  d.reads[0] = x.memory;
  d.write = y.memory;
  d.name = step.op->schema.name.substr(6);
  d.node = step.node;
  d.workgroups = g.spread(rows);
  g.add(std::move(d));
}

}  // namespace

// Where the extreme of a dim, or of all elements, is; and the extreme itself.
bool lower_arg_reduce(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const std::string_view name = step.op->schema.name, overload = step.op->schema.overload;
  const bool place = (name == "aten::argmax" || name == "aten::argmin") && overload.empty();
  const bool both = (name == "aten::max" || name == "aten::min") && overload == "dim" && step.outs.size() == 2;
  const TensorId from = plan::tensor_arg(step, 0);
  if ((!place && !both) || from == kNoTensor || !b.is_float(from)) return false;
  const bool largest = name == "aten::argmax" || name == "aten::max";
  TensorId ids[2] = {kNoTensor, kNoTensor};  // values, indices
  for (size_t k = 0; k < step.outs.size(); ++k) {
    const size_t at = place ? 1 : k;
    if (step.outs[k].kind == TracedValue::Kind::kTensor) ids[at] = step.outs[k].ids[0];
    if (ids[at] != kNoTensor && !b.can_define_plain(ids[at])) return false;
  }
  Value x = g.value(from);
  int64_t dim = 0;
  if (!plan::is_given(step, 1)) {
    x = flattened(g, x, step.node);
  } else if (const std::optional<int64_t> given = plan::int_arg(step, 1)) {
    dim = *given;
  } else {
    return false;
  }
  if (x.sizes.empty()) {
    x.sizes = {1};
    x.strides = {1};
  }
  const std::optional<size_t> at = dim_index(dim, x.sizes.size());
  if (!at || x.sizes[*at] >= kLargestInteger) return false;
  if (ids[1] != kNoTensor) {
    Value y = g.make(b.tensor(ids[1]).sizes, dense_strides(b.tensor(ids[1]).sizes), true);
    y.low = 0;
    y.high = x.sizes[*at] - 1;
    add_arg_reduce(g, x, *at, largest, y, step);
    g.set(ids[1], y);
  }
  if (ids[0] != kNoTensor) {
    std::vector<bool> reduced(x.sizes.size());
    reduced[*at] = true;
    const Value y = g.make_dense(b.tensor(ids[0]).sizes);
    add_reduce(g, x, reduced, largest ? 2 : 3, 0, y, step.node, std::string(name.substr(6)));
    g.set(ids[0], y);
  }
  return true;
}

// Running sums and products.
bool lower_scan(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const std::string_view name = step.op->schema.name;
  const TensorId from = plan::tensor_arg(step, 0), result = b.result(s);
  if ((name != "aten::cumsum" && name != "aten::cumprod") || from == kNoTensor || result == kNoTensor ||
      !b.can_define_plain(result)) {
    return false;
  }
  const bool product = name == "aten::cumprod", whole = !b.is_float(from);
  const DType wanted = b.tensor(result).dtype;
  if (whole ? wanted != DType::kLong || product : wanted != DType::kFloat) return false;
  Value x = g.value(from);
  if (whole) x = g.widened(x, step.node);
  const std::optional<int64_t> dim = plan::int_arg(step, 1);
  const std::optional<size_t> found = dim ? dim_index(*dim, x.sizes.size()) : std::nullopt;
  if (!found) return false;
  const size_t at = *found;
  const int64_t length = x.sizes[at], rows = checked_numel(x.sizes) / length;
  Value y = g.make(x.sizes, strides_in_order(x.sizes, x.strides), whole);
  if (whole) {
    const bool flags = b.tensor(from).dtype == DType::kBool;
    y.low = std::min<int64_t>(0, flags ? 0 : x.low * length);
    y.high = std::max<int64_t>(0, flags ? length : x.high * length);
    if (y.low < -kLargestInteger || y.high > kLargestInteger) return false;
  }
  const Lines lines = lines_across(at, x, y);
  Dispatch d;
  d.shader = Shader::k_scan;
  d.wide = whole;
  d.constants = {g.threads_up_to(std::clamp<int64_t>(length / 4, 16, 256)), product};
  d.push.all_of(rows, length);
  d.push.add_last(lines.sizes, 3, 1);
  d.push.add_last(lines.from, 3, 0);
  d.push.add_last(lines.to, 3, 0);
  d.push.all_of(x.at, x.strides[at], y.at, y.strides[at]);
  d.reads[0] = x.memory;
  d.write = y.memory;
  d.name = std::string(name.substr(6));
  d.node = step.node;
  d.workgroups = g.spread(rows);
  g.add(std::move(d));
  g.set(result, y);
  return true;
}

}  // namespace wick::gpu
