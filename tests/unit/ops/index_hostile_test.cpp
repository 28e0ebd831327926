// Indices a hostile program may pass never reach outside a tensor, also when operands share memory.
#include <gtest/gtest.h>

#include <climits>

#include "core/copy.h"
#include "core/operator.h"
#include "ops/shape/view.h"

namespace wick {
namespace {

Tensor longs(std::vector<int64_t> values) { return Tensor::from_values(Span<int64_t>(values)); }

Tensor call(std::string_view op, std::vector<IValue> args) {
  return call_operator(op, std::move(args)).at(0).to_tensor();
}

const int64_t kBad[] = {5, -6, LLONG_MAX, LLONG_MIN};

TEST(IndexHostile, EveryIndexIsChecked) {
  const Tensor self = Tensor::zeros({5, 5}), source = Tensor::zeros({1, 5});
  for (int64_t bad : kBad) {
    const Tensor index = longs({bad}), square = ops::view(longs({bad}), {1, 1});
    const IValue indices = IValue::list(types::tensor(), {index});
    EXPECT_THROW(call("aten::index.Tensor", {self, indices}), Error);
    EXPECT_THROW(call("aten::index_put_", {self, indices, source}), Error);
    EXPECT_THROW(call("aten::index_select", {self, 0, index}), Error);
    EXPECT_THROW(call("aten::index_add_", {self, 0, index, source}), Error);
    EXPECT_THROW(call("aten::index_copy_", {self, 0, index, source}), Error);
    EXPECT_THROW(call("aten::index_fill_.int_Scalar", {self, 0, index, 1}), Error);
    EXPECT_THROW(call("aten::index_reduce_", {self, 0, index, source, "prod"}), Error);
    EXPECT_THROW(call("aten::gather", {self, 0, square}), Error);
    EXPECT_THROW(call("aten::scatter_.value", {self, 0, square, 1}), Error);
    EXPECT_THROW(call("aten::scatter_add_", {self, 0, square, source}), Error);
    EXPECT_THROW(call("aten::scatter_reduce_.two", {self, 0, square, source, "sum"}), Error);
    const bool is_extreme = bad == LLONG_MAX || bad == LLONG_MIN;
    EXPECT_THROW(call("aten::take", {self, longs({is_extreme ? bad : bad > 0 ? 25 : -26})}), Error);
    EXPECT_THROW(
        call("aten::searchsorted.Tensor", {Tensor::zeros({1}), Tensor::zeros({1}), false, false, IValue(), index}),
        Error);
  }
}

TEST(IndexHostile, AnIndexInsideTheWrittenTensorIsReadBeforeItIsWritten) {
  const Tensor self = longs({0, 1, 2, 3});
  const Tensor source = longs({LLONG_MAX, LLONG_MAX, LLONG_MAX, LLONG_MAX});
  call("aten::index_copy_", {self, 0, self, source});
  EXPECT_EQ(self.data<int64_t>()[3], LLONG_MAX);
  const Tensor again = longs({0, 1, 2, 3});
  call("aten::scatter_.src", {again, 0, again, source});
  EXPECT_EQ(again.data<int64_t>()[0], LLONG_MAX);
  const Tensor third = longs({3, 2, 1, 0});
  call("aten::index_put_", {third, IValue::list(types::tensor(), {third}), source});
  EXPECT_EQ(third.data<int64_t>()[1], LLONG_MAX);
}

TEST(IndexHostile, OutTensorsThatAreAlsoInputs) {
  const Tensor self = longs({4, 3, 2, 1});
  call("aten::index_select.out", {self, 0, longs({0, 0, 1, 1, 2, 2}), self});
  EXPECT_EQ(self.numel(), 6);
  EXPECT_EQ(self.data<int64_t>()[5], 2);
  const Tensor index = longs({0, 1});
  call("aten::gather.out", {longs({7, 8, 9}), 0, index, false, index});
  EXPECT_EQ(index.data<int64_t>()[1], 8);
}

TEST(IndexHostile, ExpandedTensorsAreNotWrittenInPlace) {
  const Tensor wide = call("aten::expand", {Tensor::zeros({1, 3}), IValue::int_list({4, 3})});
  EXPECT_THROW(call("aten::index_copy_", {wide, 0, longs({0}), Tensor::zeros({1, 3})}), Error);
  EXPECT_THROW(call("aten::copy_", {wide, Tensor::zeros({4, 3})}), Error);
}

TEST(IndexHostile, MasksMustFit) {
  const Tensor self = Tensor::zeros({2, 3});
  const Tensor mask = Tensor::zeros({3, 2}, DType::kBool);
  EXPECT_THROW(call("aten::index.Tensor", {self, IValue::list(types::tensor(), {mask})}), Error);
  EXPECT_THROW(call("aten::masked_fill_.Scalar", {self, mask, 1}), Error);
  EXPECT_THROW(call("aten::masked_select", {self, mask}), Error);
  Tensor all = Tensor::empty({2, 3}, DType::kBool);
  fill(all, true);
  EXPECT_THROW(call("aten::masked_scatter_", {self, all, Tensor::zeros({5})}), Error);
}

TEST(IndexHostile, CountsAndBinsAreBounded) {
  EXPECT_THROW(call("aten::bincount", {longs({LLONG_MAX})}), Error);
  EXPECT_THROW(call("aten::bincount", {longs({-1})}), Error);
  EXPECT_THROW(call_operator("aten::topk", {Tensor::zeros({3}), 4}), Error);
  EXPECT_THROW(call_operator("aten::kthvalue", {Tensor::zeros({3}), int64_t{LLONG_MIN}}), Error);
  EXPECT_THROW(call("aten::repeat_interleave.Tensor", {longs({LLONG_MAX, LLONG_MAX})}), Error);
}

}  // namespace
}  // namespace wick
