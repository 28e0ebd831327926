// Linear layers whose quantized weights leave out blocks of zeros: objects of the class sparse.LinearPackedParamsBase.
#pragma once

#include "ops/quantize/packed.h"

namespace wick::ops {

class SparseLinearPacked final : public CustomObject {
 public:
  static constexpr std::string_view kClass = "__torch__.torch.classes.sparse.LinearPackedParamsBase";
  SparseLinearPacked(const Tensor& weight, const OptTensor& bias, int64_t out_block, int64_t in_block);

  std::string_view class_name() const override { return kClass; }
  const void* type_mark() const noexcept override { return &kTypeMark<SparseLinearPacked>; }
  IValue get_state() const override;
  IValue call(std::string_view method, std::vector<IValue> args) override;
  // The weights with their zeros, and how they run: products with zero add nothing.
  const LinearPacked& dense() const { return *dense_; }
  const Tensor& weight() const { return weight_; }
  const OptTensor& bias() const { return bias_; }
  IntVec block() const { return {out_block_, in_block_}; }

 private:
  Tensor weight_;
  OptTensor bias_;
  int64_t out_block_, in_block_;
  Ref<LinearPacked> dense_;
};

Ref<CustomObject> sparse_linear_from_state(IValue state);

IValue sparse_linear_prepack(const Tensor& weight, const OptTensor& bias, int64_t out_block, int64_t in_block);
std::tuple<Tensor, OptTensor, IntVec> sparse_linear_unpack(CustomObject& packed);
Tensor sparse_linear(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point);
Tensor sparse_linear_relu(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point);
Tensor sparse_linear_dynamic(const Tensor& x, CustomObject& packed);
Tensor sparse_linear_relu_dynamic(const Tensor& x, CustomObject& packed);

}  // namespace wick::ops
