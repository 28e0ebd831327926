// Convolutions of quantised tensors.
#include <algorithm>
#include <array>

#include "ops/nn/common.h"
#include "ops/quantize/packed.h"
#include "ops/quantize/quantize.h"

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

bool is_depthwise(const Tensor& weight, const ConvParams& p) {
  return weight.size(0) == p.groups && weight.size(1) == 1;
}

}  // namespace

// Rows of [tap][channel of the group]; depthwise weights the other way round, [tap][row].
const IntWeights& ConvPacked::packed() const {
  std::call_once(packed_once_, [&] {
    IntWeights w;
    const int64_t groups = params_.groups, rows = out_channels();
    const int64_t per_group = rows / groups;
    const int64_t channels = params_.transposed ? weight_.size(0) / groups : weight_.size(1);
    const int64_t taps = weight_.numel() / (weight_.size(0) * weight_.size(1));
    RowParams params = row_params(weight_, params_.transposed ? 1 : 0, rows);
    const auto* from = static_cast<const int8_t*>(weight_.raw_data());  // [dim 0][tap][dim 1]
    const bool depthwise = is_depthwise(weight_, params_);
    w.rows = rows;
    w.depth = taps * channels;
    w.values.resize(static_cast<size_t>(rows * w.depth));
    for (int64_t r = 0; r < rows; ++r) {
      const int64_t group = r / per_group, within = r % per_group;
      for (int64_t t = 0; t < taps; ++t) {
        for (int64_t c = 0; c < channels; ++c) {
          const int64_t place = params_.transposed ? ((group * channels + c) * taps + t) * per_group + within
                                                   : (r * taps + t) * channels + c;
          const int64_t to = depthwise ? t * rows + r : r * w.depth + t * channels + c;
          w.values[static_cast<size_t>(to)] = static_cast<int16_t>(from[place] - params.zeros[static_cast<size_t>(r)]);
        }
      }
    }
    w.scales = std::move(params.scales);
    packed_ = std::move(w);
  });
  return packed_;
}

// Calls store(first element of the result, first channel, count, sums) for runs of channels of each output; the
// result lies channels last.
template <class Store>
void ConvPacked::sums(const Tensor& input, IntSpan out_sizes, const Store& store) const {
  const IntWeights& w = packed();
  const Geometry geometry(input.sizes(), out_sizes, weight_.sizes(), params_);
  const Tensor x = contiguous(input, channels_last(input.dim()));
  const int64_t channels = input.size(1), rows = w.rows, groups = params_.groups;
  const int64_t in_group = channels / groups, out_group = rows / groups;
  std::vector<int16_t> values(static_cast<size_t>(x.numel()));
  centered(x, 0, x.numel(), values.data());
  const bool depthwise = is_depthwise(weight_, params_);
  constexpr int64_t kBlock = 16;
  const int64_t blocks = (geometry.outputs + kBlock - 1) / kBlock;
  auto run = [&](int64_t begin, int64_t end) {
    std::vector<int64_t> places(static_cast<size_t>(geometry.taps * kBlock));
    std::vector<int16_t> patches(depthwise ? 0 : static_cast<size_t>(w.depth * kBlock));
    std::vector<int32_t> sums(static_cast<size_t>(depthwise ? rows : out_group * kBlock));
    for (int64_t block = begin; block < end; ++block) {
      const int64_t image = block / blocks, first = block % blocks * kBlock;
      const int64_t count = std::min(kBlock, geometry.outputs - first);
      const int16_t* from = values.data() + image * geometry.inputs * channels;
      const int64_t to = (image * geometry.outputs + first) * rows;
      for (int64_t i = 0; i < count; ++i) geometry.rows(first + i, places.data() + i * geometry.taps);
      if (depthwise) {
        for (int64_t i = 0; i < count; ++i) {
          std::fill(sums.begin(), sums.end(), 0);
          for (int64_t t = 0; t < geometry.taps; ++t) {
            const int64_t place = places[static_cast<size_t>(i * geometry.taps + t)];
            if (place == kOutside) continue;
            const int16_t *row = from + place * channels, *weights = w.values.data() + t * rows;
            for (int64_t c = 0; c < rows; ++c) {
              sums[static_cast<size_t>(c)] = static_cast<int32_t>(static_cast<uint32_t>(sums[static_cast<size_t>(c)]) +
                                                                  static_cast<uint32_t>(row[c] * weights[c]));
            }
          }
          store(to + i * rows, 0, rows, sums.data());
        }
        continue;
      }
      for (int64_t g = 0; g < groups; ++g) {
        for (int64_t i = 0; i < count * geometry.taps; ++i) {
          const int64_t place = places[static_cast<size_t>(i)];
          int16_t* patch = patches.data() + i * in_group;
          if (place == kOutside) {
            std::fill_n(patch, in_group, int16_t{0});
          } else {
            std::copy_n(from + place * channels + g * in_group, in_group, patch);
          }
        }
        int_products(patches.data(), count, w, g * out_group, (g + 1) * out_group, sums.data());
        for (int64_t i = 0; i < count; ++i) {
          store(to + i * rows + g * out_group, g * out_group, out_group, sums.data() + i * out_group);
        }
      }
    }
  };
  parallel_for(0, input.size(0) * blocks, grain_for(kBlock * rows * w.depth / 8), run);
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
             "quantized convolution: the input should be quantised per tensor");
}

}  // namespace

Tensor ConvPacked::run(const Tensor& input, double scale, int64_t zero_point, bool relu) const {
  check_input(input);
  const IntVec sizes = checked_output_sizes(input, *this);
  Tensor out = empty_quantized(sizes, input.dtype(), scale, zero_point, channels_last(input.dim()));
  if (out.numel() == 0) return out;
  const IntWeights& w = packed();
  const std::vector<float> bias = bias_ ? param_values<float>(*bias_, w.rows, 0) : std::vector<float>();
  Requantizer requantize = make_requantizer(w, bias, input.quantizer().scale, scale, zero_point, input.dtype(), relu);
  // The mobile engine's kernel for 3x3x3 depthwise convolutions.
  requantize.in_double = weight_.dim() == 5 && is_depthwise(weight_, params_) && w.depth == 27;
  auto* to = static_cast<uint8_t*>(out.raw_data());
  sums(input, sizes, [&](int64_t at, int64_t channel, int64_t count, const int32_t* values) {
    for (int64_t c = 0; c < count; ++c) {
      to[at + c] = static_cast<uint8_t>(requantize(values[c], static_cast<size_t>(channel + c)));
    }
  });
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
