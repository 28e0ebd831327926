// Names that options take: torch::kBilinear, torch::kReflect, torch::kMean ...
#pragma once

#include <cstring>

namespace torch {
namespace enumtype {
// One of them. What a name means is said by its text; names of the same text are equal.
struct Name {
  constexpr explicit Name(const char* text) : text(text) {}
  bool operator==(const Name& o) const { return std::strcmp(text, o.text) == 0; }
  bool operator!=(const Name& o) const { return !(*this == o); }
  const char* text;
};
}  // namespace enumtype
#define WICK_ENUM(name, words)           \
  namespace enumtype {                   \
  struct k##name : Name {                \
    constexpr k##name() : Name(words) {} \
  };                                     \
  }                                      \
  constexpr enumtype::k##name k##name{};
WICK_ENUM(Linear, "linear")
WICK_ENUM(Conv1D, "conv1d")
WICK_ENUM(Conv2D, "conv2d")
WICK_ENUM(Conv3D, "conv3d")
WICK_ENUM(ConvTranspose1D, "conv_transpose1d")
WICK_ENUM(ConvTranspose2D, "conv_transpose2d")
WICK_ENUM(ConvTranspose3D, "conv_transpose3d")
WICK_ENUM(Sigmoid, "sigmoid")
WICK_ENUM(Tanh, "tanh")
WICK_ENUM(ReLU, "relu")
WICK_ENUM(GELU, "gelu")
WICK_ENUM(SiLU, "silu")
WICK_ENUM(Mish, "mish")
WICK_ENUM(LeakyReLU, "leaky_relu")
WICK_ENUM(FanIn, "fan_in")
WICK_ENUM(FanOut, "fan_out")
WICK_ENUM(Constant, "constant")
WICK_ENUM(Reflect, "reflect")
WICK_ENUM(Replicate, "replicate")
WICK_ENUM(Circular, "circular")
WICK_ENUM(Nearest, "nearest")
WICK_ENUM(NearestExact, "nearest-exact")
WICK_ENUM(Bilinear, "bilinear")
WICK_ENUM(Bicubic, "bicubic")
WICK_ENUM(Trilinear, "trilinear")
WICK_ENUM(Area, "area")
WICK_ENUM(Sum, "sum")
WICK_ENUM(Mean, "mean")
WICK_ENUM(Max, "max")
WICK_ENUM(None, "none")
WICK_ENUM(BatchMean, "batchmean")
WICK_ENUM(Zeros, "zeros")
WICK_ENUM(Border, "border")
WICK_ENUM(Reflection, "reflection")
WICK_ENUM(RNN_TANH, "rnn_tanh")
WICK_ENUM(RNN_RELU, "rnn_relu")
WICK_ENUM(LSTM, "lstm")
WICK_ENUM(GRU, "gru")
WICK_ENUM(Valid, "valid")
WICK_ENUM(Same, "same")
#undef WICK_ENUM

}  // namespace torch
