// Convolution, pooling and product operators with arguments no sane model has: each call gives a result or an Error.
#include "unit/ops/hostile.h"

namespace wick {
namespace {

using namespace hostile;

std::vector<Call> calls() {
  const IValue image = filled({2, 4, 7, 8}), kernel = filled({6, 2, 3, 3}), volume = filled({2, 4, 5, 6, 7});
  const IValue line = filled({2, 4, 9}), one = ints({1}), none = ints({0}), two = ints({2});
  const IValue matrix = filled({3, 5}), batch = filled({2, 3, 5}), vector = filled({5});
  return {
      {"aten::conv1d", {line, filled({6, 2, 3}), IValue(), one, one, one, 2}},
      {"aten::conv2d", {image, kernel, filled({6}), one, one, two, 2}},
      {"aten::conv2d", {image, filled({4, 1, 3, 3}), IValue(), two, one, one, 4}},
      {"aten::conv2d",
       {contiguous(image.to_tensor(), MemoryFormat::kChannelsLast), kernel, IValue(), two, one, one, 2}},
      {"aten::conv2d",
       {contiguous(image.to_tensor(), MemoryFormat::kChannelsLast), filled({4, 1, 3, 3}), IValue(), two, one, one, 4}},
      {"aten::conv2d",
       {filled({1, 2, 5, 5}, DType::kLong), filled({3, 2, 3, 3}, DType::kLong), IValue(), one, one, one, 1}},
      {"aten::conv3d", {volume, filled({6, 4, 3, 2, 3}), IValue(), two, one, one, 1}},
      {"aten::conv2d.padding", {image, kernel, IValue(), one, "same", one, 2}},
      {"aten::_convolution", {image, kernel, IValue(), one, one, one, false, none, 2, false, false, true, true}},
      {"aten::conv_transpose1d", {line, filled({4, 3, 3}), IValue(), two, one, one, 2, one}},
      {"aten::conv_transpose2d.input", {image, filled({4, 3, 3, 2}), IValue(), two, one, one, 2, one}},
      {"aten::conv_transpose3d.input", {volume, filled({4, 3, 3, 2, 1}), IValue(), two, none, one, 1, one}},
      {"aten::conv_tbc", {filled({7, 2, 4}), filled({3, 4, 5}), filled({5}), 1}},
      {"aten::thnn_conv2d", {image, filled({6, 4, 3, 3}), ints({3, 3}), IValue(), one, one}},
      {"aten::slow_conv_dilated2d", {image, filled({6, 4, 3, 3}), ints({3, 3}), IValue(), one, one, two}},
      {"aten::max_pool1d", {line, two, two, one, one, true}},
      {"aten::max_pool2d", {image, ints({3, 2}), two, one, two, true}},
      {"aten::max_pool2d_with_indices", {image, ints({3, 2}), two, one, two, true}},
      {"aten::max_pool3d_with_indices", {volume, two, one, one, one, false}},
      {"aten::avg_pool1d", {line, two, two, one, true, false}},
      {"aten::avg_pool2d", {image, ints({3, 2}), two, one, true, true, IValue()}},
      {"aten::avg_pool3d", {volume, two, two, one, true, false, 3}},
      {"aten::adaptive_avg_pool2d", {image, ints({3, 5})}},
      {"aten::adaptive_max_pool3d", {volume, ints({3, 2, 4})}},
      {"aten::fractional_max_pool2d", {image, ints({2, 2}), ints({3, 4}), filled({2, 4, 2})}},
      {"aten::fractional_max_pool3d", {volume, ints({2, 2, 2}), ints({3, 4, 2}), filled({2, 4, 3})}},
      {"aten::max_unpool2d", {filled({2, 4, 3, 4}), filled({2, 4, 3, 4}, DType::kLong), ints({6, 8})}},
      {"aten::max_unpool3d",
       {filled({2, 4, 3, 4, 2}), filled({2, 4, 3, 4, 2}, DType::kLong), ints({6, 8, 4}), ints({2, 2, 2}),
        ints({0, 0, 0})}},
      {"aten::mm", {matrix, filled({5, 4})}},
      {"aten::bmm", {batch, filled({2, 5, 4})}},
      {"aten::matmul", {batch, filled({5, 4})}},
      {"aten::matmul", {filled({3, 1, 2, 5}), filled({2, 5, 4})}},
      {"aten::addmm", {filled({4}), matrix, filled({5, 4}), 1, 2}},
      {"aten::addmv", {filled({3}), matrix, vector, 1, 2}},
      {"aten::baddbmm", {filled({4}), batch, filled({2, 5, 4}), 1, 2}},
      {"aten::addbmm", {filled({3, 4}), batch, filled({2, 5, 4}), 1, 2}},
      {"aten::addr", {filled({3, 5}), filled({3}), vector, 1, 2}},
      {"aten::linear", {matrix, filled({4, 5}), filled({4})}},
      {"aten::bilinear", {filled({2, 3}), filled({2, 4}), filled({5, 3, 4}), filled({5})}},
      {"aten::einsum", {"bij,bjk->bik", IValue::tensor_list({filled({2, 3, 4}), filled({2, 4, 5})}), IValue()}},
      {"aten::tensordot", {filled({2, 3, 4}), filled({4, 3, 5}), ints({1, 2}), ints({1, 0})}},
      {"aten::kron", {matrix, filled({2, 3})}},
      {"aten::linalg_multi_dot", {IValue::tensor_list({matrix.to_tensor(), filled({5, 4}), filled({4, 2})})}},
      {"aten::matrix_power", {filled({2, 3, 3}), 5}},
  };
}

class HostileArguments : public testing::TestWithParam<size_t> {};

TEST_P(HostileArguments, GiveAResultOrAnError) { vary(calls()[GetParam()]); }

INSTANTIATE_TEST_SUITE_P(All, HostileArguments, testing::Range(size_t{0}, calls().size()));

}  // namespace
}  // namespace wick
