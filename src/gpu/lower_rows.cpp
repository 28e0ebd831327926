// Softmax, normalization and reductions.
#include <algorithm>

#include "gpu/lowering.h"
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
  const int64_t own = (length + threads - 1) / threads;
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
  IntVec sizes, from, to;
  for (size_t d = 0; d < x.sizes.size(); ++d) {
    if (d == dim) continue;
    sizes.push_back(x.sizes[d]);
    from.push_back(x.strides[d]);
    to.push_back(y.strides[d]);
  }
  const int64_t length = x.sizes[dim], rows = checked_numel(x.sizes) / length;
  coalesce(sizes, {&from, &to});
  if (sizes.size() > 3) throw Declined();
  Dispatch d;
  d.shader = Shader::k_softmax;
  const bool log = kind == Softmax::kLog;
  d.constants = {g.threads_up_to(std::clamp<int64_t>(length, 32, 256)), log, kind == Softmax::kSafe};
  d.push.all_of(rows, length);
  d.push.add_last(sizes, 3, 1);
  d.push.add_last(from, 3, 0);
  d.push.add_last(to, 3, 0);
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
  const auto dims = static_cast<int64_t>(x.sizes.size());
  const int64_t at = *dim < 0 ? *dim + dims : *dim;
  if (at < 0 || at >= dims) return false;
  const Value y = g.make(x.sizes, strides_in_order(x.sizes, x.strides));
  add_softmax(g, x, y, static_cast<size_t>(at), log ? Softmax::kLog : Softmax::kPlain, step.node);
  g.set(result, y);
  return true;
}

bool lower_norm(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const std::string_view name = step.op->schema.name;
  const TensorId from = plan::tensor_arg(step, 0), result = b.result(s);
  if (from == kNoTensor || result == kNoTensor || !b.can_define_plain(result)) return false;
  Tensor weight, bias;
  if (name == "aten::layer_norm" && step.args.size() >= 5) {
    if (!step.args[1].value.is_list() || !plan::read_constant(b, step.args[2], weight) ||
        !plan::read_constant(b, step.args[3], bias)) {
      return false;
    }
    Value x = g.value(from);
    const int64_t length = checked_numel(step.args[1].value.to_int_vec());
    const int64_t rows = checked_numel(x.sizes) / length;
    if ((weight.defined() && weight.numel() != length) || (bias.defined() && bias.numel() != length)) return false;
    std::optional<IntVec> strides = reshaped_strides(x.sizes, x.strides, {rows, length});
    if (!strides) {
      x = g.copied(x, dense_strides(x.sizes), step.node);
      strides = IntVec{length, 1};
    }
    const Value y = g.make_dense(x.sizes);
    add_norm(g, {rows, 1, length, 1}, x, y, {(*strides)[0], (*strides)[1], 0}, {length, 1, 0}, weight, bias,
             plan::number_arg(step, 4).value_or(1e-5), true, step.node, "layer_norm");
    g.set(result, y);
    return true;
  }
  // Images: groups of channels.
  int64_t groups = 0;
  double epsilon = 1e-5;
  if (name == "aten::group_norm" && step.args.size() >= 5) {
    groups = plan::int_arg(step, 1).value_or(0);
    if (!plan::read_constant(b, step.args[2], weight) || !plan::read_constant(b, step.args[3], bias)) return false;
    epsilon = plan::number_arg(step, 4).value_or(1e-5);
  } else if (name == "aten::instance_norm" && step.args.size() >= 8) {
    if (!plan::read_constant(b, step.args[1], weight) || !plan::read_constant(b, step.args[2], bias) ||
        !plan::bool_arg(step, 5)) {
      return false;
    }
    epsilon = plan::number_arg(step, 7).value_or(1e-5);
    groups = b.tensor(from).sizes.size() > 1 ? b.tensor(from).sizes[1] : 0;
  } else {
    return false;
  }
  Value x = g.value(from);
  if (x.sizes.size() < 2 || groups < 1 || x.sizes[1] % groups != 0) return false;
  const int64_t channels = x.sizes[1], pixels = checked_numel(x.sizes) / x.sizes[0] / channels;
  if ((weight.defined() && weight.numel() != channels) || (bias.defined() && bias.numel() != channels)) return false;
  const IntVec as{x.sizes[0], channels, pixels};
  const auto in_three = [&](const Value& v) -> std::optional<IntVec> {
    IntVec sizes, strides;
    for (size_t d = 2; d < v.sizes.size(); ++d) {
      sizes.push_back(v.sizes[d]);
      strides.push_back(v.strides[d]);
    }
    const std::optional<IntVec> one = reshaped_strides(sizes, strides, {pixels});
    if (!one) return std::nullopt;
    return IntVec{v.strides[0], v.strides[1], (*one)[0]};
  };
  std::optional<IntVec> strides = in_three(x);
  if (!strides) {
    x = g.copied(x, dense_strides(x.sizes), step.node);
    strides = in_three(x);
  }
  const Value y = g.make(x.sizes, strides_in_order(x.sizes, x.strides));
  const std::optional<IntVec> to = in_three(y);
  if (!strides || !to) return false;
  add_norm(g, {as[0] * groups, groups, channels / groups, pixels}, x, y, *strides, *to, weight, bias, epsilon,
           (*strides)[1] == 1, step.node, std::string(name.substr(6)));
  g.set(result, y);
  return true;
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
  d.workgroups = g.spread((count + outputs - 1) / outputs);
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

bool read_reduction(const TracedStep& step, bool of_floats, Reduction& r) {
  const std::string_view name = step.op->schema.name, overload = step.op->schema.overload;
  const auto no_dtype = [&](size_t k) { return !of_floats || is_none_or_float(step, k); };
  if (name == "aten::sum" || (name == "aten::mean" && of_floats)) {
    r.kind = name == "aten::mean" ? 1 : 0;
    if (overload.empty()) return no_dtype(1);
    return (overload == "dim" || overload == "dim_IntList") && no_dtype(3) && read_dims(step, 1, r.over);
  }
  if ((name == "aten::amax" || name == "aten::amin") && overload.empty()) {
    r.kind = name == "aten::amax" ? 2 : 3;
    return read_dims(step, 1, r.over);
  }
  if ((name == "aten::max" || name == "aten::min") && overload.empty() && step.args.size() == 1) {
    r.kind = name == "aten::max" ? 2 : 3;
    return true;
  }
  if ((name == "aten::any" || name == "aten::all") && !of_floats) {
    r.kind = name == "aten::any" ? 2 : 3;
    return overload.empty() || (overload == "dim" && read_dims(step, 1, r.over));
  }
  if (!of_floats) return false;
  if (name == "aten::prod") {
    r.kind = 4;
    return overload.empty() ? no_dtype(1) : overload == "dim_int" && no_dtype(3) && read_dims(step, 1, r.over);
  }
  if (name == "aten::var" || name == "aten::std") {
    r.kind = name == "aten::var" ? 6 : 7;
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
  if (name == "aten::norm" || name == "aten::linalg_vector_norm") {
    const bool is_vector = name == "aten::linalg_vector_norm";
    if (!is_vector && overload != "Scalar" && overload != "ScalarOpt_dim") return false;
    if (plan::is_given(step, 1) && plan::number_arg(step, 1) != 2.0) return false;
    if (is_vector && !no_dtype(4)) return false;
    r.kind = 5;
    return overload == "Scalar" || read_dims(step, 2, r.over);
  }
  if (name == "aten::frobenius_norm") {
    r.kind = 5;
    return overload.empty() || read_dims(step, 1, r.over);
  }
  return false;
}

}  // namespace

bool lower_reduce(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const TensorId from = plan::tensor_arg(step, 0), result = b.result(s);
  if (from == kNoTensor || result == kNoTensor || !b.can_define_plain(result)) return false;
  const IntVec& in = b.tensor(from).sizes;
  const auto dims = static_cast<int64_t>(in.size());
  const DType given = b.tensor(from).dtype, wanted = b.tensor(result).dtype;
  Reduction r;
  const std::string_view name = step.op->schema.name;
  if (name == "aten::adaptive_avg_pool2d" && given == DType::kFloat && dims == 4 &&
      b.tensor(result).sizes.size() == 4 && b.tensor(result).sizes[2] * b.tensor(result).sizes[3] == 1) {
    r.kind = 1;
    r.over = {2, 3};
  } else if (!read_reduction(step, given == DType::kFloat, r)) {
    return false;
  }
  const bool sums = r.kind < 2;
  if (given == DType::kFloat ? wanted != DType::kFloat : sums ? wanted != DType::kLong : wanted != given) {
    return false;
  }
  if (given != DType::kBool && (name == "aten::any" || name == "aten::all")) return false;
  std::vector<bool> reduced(in.size(), r.over.empty());
  for (int64_t d : r.over) {
    if (d < -dims || d >= dims) return false;
    reduced[static_cast<size_t>(d < 0 ? d + dims : d)] = true;
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
  std::optional<int64_t> dim;
  if (plan::is_given(step, 1)) {
    dim = plan::int_arg(step, 1);
    if (!dim) return false;
  }
  if (!dim) {
    // Of all elements in their order.
    const IntVec flat{checked_numel(x.sizes)};
    std::optional<IntVec> strides = reshaped_strides(x.sizes, x.strides, flat);
    if (!strides) {
      x = g.copied(x, dense_strides(x.sizes), step.node);
      strides = IntVec{1};
    }
    x.sizes = flat;
    x.strides = *strides;
    dim = 0;
  }
  if (x.sizes.empty()) {
    x.sizes = {1};
    x.strides = {1};
  }
  const auto dims = static_cast<int64_t>(x.sizes.size());
  const int64_t at = *dim < 0 ? *dim + dims : *dim;
  if (at < 0 || at >= dims) return false;
  const int64_t length = x.sizes[static_cast<size_t>(at)];
  if (length >= kLargestInteger) return false;
  if (ids[1] != kNoTensor) {
    IntVec sizes, strides;
    for (size_t d = 0; d < x.sizes.size(); ++d) {
      if (static_cast<int64_t>(d) == at) continue;
      sizes.push_back(x.sizes[d]);
      strides.push_back(x.strides[d]);
    }
    coalesce(sizes, {&strides});
    if (sizes.size() > 3) return false;
    Value y = g.make(b.tensor(ids[1]).sizes, dense_strides(b.tensor(ids[1]).sizes), true);
    y.low = 0;
    y.high = length - 1;
    Dispatch d;
    d.shader = Shader::k_arg_reduce;
    d.constants = {g.threads_up_to(std::clamp<int64_t>(length, 32, 256)), largest};
    const int64_t rows = checked_numel(sizes);
    d.push.all_of(rows, length);
    d.push.add_last(sizes, 3, 1);
    d.push.add_last(strides, 3, 0);
    d.push.all_of(x.at, x.strides[static_cast<size_t>(at)]);
    d.reads[0] = x.memory;
    d.write = y.memory;
    d.name = std::string(name.substr(6));
    d.node = step.node;
    d.workgroups = g.spread(rows);
    g.add(std::move(d));
    g.set(ids[1], y);
  }
  if (ids[0] != kNoTensor) {
    std::vector<bool> reduced(x.sizes.size());
    reduced[static_cast<size_t>(at)] = true;
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
  const auto dims = static_cast<int64_t>(x.sizes.size());
  const std::optional<int64_t> dim = plan::int_arg(step, 1);
  if (!dim) return false;
  const int64_t signed_at = *dim < 0 ? *dim + dims : *dim;
  if (signed_at < 0 || signed_at >= dims) return false;
  const auto at = static_cast<size_t>(signed_at);
  const int64_t length = x.sizes[at], rows = checked_numel(x.sizes) / length;
  Value y = g.make(x.sizes, strides_in_order(x.sizes, x.strides), whole);
  if (whole) {
    const bool flags = b.tensor(from).dtype == DType::kBool;
    y.low = std::min<int64_t>(0, flags ? 0 : x.low * length);
    y.high = std::max<int64_t>(0, flags ? length : x.high * length);
    if (y.low < -kLargestInteger || y.high > kLargestInteger) return false;
  }
  IntVec sizes, from_strides, to_strides;
  for (size_t d = 0; d < x.sizes.size(); ++d) {
    if (d == at) continue;
    sizes.push_back(x.sizes[d]);
    from_strides.push_back(x.strides[d]);
    to_strides.push_back(y.strides[d]);
  }
  coalesce(sizes, {&from_strides, &to_strides});
  if (sizes.size() > 3) return false;
  Dispatch d;
  d.shader = Shader::k_scan;
  d.wide = whole;
  d.constants = {g.threads_up_to(std::clamp<int64_t>(length / 4, 16, 256)), product};
  d.push.all_of(rows, length);
  d.push.add_last(sizes, 3, 1);
  d.push.add_last(from_strides, 3, 0);
  d.push.add_last(to_strides, 3, 0);
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
