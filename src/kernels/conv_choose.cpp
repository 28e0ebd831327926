// Which method a convolution takes: expected times from the amount of arithmetic, of transforms and of weights read.
#include "kernels/conv_choose.h"

#include <algorithm>

#include "kernels/product.h"
#include "kernels/selected.h"
#include "kernels/winograd.h"

namespace wick::kernels {
namespace {

// Operations and bytes of one core in a nanosecond. Transforms are fitted to two layers timed on a Zen 4 core; the rate
// of products lies between that core's and a Sapphire Rapids'; that of weights from memory is the latter's, with models
// larger than its caches. Other vector widths are scaled, not measured.
constexpr double kFlopsPerLane = 10.0;      // multiply-adds count as two, products at about 0.95 of the peak
constexpr double kTransformPerFloat = 3.2;  // divided by the lanes: one value of a transformed tile, in or out
constexpr double kBytesStreamed = 13.0;     // of weights from memory
constexpr double kBytesCached = 30.0;       // of weights read again
// Winograd's has to win by this much: its weights push others out of the caches.
constexpr double kMargin = 0.9;
// How much faster a method has to be for which weights would be packed once more.
constexpr double kWorthAnotherForm = 1.4;

// Taps inside the image, over all output positions of a dimension.
double taps_inside(const ConvShape& s, int d) {
  double sum = 0;
  for (int64_t tap = 0; tap < s.kernel[d]; ++tap) {
    const int64_t shift = tap * s.dilation[d] - s.pad[d];
    const int64_t first = shift >= 0 ? 0 : (-shift + s.stride[d] - 1) / s.stride[d];
    const int64_t buffer = s.in[d] - 1 - shift;
    const int64_t last = buffer < 0 ? 0 : std::min(s.out[d], buffer / s.stride[d] + 1);
    sum += static_cast<double>(std::max<int64_t>(0, last - first));
  }
  return sum;
}

// Part of full speed that tiles of rows reach when there are `rows` of them.
double fullness(double rows) { return rows >= 24 ? 1.0 : rows / (rows + 2.0); }

// What takes longer, arithmetic or weights, hides three quarters of the other.
double time_of(double arithmetic, double bytes, double passes) {
  const double weights = bytes / kBytesStreamed;
  return std::max(arithmetic, weights) + 0.25 * std::min(arithmetic, weights) + bytes * (passes - 1) / kBytesCached;
}

double direct_time(const ConvShape& s, double flops_rate) {
  const double per_tap = static_cast<double>(s.group_in() * s.out_channels);
  const double flops = 2 * static_cast<double>(s.batch) * taps_inside(s, 1) * taps_inside(s, 2) * per_tap;
  const double bytes = 4 * static_cast<double>(s.taps()) * per_tap;
  return time_of(flops / (flops_rate * fullness(static_cast<double>(s.out_pixels()))), bytes, 1);
}

double winograd_time(const ConvShape& s, ConvMethod method, double flops_rate, double lanes, int workers) {
  const WinogradSize size = winograd_size(s, method);
  const double in = static_cast<double>(s.in_channels), out = static_cast<double>(s.out_channels);
  const double positions = static_cast<double>(size.positions), tiles = static_cast<double>(size.tiles);
  const double arithmetic = 2 * positions * tiles * in * out / (flops_rate * fullness(static_cast<double>(size.strip)));
  const double transforms = positions * tiles * (in + out) * kTransformPerFloat / (lanes * workers);
  const double strips = static_cast<double>((size.tiles + size.strip - 1) / size.strip);
  return time_of(arithmetic + transforms, 4 * positions * in * out, strips);
}

}  // namespace

bool is_grouped_conv(const ConvShape& s) {
  const int64_t channels = s.group_in(), lanes = product_lanes();
  const bool is_power = channels > 1 && (channels & (channels - 1)) == 0;
  return is_power && channels < lanes && s.in_channels >= lanes && s.in_channels == s.out_channels && is_conv2d(s) &&
         s.kernel[1] == 3 && s.kernel[2] == 3 && s.dilation[1] == 1 && s.dilation[2] == 1 && s.stride[2] <= 2;
}

ConvMethod choose_conv(const ConvShape& s, bool exact, int workers) { return choose_conv_form(s, exact, workers, 0); }

ConvMethod choose_conv_form(const ConvShape& s, bool exact, int workers, uint32_t packed) {
  if (build::kDepthwise && s.groups > 1 && s.in_channels == s.groups && s.out_channels == s.groups) {
    return ConvMethod::kDepthwise;
  }
  if (build::kGroupedConv && s.groups > 1 && is_grouped_conv(s)) return ConvMethod::kGrouped;
  if (!kHasWinograd || exact || !winograd_supports(s)) return ConvMethod::kDirect;
  const double lanes = static_cast<double>(product_lanes());
  const double rate = kFlopsPerLane * lanes * std::max(1, workers);
  const auto cost = [packed](ConvMethod method, double time) {
    return packed == 0 || (packed & bit_of(method)) != 0 ? time : time * kWorthAnotherForm;
  };
  ConvMethod best = ConvMethod::kDirect;
  double least = cost(best, kMargin * direct_time(s, rate));
  for (const ConvMethod method : {ConvMethod::kWinograd2, ConvMethod::kWinograd4}) {
    if (method == ConvMethod::kWinograd2 ? !build::kWinograd2 : !build::kWinograd4) continue;
    const double time = cost(method, winograd_time(s, method, rate, lanes, std::max(1, workers)));
    if (time >= least) continue;
    least = time;
    best = method;
  }
  return best;
}

}  // namespace wick::kernels
