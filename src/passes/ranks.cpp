#include "passes/ranks.h"

#include <algorithm>

#include "passes/rewriter.h"

namespace wick::passes {

namespace {

// Results have as many dimensions as the first argument.
constexpr std::string_view kKeepRank[] = {"aten::relu",
                                          "aten::relu_",
                                          "aten::relu6",
                                          "aten::hardtanh",
                                          "aten::hardtanh_",
                                          "aten::clamp",
                                          "aten::dropout",
                                          "aten::sigmoid",
                                          "aten::hardsigmoid",
                                          "aten::tanh",
                                          "aten::gelu",
                                          "aten::hardswish",
                                          "aten::hardswish_",
                                          "aten::silu",
                                          "aten::silu_",
                                          "aten::leaky_relu",
                                          "aten::leaky_relu_",
                                          "aten::elu",
                                          "aten::prelu",
                                          "aten::softplus",
                                          "aten::mish",
                                          "aten::abs",
                                          "aten::neg",
                                          "aten::exp",
                                          "aten::softmax",
                                          "aten::log_softmax",
                                          "aten::batch_norm",
                                          "aten::instance_norm",
                                          "aten::group_norm",
                                          "aten::layer_norm",
                                          "aten::linear",
                                          "prepacked::linear_clamp_run",
                                          "aten::max_pool1d",
                                          "aten::max_pool2d",
                                          "aten::avg_pool2d",
                                          "aten::adaptive_avg_pool2d",
                                          "aten::upsample_nearest2d",
                                          "aten::upsample_bilinear2d",
                                          "aten::constant_pad_nd",
                                          "aten::pad",
                                          "aten::slice",
                                          "aten::contiguous",
                                          "aten::clone",
                                          "aten::detach"};

std::optional<int64_t> find_rank(const ir::Value* value, int depth) {
  constexpr int kMaxDepth = 200;
  if (depth > kMaxDepth) return std::nullopt;
  if (const Tensor* tensor = known_tensor(value)) return tensor->dim();
  const ir::Node* node = value->def;
  if (!node) return std::nullopt;
  if (keeps_rank(*node)) return find_rank(node->inputs[0], depth + 1);
  if (is_op(node, {"aten::flatten"}) && node->inputs.size() == 3) {
    if (known_int(node->inputs[1]) == 1 && known_int(node->inputs[2]) == -1) return 2;
    return std::nullopt;
  }
  if (is_op(node, {"aten::view", "aten::reshape"}) && node->inputs.size() == 2) {
    if (const std::optional<IntVec> sizes = known_ints(node->inputs[1])) return static_cast<int64_t>(sizes->size());
    const ir::Node* made = node->inputs[1]->def;
    if (made && made->kind == ir::NodeKind::kListConstruct && node->inputs[1]->users.size() == 1) {
      return static_cast<int64_t>(made->inputs.size());
    }
  }
  return std::nullopt;
}

}  // namespace

bool keeps_rank(const ir::Node& node) {
  return std::any_of(std::begin(kKeepRank), std::end(kKeepRank), [&](std::string_view n) { return is_op(&node, n); });
}

std::optional<int64_t> rank_of(const ir::Value* value) { return find_rank(value, 0); }

}  // namespace wick::passes
