// Quantised weights as models hold them: objects of the classes quantized.LinearPackedParamsBase,
// Conv2dPackedParamsBase and Conv3dPackedParamsBase.
#pragma once

#include <mutex>

#include "ops/conv/conv.h"
#include "ops/quantize/products.h"

namespace wick::ops {

class LinearPacked final : public CustomObject {
 public:
  static constexpr std::string_view kClass = "__torch__.torch.classes.quantized.LinearPackedParamsBase";
  // A qint8 weight, or a float one, which is rounded to half precision.
  LinearPacked(const Tensor& weight, const OptTensor& bias);

  std::string_view class_name() const override { return kClass; }
  IValue get_state() const override { return unpack(); }
  IValue call(std::string_view method, std::vector<IValue> args) override;
  IValue unpack() const;
  bool is_int8() const { return weight_.is_quantized(); }

  // Of a quint8 or qint8 tensor, to a tensor like it.
  Tensor run(const Tensor& input, double scale, int64_t zero_point, bool relu) const;
  // Of a float tensor: rounded to eight bits by its own range for the products, or (half weights) as it is.
  Tensor run_dynamic(const Tensor& input, bool relu) const;
  Tensor run_half(const Tensor& input, bool relu) const;

 private:
  const IntWeights& packed() const;
  Tensor weight_;
  OptTensor bias_;
  mutable std::once_flag packed_once_;
  mutable IntWeights packed_;
};

class ConvPacked final : public CustomObject {
 public:
  static constexpr std::string_view kClass2d = "__torch__.torch.classes.quantized.Conv2dPackedParamsBase";
  static constexpr std::string_view kClass3d = "__torch__.torch.classes.quantized.Conv3dPackedParamsBase";
  // A qint8 weight of four or five dims; lists of `params` have an entry for each spatial dim.
  ConvPacked(const Tensor& weight, const OptTensor& bias, ConvParams params);

  std::string_view class_name() const override { return weight_.dim() == 5 ? kClass3d : kClass2d; }
  IValue get_state() const override;
  IValue call(std::string_view method, std::vector<IValue> args) override;
  IValue unpack() const;
  const Tensor& weight() const { return weight_; }
  const OptTensor& bias() const { return bias_; }
  const ConvParams& params() const { return params_; }

  Tensor run(const Tensor& input, double scale, int64_t zero_point, bool relu) const;
  Tensor run_dynamic(const Tensor& input) const;

 private:
  int64_t out_channels() const;
  const IntWeights& packed() const;
  template <class Store>
  void sums(const Tensor& input, IntSpan out_sizes, const Store& store) const;
  Tensor weight_;
  OptTensor bias_;
  ConvParams params_;
  mutable std::once_flag packed_once_;
  mutable IntWeights packed_;
};

// Instances from the state a file stores.
Ref<CustomObject> linear_packed_from_state(IValue state);
Ref<CustomObject> conv2d_packed_from_state(IValue state);
Ref<CustomObject> conv3d_packed_from_state(IValue state);

const LinearPacked& linear_packed(const CustomObject& object);
// dims: spatial ones, 2 or 3.
const ConvPacked& conv_packed(const CustomObject& object, int64_t dims);

// Scale and zero point of each of n rows of a qint8 weight; per-channel parameters must lie along `axis`, and are
// repeated when there are fewer.
struct RowParams {
  std::vector<float> scales;
  std::vector<int32_t> zeros;
};
RowParams row_params(const Tensor& weight, int64_t axis, int64_t n);

}  // namespace wick::ops
