// A quantized layer as the 8-bit kernels take it: weights packed once, and the numbers that depend on the scales and
// zero points of input and result.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "kernels/int8.h"
#include "ops/conv/conv.h"
#include "wick/tensor.h"

namespace wick::ops {

// Scale and zero point of rows of weights.
struct RowParams {
  std::vector<float> scales;
  std::vector<int32_t> zeros;
};
// Of each of n rows of a qint8 weight; per-channel parameters must lie along `axis`, and are repeated when there are
// fewer.
RowParams row_params(const Tensor& weight, int64_t axis, int64_t n);

// Scale and zero point of what goes in and out.
struct LayerParams {
  double in_scale = 1;
  int64_t in_zero = 0;
  double out_scale = 1;
  int64_t out_zero = 0;
  DType dtype = DType::kQUInt8;  // of both
  bool relu = false;
  bool operator==(const LayerParams&) const = default;
};

// Numbers by channel, in the order of the packed weights.
struct LayerNumbers {
  std::vector<int32_t> start;
  std::vector<float> scale;
  kernels::Int8Result result;  // points to them
  uint8_t in_zero = 0;         // of bytes without sign
  // By channel, as they are: without what takes the input's zero point out.
  std::vector<int32_t> biases;
  std::vector<float> multipliers;
};

class Int8Layer {
 public:
  // kRows: a dense layer. kImage and kDepthwise: images with channels last. kPatches: rows of gathered values, group
  // by group.
  enum class Method : uint8_t { kRows, kImage, kDepthwise, kPatches };

  // weight [out][in], qint8.
  static std::shared_ptr<const Int8Layer> dense(const Tensor& weight, const std::vector<float>& bias, bool to_floats);
  // weight as convolutions hold it, with channels last.
  static std::shared_ptr<const Int8Layer> conv(const Tensor& weight, const std::vector<float>& bias,
                                               const ConvParams& params);

  Method method() const { return method_; }
  int64_t channels() const { return static_cast<int64_t>(scales_.size()); }
  int64_t depth() const { return depth_; }
  // Bytes of a row that a product reads: the depth, filled up to whole words.
  int64_t row_bytes() const { return words_ * kernels::kInt8Word; }
  // Where a tap's values begin in a row of a convolution's weights.
  int64_t place(int64_t tap) const;
  // Of a convolution: what does not depend on the image.
  const kernels::ConvShape& shape() const { return shape_; }

  // Throws when the scales make no sense together. Kept for the next call with the same parameters.
  std::shared_ptr<const LayerNumbers> numbers(const LayerParams& params) const;
  // Of a dense layer to floats: start and scale have columns() elements.
  int64_t columns() const { return static_cast<int64_t>(column_scales_.size()); }
  kernels::Int8Result float_result(double in_scale, int64_t in_zero, bool relu, int32_t* start, float* scale) const;

  // Rows of row_bytes(), `step` apart, to results; `group` for kPatches.
  void multiply(const uint8_t* rows, int64_t count, int64_t step, const LayerNumbers& numbers, int64_t group,
                uint8_t* to, int64_t to_step, const kernels::Workers& workers) const;
  void multiply(const uint8_t* rows, int64_t count, const kernels::Int8Result& result, float* to,
                const kernels::Workers& workers) const;
  // kImage and kDepthwise, of bytes without sign. The shape's kernel, stride and so on are the layer's.
  size_t scratch_size(const kernels::ConvShape& shape) const;
  void convolve(const kernels::ConvShape& shape, const LayerNumbers& numbers, const uint8_t* x, uint8_t* y,
                uint8_t* scratch, const kernels::Workers& workers) const;

 private:
  void choose_form(const std::vector<int16_t>& values);
  void pack(const std::vector<int16_t>& rows);
  template <class T>
  std::vector<T> by_column(const std::vector<T>& values) const;
  std::vector<int32_t> start(int64_t in_zero) const;
  kernels::Int8Product product(const uint8_t* rows, int64_t count, int64_t step, const kernels::Int8Result& result,
                               int64_t group, const kernels::Int8Segment& segment) const;

  Method method_ = Method::kRows;
  kernels::Int8Form form_ = kernels::Int8Form::kPairs;
  kernels::Int8Order order_ = kernels::Int8Order::kPlain;
  kernels::ConvShape shape_;
  int64_t depth_ = 0, taps_ = 1, words_ = 0, groups_ = 1;
  kernels::Scratch<uint8_t> weights_;
  std::vector<float> scales_, bias_;
  std::vector<int32_t> sums_;  // of each channel's weights
  // By packed column, for results that are floats.
  std::vector<int32_t> column_sums_;
  std::vector<float> column_scales_, column_bias_;
  mutable std::mutex mutex_;
  mutable LayerParams last_;
  mutable std::shared_ptr<const LayerNumbers> last_numbers_;
};

}  // namespace wick::ops
