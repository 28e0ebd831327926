// Convolutions as products that read their patches in place: from the image, or from a copy with its border around it
// and its channels filled up to whole words.
#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/int8.h"

namespace wick::kernels {
namespace {

// A kernel's line may be read as one run of bytes when its taps are neighbors and hold all channels.
bool has_runs(const ConvShape& s) { return s.groups == 1 && s.dilation[2] == 1; }

bool needs_copy(const ConvShape& s) { return s.pad[1] > 0 || s.pad[2] > 0 || s.group_in() % kInt8Word != 0; }

// The image that is read, and the segments of its patches.
struct Image {
  int64_t height, width, pixel, line;
  int64_t group;  // bytes from group to group
  explicit Image(const ConvShape& s) {
    const bool copied = needs_copy(s);
    group = copied && !has_runs(s) ? int8_words(s.group_in()) * kInt8Word : s.group_in();
    pixel = group * s.groups;
    height = s.in[1] + 2 * s.pad[1];
    width = s.in[2] + 2 * s.pad[2];
    line = width * pixel;
  }
  int64_t bytes() const { return height * line; }
};

int64_t segment_words(const ConvShape& s) {
  return int8_words(has_runs(s) ? s.kernel[2] * s.group_in() : s.group_in());
}
int64_t segments_per_line(const ConvShape& s) { return has_runs(s) ? 1 : s.kernel[2]; }

// Rows of the copy [first, last).
void copy_rows(const Int8Conv& c, const Image& image, const uint8_t* x, uint8_t* to, int64_t first, int64_t last) {
  const ConvShape& s = c.shape;
  const int64_t from_pixel = s.in_channels, groups = s.groups, in = s.group_in();
  for (int64_t row = first; row < last; ++row) {
    uint8_t* line = to + row * image.line;
    const int64_t y = row - s.pad[1];
    if (y < 0 || y >= s.in[1]) {
      std::memset(line, c.x_zero, static_cast<size_t>(image.line));
      continue;
    }
    const auto border = static_cast<size_t>(s.pad[2] * image.pixel);
    std::memset(line, c.x_zero, border);
    const uint8_t* from = x + y * s.in[2] * from_pixel;
    uint8_t* at = line + border;
    if (image.pixel == from_pixel) {
      std::memcpy(at, from, static_cast<size_t>(s.in[2] * from_pixel));
    } else {
      for (int64_t k = 0; k < s.in[2] * groups; ++k) {
        std::memcpy(at + k * image.group, from + k * in, static_cast<size_t>(in));
        std::memset(at + k * image.group + in, c.x_zero, static_cast<size_t>(image.group - in));
      }
    }
    std::memset(at + s.in[2] * image.pixel, c.x_zero, border);
  }
}

}  // namespace

int64_t int8_conv_words(const ConvShape& s) { return s.kernel[1] * segments_per_line(s) * segment_words(s); }

int64_t int8_conv_place(const ConvShape& s, int64_t tap, int64_t channel) {
  const int64_t run = segment_words(s) * kInt8Word;
  if (!has_runs(s)) return tap * run + channel;
  return tap / s.kernel[2] * run + tap % s.kernel[2] * s.group_in() + channel;
}

size_t int8_conv_scratch(const ConvShape& s) {
  const size_t segments = static_cast<size_t>(s.kernel[1] * segments_per_line(s)) * sizeof(Int8Segment);
  return segments + (needs_copy(s) ? static_cast<size_t>(Image(s).bytes() + kInt8Word) : 0);
}

void int8_conv(const Int8Conv& c, uint8_t* scratch, const Workers& workers) {
  const ConvShape& s = c.shape;
  const Image image(s);
  auto* segments = reinterpret_cast<Int8Segment*>(scratch);
  const int64_t per_line = segments_per_line(s), count = s.kernel[1] * per_line, words = segment_words(s);
  for (int64_t k = 0; k < count; ++k) {
    const int64_t at = k / per_line * s.dilation[1] * image.line + k % per_line * s.dilation[2] * image.pixel;
    segments[k] = {at, words};
  }
  uint8_t* copy = scratch + static_cast<size_t>(count) * sizeof(Int8Segment);

  Int8Product p;
  p.form = c.form;
  p.order = Int8Order::kNarrowing;
  p.segments = segments;
  p.segment_count = count;
  p.n = s.group_out();
  p.words = count * words;
  p.pixels = s.out[1] * s.out[2];
  p.width = s.out[2];
  const size_t group_weights = int8_weights_size(p.n, p.words, c.form);
  const int64_t group_columns = int8_columns(p.n);
  for (int64_t b = 0; b < s.batch; ++b) {
    const uint8_t* x = c.x + b * s.in[1] * s.in[2] * s.in_channels;
    if (needs_copy(s)) {
      workers.each(image.height, [&](int64_t first, int64_t last) { copy_rows(c, image, x, copy, first, last); });
      // What the last word may reach beyond.
      std::memset(copy + image.bytes(), c.x_zero, kInt8Word);
      x = copy;
    }
    uint8_t* y = c.y + b * s.out[1] * s.out[2] * s.out_channels;
    for (int64_t g = 0; g < s.groups; ++g) {
      p.a = {x + g * image.group, s.stride[1] * image.line, s.stride[2] * image.pixel};
      p.bytes = {y + g * p.n, s.out[2] * s.out_channels, s.out_channels};
      p.weights = static_cast<const uint8_t*>(c.weights) + static_cast<size_t>(g) * group_weights;
      p.result = c.result;
      p.result.start = c.result.start + g * group_columns;
      p.result.scale = c.result.scale + g * group_columns;
      int8_product(p, workers);
    }
  }
}

}  // namespace wick::kernels
