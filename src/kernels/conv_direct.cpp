// Convolution as sums over taps. The image falls into rectangles of output pixels for which the same taps are inside
// the image, so nothing is padded and taps on the padding cost nothing.
#include <algorithm>

#include "kernels/conv2d.h"
#include "kernels/divide.h"
#include "kernels/float_mode.h"
#include "kernels/product.h"

namespace wick::kernels {
namespace {

constexpr int64_t kMaxKernel = 16;
// Bytes of input that stay in the second-level cache while the panels of weights pass over a strip. Weights larger than
// that cache come from further away for each strip: then these are larger.
constexpr int64_t kStripBytes = 256 << 10;
constexpr int64_t kLargeStripBytes = 512 << 10;
constexpr size_t kLargeWeights = size_t{1} << 18;

struct Range {
  int64_t first, last;
  int64_t size() const { return last - first; }
};

// Output positions [first, last) that all see the taps [tap_first, tap_last) of one dimension.
struct Run {
  int64_t first, last;
  int64_t tap_first, tap_last;
};

// The run that begins at output position `at`.
Run run_from(const ConvShape& s, int d, int64_t at, int64_t end) {
  const auto taps = [&](int64_t out) {
    const int64_t start = out * s.stride[d] - s.pad[d];
    const int64_t first = std::clamp<int64_t>(ceil_div(-start, s.dilation[d]), 0, s.kernel[d]);
    const int64_t last = std::clamp<int64_t>(ceil_div(s.in[d] - start, s.dilation[d]), first, s.kernel[d]);
    return Range{first, last};
  };
  const Range here = taps(at);
  Run run{at, at + 1, here.first, here.last};
  // Inside the image the taps stay the same up to where the last one leaves it.
  if (here.first == 0 && here.last == s.kernel[d]) {
    const int64_t reach = (s.kernel[d] - 1) * s.dilation[d] - s.pad[d];
    run.last = std::clamp((s.in[d] - 1 - reach) / s.stride[d] + 1, at + 1, end);
    return run;
  }
  while (run.last < end) {
    const Range next = taps(run.last);
    if (next.first != here.first || next.last != here.last) break;
    ++run.last;
  }
  return run;
}

template <class T>
struct Direct {
  const Conv2dOf<T>& conv;
  const ConvShape& s;
  int64_t in, out, k;  // channels of a group, and rows of its B
  size_t group_weights;
  bool whole_rows;  // the taps of a kernel row are consecutive in memory
  Run columns[2 * kMaxKernel + 2];
  int64_t column_runs = 0;

  explicit Direct(const Conv2dOf<T>& c)
      : conv(c),
        s(c.shape),
        in(s.group_in()),
        out(s.group_out()),
        k(s.taps() * in),
        group_weights(packed_b_size<T>(out, k)),
        whole_rows(s.dilation[2] == 1 && c.x.pixel == in) {
    for (int64_t at = 0; at < s.out[2];) {
      columns[column_runs] = run_from(s, 2, at, s.out[2]);
      at = columns[column_runs++].last;
    }
  }

  // Segments of B's rows [depth.first, depth.last) for pixels of a pair of runs, with offsets from the first pixel's
  // patch. Returns how many.
  int64_t segments(const Run& row, const Run& column, Range depth, Segment* to) const {
    int64_t count = 0;
    const int64_t taps = column.tap_last - column.tap_first;
    if (taps == 0) return 0;
    const int64_t pieces = whole_rows ? 1 : taps, length = whole_rows ? taps * in : in;
    for (int64_t kh = row.tap_first; kh < row.tap_last; ++kh) {
      for (int64_t i = 0; i < pieces; ++i) {
        const int64_t kw = column.tap_first + i;
        const int64_t b = (kh * s.kernel[2] + kw) * in;
        const int64_t first = std::max(b, depth.first), last = std::min(b + length, depth.last);
        if (first >= last) continue;
        const int64_t a = kh * s.dilation[1] * conv.x.row + kw * s.dilation[2] * conv.x.pixel;
        to[count++] = {a + first - b, first, last - first};
      }
    }
    return count;
  }

  // Pixels of a pair of runs, some of the panels of one group of channels.
  void rectangle(int64_t image, const Run& row, const Run& column, int64_t group, Range panels, Range depth) const {
    Segment list[kMaxKernel * kMaxKernel];
    ProductOf<T> p;
    p.segments = list;
    p.segment_count = segments(row, column, depth, list);
    const Range before{0, depth.first}, after{depth.last, k};
    Segment other[kMaxKernel * kMaxKernel];
    p.continues = depth.first > 0 && segments(row, column, before, other) > 0;
    p.continued = depth.last < k && segments(row, column, after, other) > 0;
    // Without a tap inside the image the result is the bias alone, written once.
    if (p.segment_count == 0 && (p.continues || p.continued || depth.first > 0)) return;
    p.width = column.last - column.first;
    p.pixels = (row.last - row.first) * p.width;
    const int64_t ih = row.first * s.stride[1] - s.pad[1], iw = column.first * s.stride[2] - s.pad[2];
    p.a = {conv.x.data + image * conv.x.image + group * in + ih * conv.x.row + iw * conv.x.pixel,
           s.stride[1] * conv.x.row, s.stride[2] * conv.x.pixel};
    p.c = {conv.y.data + image * conv.y.image + group * out + row.first * conv.y.row + column.first * conv.y.pixel,
           conv.y.row, conv.y.pixel};
    if (conv.residual.data != nullptr) {
      const ImageView<const T>& r = conv.residual;
      p.add = {r.data + image * r.image + group * out + row.first * r.row + column.first * r.pixel, r.row, r.pixel};
    }
    p.b = conv.weights + static_cast<size_t>(group) * group_weights;
    p.n = out;
    p.k = k;
    p.bias = conv.bias ? conv.bias + group * out : nullptr;
    p.epilogue = conv.epilogue;
    product_run(p, 0, p.pixels, panels.first, panels.last);
  }

  // Output rows of one image by some panels of all groups. A deep product takes panel by panel and piece by piece of
  // the depth, so that a piece of B serves all pixels from the cache.
  void strip(int64_t image, Range rows, Range panels, int64_t group_panels) const {
    const bool is_deep = k > kMaxDepthOf<T>;
    // The product cuts the depth of float16 itself, so that sums between the pieces are floats.
    const int64_t pieces = is_deep && sizeof(T) == sizeof(float) ? ceil_div(k, kMaxDepthOf<T>) : 1;
    for (int64_t panel = panels.first; panel < panels.last;) {
      const int64_t group = panel / group_panels, first = panel % group_panels;
      const int64_t count = is_deep ? 1 : std::min(group_panels - first, panels.last - panel);
      for (int64_t i = 0; i < pieces; ++i)
        for (int64_t at = rows.first; at < rows.last;) {
          const Run row = run_from(s, 1, at, rows.last);
          at = row.last;
          for (int64_t c = 0; c < column_runs; ++c)
            rectangle(image, row, columns[c], group, {first, first + count}, {cut(i, pieces), cut(i + 1, pieces)});
        }
      panel += count;
    }
  }
  // Cuts of the depth fall between taps where these are not too long.
  int64_t cut(int64_t i, int64_t pieces) const {
    const int64_t at = k * i / pieces;
    return in <= kMaxDepthOf<T> ? (at + in / 2) / in * in : at;
  }

  int64_t strip_rows() const {
    const int64_t bytes = std::max<int64_t>(1, s.stride[1] * s.in[2] * s.in_channels * static_cast<int64_t>(sizeof(T)));
    return std::clamp<int64_t>((group_weights > kLargeWeights ? kLargeStripBytes : kStripBytes) / bytes, 4,
                               std::max<int64_t>(4, s.out[1]));
  }
};

}  // namespace

bool is_conv2d(const ConvShape& s) {
  return s.in[0] == 1 && s.out[0] == 1 && s.kernel[0] == 1 && s.pad[0] == 0 && s.kernel[1] <= kMaxKernel &&
         s.kernel[2] <= kMaxKernel;
}

template <class T>
void conv_direct(const Conv2dOf<T>& conv, const Workers& workers) {
  const ConvShape& s = conv.shape;
  const Direct<T> direct(conv);
  const int64_t group_panels = product_panels<T>(direct.out), panels = s.groups * group_panels;
  const int64_t rows = s.batch * s.out[1], step = direct.strip_rows();
  // Threads share the rows or, when the weights are the larger part, the panels.
  const bool by_panels = panels >= workers.count && (rows < 4 * workers.count || s.out_pixels() < direct.out);
  const int64_t units = by_panels ? panels : rows, parts = std::min<int64_t>(units, workers.count);
  workers.each(parts, [&](int64_t first, int64_t last) {
    const FlushDenormals flush;
    const Range mine{units * first / parts, units * last / parts};
    const Range my_rows = by_panels ? Range{0, rows} : mine, my_panels = by_panels ? mine : Range{0, panels};
    for (int64_t row = my_rows.first; row < my_rows.last;) {
      const int64_t image = row / s.out[1], from = row % s.out[1];
      const int64_t end = std::min(s.out[1], from + my_rows.last - row);
      const int64_t strips = ceil_div(end - from, step);
      for (int64_t i = 0; i < strips; ++i)
        direct.strip(image, {from + (end - from) * i / strips, from + (end - from) * (i + 1) / strips}, my_panels,
                     group_panels);
      row += end - from;
    }
  });
}

template void conv_direct<float>(const Conv2d& conv, const Workers& workers);
#ifdef WICK_HALF_KERNELS
template void conv_direct<Half>(const Conv2dOf<Half>& conv, const Workers& workers);
#endif

}  // namespace wick::kernels
