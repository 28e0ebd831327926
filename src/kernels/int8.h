// 8-bit dense layers and NHWC convolutions.
//
// Four neighboring bytes of the input (a word) meet four weights at a time. Weights are kept in one of two forms: as
// bytes for instructions that multiply and add four bytes, or as 16-bit numbers whose products are added in pairs.
// Sums are 32-bit integers that wrap, so both forms give the same numbers.
//
// Contract: the caller has checked that every address is inside its buffers. Nothing is allocated.
#pragma once

#include "kernels/conv.h"
#include "kernels/divide.h"
#include "kernels/product.h"

namespace wick::kernels {

enum class Int8Form : uint8_t {
  kPairs,
  kQuads,       // VNNI's vpdpbusd, ARM's SDOT
  kMixedQuads,  // ARM's USDOT (I8MM): as kQuads, but bytes of the input stay unsigned
};
// Whether this machine has the instruction; it must not be asked for the form otherwise.
bool has_int8_form(Int8Form form);
// The fastest form this machine has.
Int8Form best_int8_form();
// What the products of a form subtract from each byte of the input.
int32_t int8_input_offset(Int8Form form);

inline constexpr int64_t kInt8Word = 4;  // bytes
inline constexpr int64_t int8_words(int64_t bytes) { return ceil_div(bytes, kInt8Word); }

// How columns (output channels) follow each other: as they are, for results that are floats, or so that vectors of sums
// narrow to bytes in place.
enum class Int8Order : uint8_t { kPlain, kNarrowing };

// Packed weights of n columns and so many words, in bytes; and numbers by column, in elements.
size_t int8_weights_size(int64_t n, int64_t words, Int8Form form);
int64_t int8_columns(int64_t n);
// w [n][words * 4]; All forms but kPairs take numbers of eight bits only. dst is 64-byte aligned.
void pack_int8_weights(const int16_t* w, int64_t n, int64_t words, Int8Form form, Int8Order order, void* dst);
void pack_int8_columns(const float* values, int64_t n, Int8Order order, float* dst);
void pack_int8_columns(const int32_t* values, int64_t n, Int8Order order, int32_t* dst);

// From sums to results. Bytes: round(sum * scale) + zero within [low, high], all below 256, then exclusive-or `flip`
// (0x80 makes signed bytes). Floats: sum * scale + bias. Arrays are by packed column.
struct Int8Result {
  const int32_t* start = nullptr;  // what sums begin with
  const float* scale = nullptr;
  int32_t zero = 0, low = 0, high = 255;
  uint8_t flip = 0;
  const float* bias = nullptr;
  bool relu = false;  // of floats
};

struct Int8Segment {
  int64_t a;      // offset from the pixel, in bytes
  int64_t words;  // rows of B, which follow those of the segment before
};

struct Int8Product {
  Int8Form form = Int8Form::kPairs;
  Int8Order order = Int8Order::kPlain;
  int64_t pixels = 0;
  int64_t width = 1;  // pixels of a line
  Grid<const uint8_t> a;
  const Int8Segment* segments = nullptr;
  int64_t segment_count = 0;
  const void* weights = nullptr;
  int64_t n = 0, words = 0;
  Int8Result result;
  // The result is one of these.
  Grid<uint8_t> bytes;
  Grid<float> floats;
};
void int8_product(const Int8Product& p, const Workers& workers);

// Convolution of images [batch][h][w][channels]; the first spatial dim of the shape has extent 1. Weights and columns
// are packed group by group.
struct Int8Conv {
  ConvShape shape;
  Int8Form form = Int8Form::kPairs;
  const uint8_t* x = nullptr;
  uint8_t x_zero = 0;  // what is around the image
  const void* weights = nullptr;
  Int8Result result;
  uint8_t* y = nullptr;
};
// Words of weights of one output channel, and where weight [tap][channel of the group] is among their bytes.
int64_t int8_conv_words(const ConvShape& shape);
int64_t int8_conv_place(const ConvShape& shape, int64_t tap, int64_t channel);
// Bytes of scratch a run needs.
size_t int8_conv_scratch(const ConvShape& shape);
void int8_conv(const Int8Conv& conv, uint8_t* scratch, const Workers& workers);

// Depthwise convolution of two-dimensional images.
bool is_int8_depthwise(const ConvShape& shape);
size_t int8_depthwise_size(const ConvShape& shape, Int8Form form);
int64_t int8_depthwise_columns(int64_t channels);
// w [channels][kernel].
void pack_int8_depthwise(const int16_t* w, const ConvShape& shape, Int8Form form, void* dst);
void pack_int8_depthwise_columns(const float* values, int64_t channels, float* dst);
void pack_int8_depthwise_columns(const int32_t* values, int64_t channels, int32_t* dst);
// The scratch takes `channels` bytes.
void int8_depthwise(const Int8Conv& conv, uint8_t* scratch, const Workers& workers);

}  // namespace wick::kernels
