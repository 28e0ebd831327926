// The tables of patterns and fusions. A selective build's tables hold those alone whose operators are in the build, so
// that the linker drops the others: this is where the planner asks what is selected.
#include "plan/patterns/patterns.h"

#include <algorithm>
#include <array>

#include "kernels/selected.h"
#include "plan/patterns/reductions.h"
#include "plan/patterns/selected_floats.h"
#include "plan/steps/linear_step.h"

namespace wick::plan {
namespace {

// A line of a table, and whether it is in the build.
template <class Row>
struct Line {
  bool is_selected;
  Row row;
};

// The selected rows of `lines`, a constexpr function that returns an array of lines.
template <class Row, auto lines>
consteval auto selected() {
  constexpr auto kLines = lines();
  constexpr auto kCount =
      std::count_if(kLines.begin(), kLines.end(), [](const auto& line) { return line.is_selected; });
  std::array<Row, static_cast<size_t>(kCount)> rows{};
  size_t next = 0;
  for (const auto& line : kLines) {
    if (line.is_selected) rows[next++] = line.row;
  }
  return rows;
}

constexpr bool kHasConv =
    selects_any_op("aten::conv2d", "aten::conv1d", "aten::conv_transpose2d", "aten::conv_transpose1d",
                   "aten::_convolution", "aten::convolution", "prepacked::conv2d_clamp_run");
constexpr bool kHasQuantized = selects_namespace("quantized::") || selects_op("aten::quantize_per_tensor");
constexpr bool kHasSoftmax = selects_any_op("aten::softmax", "aten::_softmax");
constexpr bool kHasAttention =
    (kHasSoftmax && selects_any_op("aten::matmul", "aten::bmm", "aten::baddbmm")) ||
    selects_any_op("aten::scaled_dot_product_attention", "aten::_scaled_dot_product_attention",
                   "aten::_scaled_dot_product_attention_forward", "aten::_scaled_dot_product_attention_math",
                   "aten::_scaled_dot_product_flash_attention_for_cpu");
constexpr bool kHasPool = selects_floats_of("aten::max_pool2d") || selects_floats_of("aten::avg_pool2d") ||
                          selects_floats_of("aten::adaptive_avg_pool2d") || selects_floats_of("aten::mean");
constexpr bool kHasReduce = std::ranges::any_of(kReductions, build::has_op);

constexpr auto pattern_lines() {
  return std::to_array<Line<Pattern>>({
      {kHasQuantized, {"quantized", build_quantized}},
      {kHasConv, {"conv", build_conv}},
      {kHasLinear, {"linear", build_linear}},
      {kHasAttention, {"attention", build_attention}},
      {selects_any_op("aten::_native_multi_head_attention", "aten::_transformer_encoder_layer_fwd"),
       {"transformer", build_transformer}},
      {kHasSoftmax || selects_any_op("aten::layer_norm", "aten::embedding"), {"rows", build_rows}},
      {selects_any_op("aten::group_norm", "aten::instance_norm"), {"norm", build_norm}},
      {selects_any_op("aten::lstm", "aten::gru", "aten::rnn_tanh", "aten::rnn_relu"), {"rnn", build_rnn}},
      {kHasPool, {"pool", build_pool}},
      {selects_any_op("aten::upsample_nearest2d", "aten::_upsample_nearest_exact2d", "aten::upsample_bilinear2d",
                      "aten::upsample_bicubic2d"),
       {"resize", build_resize}},
      {selects_op("aten::pixel_shuffle"), {"shuffle", build_shuffle}},
      {selects_op("aten::argmax"), {"argmax", build_argmax}},
      {kHasReduce, {"reduce", build_reduce}},
      {selects_any_op("aten::batch_norm", "aten::prelu"), {"image", build_image}},
      {selects_op("aten::cat"), {"join", build_join}},
      {kHasPointwise, {"pointwise", build_pointwise}},
      {kHasHalf, {"cast", build_cast}},
  });
}

constexpr auto fusion_lines() {
  return std::to_array<Line<Fusion>>({
      {kHasConv && kHasPointwise && selects_step("scale"), {"scalings", false, fuse_scalings}},
      {kHasConv && kHasPool && selects_step("pooled"), {"pools", true, fuse_pools}},
      // Lists that older versions wrote say "band".
      {kHasConv && (selects_step("row_tiles") || selects_step("band")), {"row tiles", true, fuse_row_tiles}},
      {kHasConv && kHasPool && build::kMeans, {"means", true, fuse_means}},
  });
}

constexpr auto kPatterns = selected<Pattern, pattern_lines>();
constexpr auto kFusions = selected<Fusion, fusion_lines>();

}  // namespace

std::span<const Pattern> patterns() { return kPatterns; }
std::span<const Fusion> fusions() { return kFusions; }

}  // namespace wick::plan
