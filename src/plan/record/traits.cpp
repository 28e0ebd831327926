#include "plan/record/traits.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/selection.h"

namespace wick::plan {
namespace {

template <const auto& kList>
consteval size_t count_selected() {
  size_t count = 0;
  for (std::string_view name : kList) count += selects_op(name);
  return count;
}
template <const auto& kList>
consteval auto selected_names() {
  std::array<std::string_view, count_selected<kList>()> out;
  size_t at = 0;
  for (std::string_view name : kList) {
    if (selects_op(name)) out[at++] = name;
  }
  return out;
}
// Whether a list has the name of an operator of this build. Others are never asked for, and not stored.
template <const auto& kList>
bool lists(std::string_view name) {
  static constexpr auto kNames = selected_names<kList>();
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// The same of words: whether the name has one of those that any name of this build has.
consteval bool is_part(std::string_view word) {
  if (selection::kAllOps) return true;
  for (std::string_view name : selection::kOps) {
    if (name.find(word) != name.npos) return true;
  }
  return false;
}
template <const auto& kWords>
consteval size_t count_parts() {
  size_t count = 0;
  for (std::string_view word : kWords) count += is_part(word);
  return count;
}
template <const auto& kWords>
consteval auto selected_parts() {
  std::array<std::string_view, count_parts<kWords>()> out;
  size_t at = 0;
  for (std::string_view word : kWords) {
    if (is_part(word)) out[at++] = word;
  }
  return out;
}
template <const auto& kWords>
bool has_part(std::string_view name) {
  static constexpr auto kParts = selected_parts<kWords>();
  return std::any_of(kParts.begin(), kParts.end(),
                     [name](std::string_view part) { return name.find(part) != name.npos; });
}

// Results that follow from dtype, sizes and strides.
constexpr std::string_view kShapeQuestions[] = {"aten::size",
                                                "aten::sym_size",
                                                "aten::dim",
                                                "aten::numel",
                                                "aten::len",
                                                "aten::stride",
                                                "aten::is_floating_point",
                                                "aten::is_complex",
                                                "aten::is_signed",
                                                "aten::is_contiguous",
                                                "aten::element_size",
                                                "aten::is_same_size",
                                                "aten::result_type",
                                                "aten::can_cast",
                                                "aten::ndimension",
                                                "prim::dtype",
                                                "prim::device",
                                                "prim::layout",
                                                "prim::shape",
                                                "prim::ndim",
                                                "prim::is_cuda",
                                                "prim::is_cpu",
                                                "prim::is_quantized",
                                                "prim::is_sparse",
                                                "prim::is_mkldnn",
                                                "prim::is_mps",
                                                "prim::is_vulkan",
                                                "prim::is_meta",
                                                "prim::itemsize",
                                                "prim::nbytes",
                                                "prim::is_nested",
                                                "prim::is_xpu",
                                                "prim::is_sparse_csr",
                                                "aten::__is__",
                                                "aten::__isnot__"};

// Shapes that depend on elements, handles that change their own shape, and a schema that hides a written argument.
constexpr std::string_view kUnplannable[] = {"quantized::relu6",
                                             "aten::nonzero",
                                             "aten::nonzero_numpy",
                                             "aten::argwhere",
                                             "aten::masked_select",
                                             "aten::unique",
                                             "aten::_unique",
                                             "aten::_unique2",
                                             "aten::unique_dim",
                                             "aten::unique_consecutive",
                                             "aten::unique_dim_consecutive",
                                             "aten::repeat_interleave",
                                             "aten::bincount",
                                             "aten::narrow",
                                             "aten::tensor_split",
                                             "aten::_reshape_from_tensor",
                                             "aten::_pack_padded_sequence",
                                             "aten::_pad_packed_sequence",
                                             "aten::one_hot",
                                             "aten::combinations",
                                             "aten::histogramdd",
                                             "aten::segment_reduce",
                                             "aten::_nested_tensor_from_mask",
                                             "aten::to_padded_tensor",
                                             "aten::nested_to_padded_tensor",
                                             "aten::resize_",
                                             "aten::resize_as_",
                                             "aten::resize",
                                             "aten::unsqueeze_",
                                             "aten::squeeze_",
                                             "aten::transpose_",
                                             "aten::swapaxes_",
                                             "aten::swapdims_",
                                             "aten::t_",
                                             "aten::as_strided_",
                                             "aten::set_",
                                             "aten::set_data",
                                             "aten::requires_grad_",
                                             "aten::detach_",
                                             "torchvision::nms"};

// Answers that change from run to run, or effects outside of tensors.
constexpr std::string_view kEffects[] = {"prim::RaiseException",
                                         "prim::Print",
                                         "prim::TimePoint",
                                         "aten::warn",
                                         "aten::manual_seed",
                                         "aten::seed",
                                         "aten::initial_seed",
                                         "aten::save",
                                         "aten::set_grad_enabled",
                                         "aten::_set_grad_enabled",
                                         "prim::id",
                                         "aten::hash",
                                         "prim::AddStatValue",
                                         "prim::rangelist",
                                         "aten::str",
                                         "aten::format",
                                         "prim::tolist",
                                         "aten::wait",
                                         "aten::percentFormat"};

bool mentions(const Type& type, TypeKind kind) {
  if (type.is(kind)) return true;
  return std::any_of(type.elements().begin(), type.elements().end(),
                     [kind](const TypePtr& e) { return mentions(*e, kind); });
}
bool any_mentions(const std::vector<Argument>& list, TypeKind kind) {
  return std::any_of(list.begin(), list.end(), [kind](const Argument& a) { return mentions(*a.type, kind); });
}

}  // namespace

OpClass class_of(const Operator& op) {
  const FunctionSchema& schema = op.schema;
  if (schema.is_vararg || schema.is_varret || lists<kEffects>(schema.name)) return OpClass::kBarrier;
  if (lists<kShapeQuestions>(schema.name)) return OpClass::kFixed;
  if (schema.name == "prim::TupleIndex") return OpClass::kContainer;
  if (any_mentions(schema.returns, TypeKind::kTensor)) {
    const bool all = std::all_of(schema.returns.begin(), schema.returns.end(),
                                 [](const Argument& r) { return mentions(*r.type, TypeKind::kTensor); });
    const bool known = schema.name.starts_with("aten::") || schema.name.starts_with("prepacked::") ||
                       schema.name.starts_with("torchvision::") || schema.name.starts_with("prim::") ||
                       schema.name.starts_with("quantized::");
    return all && known && !lists<kUnplannable>(schema.name) ? OpClass::kTensor : OpClass::kBarrier;
  }
  // Takes tensors and gives something else: a question about elements, or an effect.
  if (any_mentions(schema.arguments, TypeKind::kTensor)) return OpClass::kBarrier;
  const bool has_containers = any_mentions(schema.arguments, TypeKind::kVar) ||
                              any_mentions(schema.arguments, TypeKind::kList) ||
                              any_mentions(schema.arguments, TypeKind::kDict);
  if (has_containers) return OpClass::kContainer;
  for (const Argument& a : schema.arguments) {
    if (mentions(*a.type, TypeKind::kGenerator) || mentions(*a.type, TypeKind::kAny) ||
        mentions(*a.type, TypeKind::kClass)) {
      return OpClass::kBarrier;
    }
  }
  return OpClass::kFixed;
}

bool can_record(const ir::Node& node) {
  using ir::NodeKind;
  switch (node.kind) {
    case NodeKind::kTupleConstruct:
    case NodeKind::kTupleUnpack:
    case NodeKind::kTupleSlice:
    case NodeKind::kListConstruct:
    case NodeKind::kListUnpack:
    case NodeKind::kDictConstruct:
    case NodeKind::kIsInstance:
    case NodeKind::kUninitialized:
    case NodeKind::kGetAttr:
      return true;
    default:
      return false;
  }
}

bool depends_on_elements(const Operator& op, const IValue* const* args, size_t count) {
  const std::string_view name = op.schema.name;
  if (selects_any_op("aten::index", "aten::_unsafe_index") &&
      (name == "aten::index" || name == "aten::_unsafe_index")) {
    if (count < 2 || !args[1]->is_list()) return true;
    for (const IValue& index : args[1]->to_list().items) {
      if (index.is_tensor() &&
          (index.to_tensor().dtype() == DType::kBool || index.to_tensor().dtype() == DType::kByte)) {
        return true;
      }
    }
    return false;
  }
  // The form with one argument is nonzero.
  return selects_op("aten::where") && name == "aten::where" && count < 3;
}

bool reads_elements(const Operator& op) {
  static constexpr std::string_view kQuestions[] = {
      "aten::Int",           "aten::Float",          "aten::Bool",
      "aten::Complex",       "aten::item",           "aten::IntImplicit",
      "aten::FloatImplicit", "aten::ScalarImplicit", "aten::ComplexImplicit",
      "aten::is_nonzero",    "aten::equal",          "aten::_local_scalar_dense"};
  return lists<kQuestions>(op.schema.name);
}

bool makes_text(const Operator& op) {
  static constexpr std::string_view kTexts[] = {"aten::format", "aten::str", "aten::percentFormat"};
  return lists<kTexts>(op.schema.name);
}

bool is_function(const Operator& op) {
  for (const Argument& a : op.schema.arguments) {
    if (a.is_mutated || mentions(*a.type, TypeKind::kGenerator)) return false;
  }
  // Random, or uninitialized memory.
  static constexpr std::string_view kParts[] = {
      "rand",   "dropout",   "normal", "bernoulli", "multinomial", "poisson",   "rrelu",      "exponential",
      "cauchy", "geometric", "empty",  "binomial",  "gamma",       "dirichlet", "batch_norm", "instance_norm"};
  return !has_part<kParts>(op.schema.name);
}

bool is_function_call(const TracedStep& step) {
  // Attention is random when it drops weights.
  const std::vector<Argument>& arguments = step.op->schema.arguments;
  for (size_t i = 0; i < step.args.size() && i < arguments.size(); ++i) {
    const IValue& value = step.args[i].value;
    if (arguments[i].name == "dropout_p" && value.is_double() && value.to_double() > 0) return false;
  }
  if (is_function(*step.op)) return true;
  static constexpr std::string_view kDropouts[] = {"aten::dropout", "aten::feature_dropout", "aten::alpha_dropout",
                                                   "aten::feature_alpha_dropout"};
  return lists<kDropouts>(step.op->schema.name) && step.args.size() == 3 && step.args[2].value.is_bool() &&
         !step.args[2].value.to_bool();
}

bool may_skip_elements(const TracedStep& step) {
  static constexpr std::string_view kSkippable[] = {"aten::add",
                                                    "aten::add_",
                                                    "aten::sub",
                                                    "aten::sub_",
                                                    "aten::mul",
                                                    "aten::mul_",
                                                    "aten::div",
                                                    "aten::div_",
                                                    "aten::rsub",
                                                    "aten::addcmul",
                                                    "aten::addcdiv",
                                                    "aten::lerp",
                                                    "aten::maximum",
                                                    "aten::minimum",
                                                    "aten::where",
                                                    "aten::masked_fill",
                                                    "aten::masked_fill_",
                                                    "aten::copy_",
                                                    "aten::eq",
                                                    "aten::ne",
                                                    "aten::lt",
                                                    "aten::le",
                                                    "aten::gt",
                                                    "aten::ge",
                                                    "aten::logical_and",
                                                    "aten::logical_or",
                                                    "aten::logical_not",
                                                    "aten::neg",
                                                    "aten::abs",
                                                    "aten::exp",
                                                    "aten::expm1",
                                                    "aten::log",
                                                    "aten::log1p",
                                                    "aten::log2",
                                                    "aten::log10",
                                                    "aten::sqrt",
                                                    "aten::rsqrt",
                                                    "aten::pow",
                                                    "aten::square",
                                                    "aten::reciprocal",
                                                    "aten::sin",
                                                    "aten::cos",
                                                    "aten::tan",
                                                    "aten::atan",
                                                    "aten::atan2",
                                                    "aten::erf",
                                                    "aten::erfc",
                                                    "aten::floor",
                                                    "aten::ceil",
                                                    "aten::round",
                                                    "aten::trunc",
                                                    "aten::frac",
                                                    "aten::sign",
                                                    "aten::remainder",
                                                    "aten::floor_divide",
                                                    "aten::fmod",
                                                    "aten::isnan",
                                                    "aten::isinf",
                                                    "aten::sigmoid",
                                                    "aten::sigmoid_",
                                                    "aten::tanh",
                                                    "aten::tanh_",
                                                    "aten::relu",
                                                    "aten::relu_",
                                                    "aten::_add_relu",
                                                    "aten::_add_relu_",
                                                    "aten::relu6",
                                                    "aten::relu6_",
                                                    "aten::hardtanh",
                                                    "aten::hardtanh_",
                                                    "aten::hardswish",
                                                    "aten::hardswish_",
                                                    "aten::hardsigmoid",
                                                    "aten::hardsigmoid_",
                                                    "aten::hardshrink",
                                                    "aten::softshrink",
                                                    "aten::silu",
                                                    "aten::silu_",
                                                    "aten::gelu",
                                                    "aten::leaky_relu",
                                                    "aten::leaky_relu_",
                                                    "aten::elu",
                                                    "aten::elu_",
                                                    "aten::celu",
                                                    "aten::selu",
                                                    "aten::mish",
                                                    "aten::mish_",
                                                    "aten::softplus",
                                                    "aten::log_sigmoid",
                                                    "aten::prelu",
                                                    "aten::glu",
                                                    "aten::clamp",
                                                    "aten::clamp_",
                                                    "aten::clamp_min",
                                                    "aten::clamp_max",
                                                    "aten::conv1d",
                                                    "aten::conv2d",
                                                    "aten::conv3d",
                                                    "aten::conv_transpose1d",
                                                    "aten::conv_transpose2d",
                                                    "aten::conv_transpose3d",
                                                    "aten::_convolution",
                                                    "aten::convolution",
                                                    "aten::batch_norm",
                                                    "aten::layer_norm",
                                                    "aten::group_norm",
                                                    "aten::instance_norm",
                                                    "aten::linear",
                                                    "aten::matmul",
                                                    "aten::mm",
                                                    "aten::bmm",
                                                    "aten::mv",
                                                    "aten::addmm",
                                                    "aten::baddbmm",
                                                    "aten::einsum",
                                                    "aten::softmax",
                                                    "aten::_softmax",
                                                    "aten::log_softmax",
                                                    "aten::scaled_dot_product_attention",
                                                    "aten::_native_multi_head_attention",
                                                    "aten::_transformer_encoder_layer_fwd",
                                                    "aten::max_pool1d",
                                                    "aten::max_pool2d",
                                                    "aten::max_pool3d",
                                                    "aten::avg_pool1d",
                                                    "aten::avg_pool2d",
                                                    "aten::avg_pool3d",
                                                    "aten::adaptive_avg_pool1d",
                                                    "aten::adaptive_avg_pool2d",
                                                    "aten::adaptive_avg_pool3d",
                                                    "aten::adaptive_max_pool1d",
                                                    "aten::adaptive_max_pool2d",
                                                    "aten::adaptive_max_pool3d",
                                                    "aten::mean",
                                                    "aten::sum",
                                                    "aten::prod",
                                                    "aten::var",
                                                    "aten::std",
                                                    "aten::var_mean",
                                                    "aten::max",
                                                    "aten::min",
                                                    "aten::amax",
                                                    "aten::amin",
                                                    "aten::argmax",
                                                    "aten::argmin",
                                                    "aten::norm",
                                                    "aten::linalg_vector_norm",
                                                    "aten::logsumexp",
                                                    "aten::cumsum",
                                                    "aten::topk",
                                                    "aten::upsample_nearest1d",
                                                    "aten::upsample_nearest2d",
                                                    "aten::upsample_nearest3d",
                                                    "aten::upsample_linear1d",
                                                    "aten::upsample_bilinear2d",
                                                    "aten::upsample_bicubic2d",
                                                    "aten::upsample_trilinear3d",
                                                    "aten::grid_sampler",
                                                    "aten::pixel_shuffle",
                                                    "aten::pixel_unshuffle",
                                                    "aten::channel_shuffle",
                                                    "aten::cat",
                                                    "aten::stack",
                                                    "aten::contiguous",
                                                    "aten::clone",
                                                    "aten::to",
                                                    "aten::type_as",
                                                    "aten::detach",
                                                    "aten::reshape",
                                                    "aten::flatten",
                                                    "aten::view",
                                                    "aten::view_as",
                                                    "aten::permute",
                                                    "aten::movedim",
                                                    "aten::transpose",
                                                    "aten::t",
                                                    "aten::unsqueeze",
                                                    "aten::squeeze",
                                                    "aten::select",
                                                    "aten::slice",
                                                    "aten::expand",
                                                    "aten::expand_as",
                                                    "aten::repeat",
                                                    "aten::tile",
                                                    "aten::roll",
                                                    "aten::flip",
                                                    "aten::tril",
                                                    "aten::triu",
                                                    "aten::unfold",
                                                    "aten::im2col",
                                                    "aten::chunk",
                                                    "aten::split",
                                                    "aten::split_with_sizes",
                                                    "aten::unbind",
                                                    "aten::unflatten",
                                                    "aten::dropout",
                                                    "aten::feature_dropout",
                                                    "aten::lstm",
                                                    "aten::gru",
                                                    "aten::rnn_tanh",
                                                    "aten::rnn_relu",
                                                    "aten::lstm_cell",
                                                    "aten::gru_cell",
                                                    "aten::constant_pad_nd",
                                                    "aten::pad",
                                                    "aten::reflection_pad1d",
                                                    "aten::reflection_pad2d",
                                                    "aten::replication_pad1d",
                                                    "aten::replication_pad2d",
                                                    "prepacked::conv2d_clamp_run",
                                                    "prepacked::linear_clamp_run"};
  const std::string_view name = step.op->schema.name;
  if (!lists<kSkippable>(name)) return false;
  // A layer that drops values at random is no function.
  if (name.ends_with("dropout")) return is_function_call(step);
  const std::vector<Argument>& arguments = step.op->schema.arguments;
  for (size_t k = 0; k < step.args.size() && k < arguments.size(); ++k) {
    const std::string& argument = arguments[k].name;
    const IValue& value = step.args[k].value;
    if (argument == "train" && !(value.is_bool() && !value.to_bool())) return false;
    if (argument == "dropout_p" && !(value.is_double() && value.to_double() == 0)) return false;
  }
  return true;
}

bool has_hidden_effect(const Operator& op, const IValue* const* args, size_t count) {
  static constexpr std::string_view kNorms[] = {"batch_norm", "instance_norm"};
  if (!has_part<kNorms>(op.schema.name)) return false;
  for (size_t i = 0; i < count && i < op.schema.arguments.size(); ++i) {
    const std::string& argument = op.schema.arguments[i].name;
    // Statistics of the input alone are kept nowhere.
    if (argument == "running_var" && args[i]->is_none() && args[i - 1]->is_none()) return false;
    if ((argument == "training" || argument == "train" || argument == "use_input_stats") && args[i]->is_bool()) {
      return args[i]->to_bool();
    }
  }
  return false;
}

}  // namespace wick::plan
