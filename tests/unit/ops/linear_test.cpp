// Products with tensors whose batch dimensions cannot be one.
#include <gtest/gtest.h>

#include "core/copy.h"
#include "core/operator.h"

namespace wick {
namespace {

// A transposed batch of rows gives what its copy gives; without optimization too, where the linker chooses among
// functions that should be one.
TEST(Linear, TransposedBatchEqualsItsCopy) {
  const Tensor rows = Tensor::zeros({2, 3, 4});
  for (int64_t i = 0; i < rows.numel(); ++i) rows.data_ptr<float>()[i] = static_cast<float>(i);
  const Tensor weight = Tensor::zeros({5, 4});
  for (int64_t i = 0; i < weight.numel(); ++i) weight.data_ptr<float>()[i] = static_cast<float>(i % 7);
  const Tensor bias = Tensor::zeros({5});
  const Tensor turned = rows.as_strided({3, 2, 4}, {4, 12, 1}, 0);
  for (const IValue& b : {IValue(), IValue(bias)}) {
    const IValue view = call_operator("aten::linear", {turned, weight, b})[0];
    const IValue copy = call_operator("aten::linear", {contiguous(turned), weight, b})[0];
    EXPECT_TRUE(call_operator("aten::equal", {view, copy})[0].to_bool());
  }
}

}  // namespace
}  // namespace wick
