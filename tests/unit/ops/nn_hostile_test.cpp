// Neural-network and quantization operators with arguments no sane model has.
#include "unit/ops/hostile.h"

namespace wick {
namespace {

using namespace hostile;

std::vector<Call> calls() {
  const DType i64 = DType::kLong;
  const IValue image = filled({2, 4, 7, 8}), line = filled({2, 4, 9}), volume = filled({2, 4, 3, 5, 4});
  const IValue matrix = filled({3, 4}), four = filled({4}), labels = filled({3}, i64), table = filled({7, 5});
  const IValue none, ones = ints({1, 1}), zeros = ints({0, 0}), two = ints({2, 2});
  auto scales = [](std::vector<double> v) { return IValue::double_list(v); };
  auto tensors = [](std::vector<Tensor> v) { return IValue::tensor_list(std::move(v)); };
  const std::vector<Tensor> weights{filled({24, 5}), filled({24, 6}), filled({24}), filled({24})};
  const IValue state = filled({1, 3, 6}), states = tensors({filled({1, 3, 6}), filled({1, 3, 6})});
  const IValue packed = filled({9, 5}), steps = Tensor::from_values<int64_t>({3, 3, 2, 1});
  const Tensor boxes = Tensor::from_values<float>({0, 1, 1, 5, 6, 1, 2, 0, 6, 3});
  const IValue rois = boxes.as_strided({2, 5}, {5, 1}, 0), quads = boxes.as_strided({2, 4}, {4, 1}, 0);
  const std::vector<Tensor> heads{filled({24, 8}), filled({24}), filled({8, 8}), filled({8})};
  return {
      {"aten::batch_norm", {image, four, four, four, four, false, 0.1, 1e-5, true}},
      {"aten::batch_norm", {image, four, four, four, four, true, 0.1, 1e-5, true}},
      {"aten::native_batch_norm", {image, four, four, none, none, true, 0.1, 1e-5}},
      {"aten::instance_norm", {image, four, four, four, four, true, 0.1, 1e-5, true}},
      {"aten::layer_norm", {matrix, ints({4}), four, four, 1e-5, true}},
      {"aten::rms_norm", {matrix, ints({4}), four, none}},
      {"aten::group_norm", {image, 2, four, four, 1e-5, true}},
      {"aten::native_group_norm", {image, four, four, 2, 4, 56, 2, 1e-5}},
      {"aten::_weight_norm", {matrix, filled({3, 1}), 0}},
      {"aten::renorm", {matrix, 2, 0, 1}},
      {"aten::softmax.int", {image, 1, none}},
      {"aten::log_softmax.int", {matrix, -1, none}},
      {"aten::lstm.input", {filled({2, 3, 5}), states, tensors(weights), true, 1, 0.0, false, false, false}},
      {"aten::lstm.data", {packed, steps, states, tensors(weights), true, 1, 0.0, false, false}},
      {"aten::gru.input",
       {filled({3, 2, 5}), state, tensors({filled({18, 5}), filled({18, 6})}), false, 1, 0.0, false, false, true}},
      {"aten::rnn_tanh.data",
       {packed, steps, state, tensors({filled({6, 5}), filled({6, 6})}), false, 1, 0.0, false, false}},
      {"aten::lstm_cell",
       {filled({3, 5}), tensors({filled({3, 6}), filled({3, 6})}), weights[0], weights[1], weights[2], weights[3]}},
      {"aten::_pack_padded_sequence", {filled({4, 3, 2}), Tensor::from_values<int64_t>({4, 2, 1}), false}},
      {"aten::_pad_packed_sequence", {packed, steps, true, 0, 0}},
      {"aten::embedding", {table, filled({2, 3}, i64), -1, false, false}},
      {"aten::embedding_renorm_", {filled({7, 5}), filled({2}, i64), 1.0, 2.0}},
      {"aten::embedding_bag.padding_idx",
       {table, filled({4}, i64), Tensor::from_values<int64_t>({0, 2}), false, 2, false, none, false, 1}},
      {"aten::one_hot", {filled({3}, i64), 4}},
      {"aten::upsample_nearest2d", {image, ints({3, 9}), none, none}},
      {"aten::upsample_nearest3d", {volume, ints({3, 9, 2}), none, 0.5, none}},
      {"aten::upsample_bilinear2d", {image, ints({3, 9}), true, none, 0.5}},
      {"aten::upsample_trilinear3d", {volume, ints({3, 9, 2}), false, none, none, none}},
      {"aten::upsample_bicubic2d.vec", {image, none, false, scales({0.5, 2.0})}},
      {"aten::_upsample_bilinear2d_aa", {image, ints({3, 4}), false, none, none}},
      {"aten::__interpolate.size_list", {image, ints({3, 4}), none, "area", none, none, false}},
      {"aten::constant_pad_nd", {image, ints({1, -1, 2, 0}), 1}},
      {"aten::reflection_pad2d", {image, ints({1, 2, 1, 1})}},
      {"aten::replication_pad3d", {volume, ints({1, 2, 1, 1, 0, 3})}},
      {"aten::_pad_circular", {image, ints({1, 2, 1, 1})}},
      {"aten::mse_loss", {matrix, matrix, 1}},
      {"aten::nll_loss", {matrix, labels, four, 1, -100}},
      {"aten::nll_loss2d", {image, filled({2, 7, 8}, i64), four, 0, -100}},
      {"aten::cross_entropy_loss", {image, filled({2, 7, 8}, i64), four, 1, -100, 0.1}},
      {"aten::cross_entropy_loss", {matrix, matrix, four, 0, -100, 0.1}},
      {"aten::multi_margin_loss", {matrix, labels, 1, 1, four, 0}},
      {"aten::multilabel_margin_loss", {matrix, filled({3, 4}, i64), 0}},
      {"aten::cosine_embedding_loss", {matrix, matrix, labels, 0.1, 0}},
      {"aten::triplet_margin_loss", {matrix, matrix, matrix, 1.0, 2.0, 1e-6, true, 0}},
      {"aten::ctc_loss.IntList", {filled({6, 2, 4}), filled({2, 3}, i64), ints({6, 5}), ints({3, 2}), 0, 1, false}},
      {"aten::_scaled_dot_product_attention", {line, line, line, none, 0.0, true, false}},
      {"aten::scaled_dot_product_attention", {image, image, image, none, 0.0, true, none, true}},
      {"aten::_native_multi_head_attention",
       {filled({2, 3, 8}), filled({2, 3, 8}), filled({2, 3, 8}), 8, 2, heads[0], heads[1], heads[2], heads[3], none,
        true, true, none}},
      {"aten::_masked_softmax", {image, filled({2, 4, 7, 8}, DType::kBool), -1, 2}},
      {"aten::_transform_bias_rescale_qkv", {filled({2, 3, 24}), filled({24}), 2}},
      {"aten::grid_sampler", {image, filled({2, 3, 3, 2}), 2, 0, false}},
      {"aten::grid_sampler", {volume, filled({2, 3, 3, 2, 3}), 0, 2, true}},
      {"aten::affine_grid_generator", {filled({2, 2, 3}), ints({2, 3, 4, 5}), false}},
      {"aten::im2col", {image, two, ones, zeros, ones}},
      {"aten::col2im", {filled({2, 12, 30}), ints({6, 7}), two, ones, zeros, ones}},
      {"torchvision::nms", {quads, filled({2}), 0.5}},
      {"torchvision::roi_align", {image, rois, 0.5, 3, 2, 2, true}},
      {"torchvision::roi_pool", {image, rois, 0.5, 3, 2}},
      {"torchvision::ps_roi_align", {image, rois, 0.5, 2, 2, 2}},
      {"torchvision::ps_roi_pool", {image, rois, 0.5, 2, 2}},
      {"torchvision::box_iou_rotated", {rois, rois}},
      {"torchvision::deform_conv2d",
       {image, filled({6, 2, 3, 3}), filled({2, 18, 5, 6}), filled({2, 9, 5, 6}), filled({6}), 1, 1, 0, 0, 1, 1, 2, 1,
        true}},
      {"aten::cosine_similarity", {matrix, matrix, 1, 1e-8}},
      {"aten::cdist", {matrix, matrix, 2.0, none}},
      {"aten::pdist", {matrix, 1.0}},
      {"aten::linalg_cross", {filled({2, 3}), filled({2, 3}), 1}},
      {"aten::quantize_per_tensor", {matrix, 0.1, 3, 13}},
      {"aten::quantize_per_channel", {matrix, filled({3}), filled({3}, i64), 0, 12}},
      {"aten::_make_per_channel_quantized_tensor", {filled({3, 4}, DType::kChar), filled({3}), filled({3}, i64), 0}},
      {"aten::fake_quantize_per_channel_affine", {matrix, filled({3}), filled({3}, DType::kInt), 0, 0, 255}},
  };
}

class NnHostileArguments : public testing::TestWithParam<size_t> {};

TEST_P(NnHostileArguments, GiveAResultOrAnError) { vary(calls()[GetParam()]); }

INSTANTIATE_TEST_SUITE_P(All, NnHostileArguments, testing::Range(size_t{0}, calls().size()));

}  // namespace
}  // namespace wick
