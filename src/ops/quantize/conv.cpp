// Convolutions of quantized tensors.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "kernels/divide.h"
#include "ops/nn/common.h"
#include "ops/quantize/packed.h"
#include "ops/quantize/products.h"
#include "ops/quantize/quantize.h"
#include "ops/workers.h"

namespace wick::ops {

namespace {

constexpr int64_t kOutside = -1;

// A tensor of these sizes that takes no memory, for checks of shapes.
Tensor stand_in(IntSpan sizes) {
  return Tensor::scalar(0, DType::kFloat).as_strided(sizes, IntVec(sizes.size(), 0), 0);
}

MemoryFormat channels_last(int64_t rank) {
  return rank == 5 ? MemoryFormat::kChannelsLast3d : MemoryFormat::kChannelsLast;
}

// Which place of the input each output meets at each tap of the kernel, along one dim.
struct TapTable {
  int64_t taps = 1;
  std::vector<int64_t> places{0};  // [output][tap]
  int64_t at(int64_t output, int64_t tap) const { return places[static_cast<size_t>(output * taps + tap)]; }
};

TapTable make_taps(int64_t in, int64_t out, int64_t kernel, const ConvParams& p, size_t d) {
  TapTable t;
  t.taps = kernel;
  t.places.assign(static_cast<size_t>(checked_numel({out, kernel})), kOutside);
  for (int64_t o = 0; o < out; ++o) {
    for (int64_t k = 0; k < kernel; ++k) {
      int64_t place = kOutside;
      if (!p.transposed) {
        place = o * p.stride[d] - p.padding[d] + k * p.dilation[d];
      } else if (const int64_t reach = o + p.padding[d] - k * p.dilation[d]; reach >= 0 && reach % p.stride[d] == 0) {
        place = reach / p.stride[d];
      }
      if (place >= 0 && place < in) t.places[static_cast<size_t>(o * kernel + k)] = place;
    }
  }
  return t;
}

// The three spatial dims of a convolution (those missing have extent 1), and the rows its taps read.
struct Geometry {
  std::array<int64_t, 3> in{1, 1, 1}, out{1, 1, 1};
  std::array<TapTable, 3> tables;
  int64_t taps = 1, outputs = 1, inputs = 1;

  Geometry(IntSpan in_sizes, IntSpan out_sizes, IntSpan weight_sizes, const ConvParams& p) {
    const size_t dims = in_sizes.size() - 2;
    for (size_t d = 0; d < dims; ++d) {
      const size_t to = 3 - dims + d;
      in[to] = in_sizes[d + 2];
      out[to] = out_sizes[d + 2];
      tables[to] = make_taps(in[to], out[to], weight_sizes[d + 2], p, d);
      taps *= weight_sizes[d + 2];
      outputs *= out[to];
      inputs *= in[to];
    }
  }

  // The row of the image that output `o` reads at each tap, or kOutside.
  void rows(int64_t o, int64_t* to) const {
    const int64_t w = o % out[2], h = o / out[2] % out[1], d = o / (out[2] * out[1]);
    for (int64_t i = 0; i < tables[0].taps; ++i) {
      const int64_t z = tables[0].at(d, i);
      for (int64_t j = 0; j < tables[1].taps; ++j) {
        const int64_t y = tables[1].at(h, j);
        for (int64_t k = 0; k < tables[2].taps; ++k) {
          const int64_t x = tables[2].at(w, k);
          *to++ = z < 0 || y < 0 || x < 0 ? kOutside : (z * in[1] + y) * in[2] + x;
        }
      }
    }
  }
};

// The bytes of a dense tensor as unsigned ones.
Tensor without_sign(const Tensor& x) {
  if (x.dtype() == DType::kQUInt8) return x;
  Tensor out = Tensor::empty({x.numel()}, DType::kByte);
  const auto* from = static_cast<const uint8_t*>(x.raw_data());
  auto* to = out.data_ptr<uint8_t>();
  for (int64_t i = 0, count = x.numel(); i < count; ++i) to[i] = from[i] ^ 0x80;
  return out;
}

double work_of(const Int8Layer& layer, const Tensor& out) {
  return static_cast<double>(out.numel()) * static_cast<double>(layer.depth()) / 8;
}

}  // namespace

const Int8Layer& ConvPacked::layer() const {
  once_.call([&] {
    const std::vector<float> bias = bias_ ? param_values<float>(*bias_, out_channels(), 0) : std::vector<float>();
    layer_ = Int8Layer::conv(weight_, bias, params_);
  });
  return *layer_;
}

std::optional<kernels::ConvShape> ConvPacked::image_shape(IntSpan in_sizes, IntSpan out_sizes) const {
  if (layer().method() == Int8Layer::Method::kPatches) return std::nullopt;
  kernels::ConvShape s = layer().shape();
  s.batch = in_sizes[0];
  double padded = static_cast<double>(s.in_channels) * kernels::kInt8Word, plain = padded;
  for (size_t d = 0; d < 2; ++d) {
    s.in[d + 1] = in_sizes[d + 2];
    s.out[d + 1] = out_sizes[d + 2];
    plain *= static_cast<double>(s.in[d + 1]);
    padded *= static_cast<double>(s.in[d + 1] + 2 * s.pad[d + 1]);
  }
  // A border that is far larger than the image is not worth making.
  constexpr double kSmall = 1 << 22;
  const bool fits = padded <= std::max(kSmall, 4 * plain);
  return fits || layer().method() == Int8Layer::Method::kDepthwise ? std::optional(s) : std::nullopt;
}

// The mobile engine's kernel for 3x3x3 depthwise convolutions scales in double precision.
bool ConvPacked::is_depthwise_volume() const {
  return weight_.dim() == 5 && weight_.size(0) == params_.groups && weight_.size(1) == 1 && !params_.transposed &&
         layer().depth() == 27;
}

void ConvPacked::run_volume(const Tensor& x, const LayerNumbers& numbers, const Tensor& out) const {
  const Geometry geometry(x.sizes(), out.sizes(), weight_.sizes(), params_);
  const int64_t channels = x.size(1);
  const RowParams params = row_params(weight_, 0, channels);
  const auto* weights = static_cast<const int8_t*>(weight_.raw_data());
  const auto* from = static_cast<const uint8_t*>(x.raw_data());
  auto* to = static_cast<uint8_t*>(out.raw_data());
  const kernels::Int8Result& r = numbers.result;
  const int32_t sign = r.flip;
  std::vector<int64_t> places(static_cast<size_t>(geometry.taps));
  for (int64_t image = 0; image < x.size(0); ++image) {
    for (int64_t o = 0; o < geometry.outputs; ++o) {
      geometry.rows(o, places.data());
      for (int64_t c = 0; c < channels; ++c) {
        const auto k = static_cast<size_t>(c);
        int32_t sum = numbers.biases[k];
        for (int64_t t = 0; t < geometry.taps; ++t) {
          const int64_t place = places[static_cast<size_t>(t)];
          if (place == kOutside) continue;
          const int32_t value = (from[(image * geometry.inputs + place) * channels + c] ^ sign) - numbers.in_zero;
          sum = static_cast<int32_t>(static_cast<uint32_t>(sum) +
                                     static_cast<uint32_t>(value * (weights[c * geometry.taps + t] - params.zeros[k])));
        }
        const double scaled = std::nearbyint(static_cast<double>(sum) * static_cast<double>(numbers.multipliers[k]));
        const int32_t q = round_to_int16(static_cast<float>(scaled)) + r.zero;
        to[(image * geometry.outputs + o) * channels + c] = static_cast<uint8_t>(std::clamp(q, r.low, r.high) ^ sign);
      }
    }
  }
}

namespace {

IntVec checked_output_sizes(const Tensor& input, const ConvPacked& packed) {
  WICK_CHECK(input.dim() == packed.weight().dim(), kShapeMismatch, "quantized convolution: expected ",
             packed.weight().dim(), " dimensions, got ", input.dim());
  const Tensor x = stand_in(input.sizes()), w = stand_in(packed.weight().sizes());
  check_conv(x, w, std::nullopt, packed.params());
  IntVec sizes = conv_output_sizes(input.sizes(), packed.weight().sizes(), packed.params());
  for (size_t i = 2; i < sizes.size(); ++i) {
    WICK_CHECK(sizes[i] > 0, kShapeMismatch, "[QNNPACK] each dimension of output tensor should be greater than 0");
  }
  return sizes;
}

void check_input(const Tensor& input) {
  WICK_CHECK(input.dtype() == DType::kQUInt8 || input.dtype() == DType::kQInt8, kTypeMismatch,
             "quantized convolution: expected activation data type QUInt8, but got ", name_of(input.dtype()));
  WICK_CHECK(input.quantizer().scheme == QScheme::kPerTensorAffine, kUnsupported,
             "quantized convolution: the input should be quantized per tensor");
}

// Gathers the rows that each output reads, some outputs at a time, and multiplies them.
void run_patches(const Int8Layer& layer, const Geometry& geometry, const uint8_t* x, int64_t batch, int64_t channels,
                 int64_t groups, const LayerNumbers& numbers, uint8_t* y, int64_t grain) {
  const int64_t in_group = channels / groups, rows = layer.channels(), out_group = rows / groups;
  constexpr int64_t kBlock = 16;
  const int64_t blocks = kernels::ceil_div(geometry.outputs, kBlock), row = layer.row_bytes();
  parallel_for(0, batch * blocks, grain, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> places(static_cast<size_t>(geometry.taps * kBlock));
    std::vector<uint8_t> patches(static_cast<size_t>(row * kBlock), numbers.in_zero);
    for (int64_t block = begin; block < end; ++block) {
      const int64_t image = block / blocks, first = block % blocks * kBlock;
      const int64_t count = std::min(kBlock, geometry.outputs - first);
      const uint8_t* from = x + image * geometry.inputs * channels;
      for (int64_t i = 0; i < count; ++i) geometry.rows(first + i, places.data() + i * geometry.taps);
      for (int64_t g = 0; g < groups; ++g) {
        for (int64_t i = 0; i < count * geometry.taps; ++i) {
          const int64_t place = places[static_cast<size_t>(i)];
          uint8_t* patch = patches.data() + i / geometry.taps * row + layer.place(i % geometry.taps);
          if (place == kOutside) {
            std::memset(patch, numbers.in_zero, static_cast<size_t>(in_group));
          } else {
            std::memcpy(patch, from + place * channels + g * in_group, static_cast<size_t>(in_group));
          }
        }
        layer.multiply(patches.data(), count, row, numbers, g,
                       y + (image * geometry.outputs + first) * rows + g * out_group, rows, {});
      }
    }
  });
}

}  // namespace

Tensor ConvPacked::run(const Tensor& input, double scale, int64_t zero_point, bool relu) const {
  check_input(input);
  const IntVec sizes = checked_output_sizes(input, *this);
  Tensor out = empty_quantized(sizes, input.dtype(), scale, zero_point, channels_last(input.dim()));
  if (out.numel() == 0) return out;
  const Quantizer& q = input.quantizer();
  const Int8Layer& layer = this->layer();
  const std::shared_ptr<const LayerNumbers> numbers =
      layer.numbers({q.scale, q.zero_point, scale, zero_point, input.dtype(), relu});
  const Tensor x = contiguous(input, channels_last(input.dim()));
  if (is_depthwise_volume()) {
    run_volume(x, *numbers, out);
    return out;
  }
  const Tensor bytes = without_sign(x);
  const auto* from = static_cast<const uint8_t*>(bytes.raw_data());
  auto* to = static_cast<uint8_t*>(out.raw_data());
  if (const auto shape = image_shape(input.sizes(), sizes)) {
    const kernels::Scratch<uint8_t> scratch(layer.scratch_size(*shape));
    layer.convolve(*shape, *numbers, from, to, scratch.data(), workers_for(work_of(layer, out)));
    return out;
  }
  const Geometry geometry(input.sizes(), sizes, weight_.sizes(), params_);
  run_patches(layer, geometry, from, input.size(0), input.size(1), params_.groups, *numbers, to,
              grain_for(16 * layer.channels() * layer.depth() / 8));
  return out;
}

Tensor ConvPacked::run_dynamic(const Tensor& input) const {
  WICK_CHECK(input.dtype() == DType::kFloat, kTypeMismatch, "quantized convolution: expected a float tensor, got ",
             name_of(input.dtype()));
  const QuantParams q = choose_quant_params_of(input, quant_range(DType::kQUInt8), false);
  const Tensor x = quantize_per_tensor(input, q.scale, q.zero_point, DType::kQUInt8);
  return dequantize(run(x, q.scale, q.zero_point, false));
}

}  // namespace wick::ops
