// The patterns by which the planner chooses steps, and the fusions of steps that follow: what of them is in the build,
// in order of precedence.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/selection.h"

namespace wick::plan {

class Builder;
struct Emission;
struct SlotInfo;

struct Pattern {
  const char* name;
  // True: it has emitted or taken the step of the trace.
  bool (*build)(Builder& builder, size_t s);
};
// A step is given to the first pattern that takes it.
std::span<const Pattern> patterns();

struct Fusion {
  const char* name;
  bool is_exact;  // its results are those of the steps it replaces, bit by bit
  // Replaces emissions by fewer ones.
  void (*fuse)(std::vector<Emission>& emissions, const std::vector<SlotInfo>& slots);
};
// Every fusion is applied to all emissions, in this order.
std::span<const Fusion> fusions();

// Whether passes over tiles are in the build: they compute deferred steps.
inline constexpr bool kHasPointwise = selects_step("pointwise") || selects_step("scale");
// Whether models of half precision are computed in floats.
inline constexpr bool kHasHalf = selects_dtype(DType::kHalf) || selects_dtype(DType::kBFloat16);

bool build_quantized(Builder& builder, size_t s);
bool build_conv(Builder& builder, size_t s);
bool build_linear(Builder& builder, size_t s);
bool build_attention(Builder& builder, size_t s);
bool build_transformer(Builder& builder, size_t s);
bool build_rows(Builder& builder, size_t s);
bool build_norm(Builder& builder, size_t s);
bool build_rnn(Builder& builder, size_t s);
bool build_pool(Builder& builder, size_t s);
bool build_resize(Builder& builder, size_t s);
bool build_shuffle(Builder& builder, size_t s);
bool build_argmax(Builder& builder, size_t s);
bool build_reduce(Builder& builder, size_t s);
bool build_image(Builder& builder, size_t s);
bool build_join(Builder& builder, size_t s);
bool build_pointwise(Builder& builder, size_t s);
// Conversions between floats and half precision.
bool build_cast(Builder& builder, size_t s);

// Makes one step of a multiplication of channels and the projection that follows, where it is less to multiply the
// weights. (x * f) * w becomes x * (f * w), which rounds differently.
void fuse_scalings(std::vector<Emission>& emissions, const std::vector<SlotInfo>& slots);
// Makes one step of a convolution and the pooling of its image, where this is large.
void fuse_pools(std::vector<Emission>& emissions, const std::vector<SlotInfo>& slots);
// Makes one step of an expansion, the depthwise convolution of it and a projection that follows, or of a depthwise
// convolution and one of these, where the kernel that computes them in tiles of rows pays: the images between them are
// then in no buffer of the plan.
void fuse_row_tiles(std::vector<Emission>& emissions, const std::vector<SlotInfo>& slots);
// Lets depthwise convolutions, alone or at the end of row tiles, compute the means of their images' channels.
void fuse_means(std::vector<Emission>& emissions, const std::vector<SlotInfo>& slots);

}  // namespace wick::plan
