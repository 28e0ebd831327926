// PyTorch's C++ text of a tensor, which str() and print() of TorchScript give.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/budget.h"
#include "core/check.h"
#include "core/copy.h"
#include "core/limits.h"
#include "core/repr.h"

namespace wick {
namespace {

constexpr int64_t kLineWidth = 80;

// How the numbers of one printed matrix or vector are written.
struct Format {
  double scale = 1;
  int width = 0;
  char style = 'g';  // 'g': 6 significant digits; 'e', 'f': 4 decimals
};

// Digits before the point.
int exponent_of(double v) { return v == 0 ? 1 : static_cast<int>(std::floor(std::log10(v))) + 1; }

// `at(i)` gives the i-th of n numbers.
template <class At>
Format choose_format(int64_t n, At at) {
  bool integral = true;
  bool any = false;
  double low = 0, high = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double v = at(i);
    if (!std::isfinite(v)) continue;
    integral = integral && v == std::ceil(v);
    if (!any) {
      low = high = std::fabs(v);
      any = true;
    }
    low = std::min(low, std::fabs(v));
    if (v > high) high = v;
  }
  const int exp_low = any ? exponent_of(low) : 1;
  const int exp_high = any ? exponent_of(high) : 1;
  if (integral) return exp_high > 9 ? Format{1, 11, 'e'} : Format{1, exp_high + 1, 'g'};
  if (exp_high - exp_low > 4) {
    return Format{1, std::abs(exp_high) > 99 || std::abs(exp_low) > 99 ? 12 : 11, 'e'};
  }
  if (exp_high > 5 || exp_high < 0) return Format{std::pow(10.0, exp_high - 1), 7, 'f'};
  return Format{1, exp_high == 0 ? 7 : exp_high + 6, 'f'};
}

void append_number(std::string& out, double v, const Format& format) {
  char text[400];
  const double scaled = v / format.scale;
  switch (format.style) {
    case 'e':
      std::snprintf(text, sizeof text, "%*.4e", format.width, scaled);
      break;
    case 'f':
      std::snprintf(text, sizeof text, "%*.4f", format.width, scaled);
      break;
    default:
      std::snprintf(text, sizeof text, "%*g", format.width, scaled);
      break;
  }
  out += text;
}

void append_scale(std::string& out, const Format& format) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g *\n", format.scale);
  out += text;
}

void append_vector(std::string& out, const double* values, int64_t n) {
  const Format format = choose_format(n, [&](int64_t i) { return values[i]; });
  if (format.scale != 1) append_scale(out, format);
  for (int64_t i = 0; i < n; ++i) {
    append_number(out, values[i], format);
    out += '\n';
  }
}

void append_matrix(std::string& out, const double* values, int64_t rows, int64_t columns, int indent) {
  const Format format = choose_format(rows * columns, [&](int64_t i) { return values[i]; });
  out.append(indent, ' ');
  const int64_t group = std::max<int64_t>(1, (kLineWidth - indent) / (format.width + 1));
  for (int64_t first = 0; first < columns; first += group) {
    const int64_t last = std::min(first + group, columns);
    if (group < columns) {
      if (first > 0) out += '\n';
      text::append(out, "Columns ");
      text::append(out, first + 1);
      text::append(out, " to ");
      text::append(out, last);
      out.append(indent, ' ');
    }
    if (format.scale != 1) {
      append_scale(out, format);
      out.append(indent, ' ');
    }
    for (int64_t r = 0; r < rows; ++r) {
      if (r > 0) out.append(indent + (format.scale != 1), ' ');
      for (int64_t c = first; c < last; ++c) {
        if (c > first) out += ' ';
        append_number(out, values[r * columns + c], format);
      }
      out += '\n';
    }
    check_budget();
    WICK_CHECK(out.size() <= limits::kMaxReprLength, kLimitExceeded, "the text of a tensor is longer than ",
               limits::kMaxReprLength, " bytes");
  }
}

// All matrices of the last two dims; the first index varies fastest.
void append_matrices(std::string& out, const double* values, IntSpan sizes) {
  const size_t leading = sizes.size() - 2;
  const int64_t rows = sizes[leading], columns = sizes[leading + 1];
  IntVec index(leading);
  for (bool first = true;; first = false) {
    if (!first) out += '\n';
    out += '(';
    int64_t offset = 0;
    for (size_t d = 0; d < leading; ++d) {
      text::append(out, index[d] + 1);
      out += ',';
      offset = offset * sizes[d] + index[d];
    }
    out += ".,.) = \n";
    append_matrix(out, values + offset * rows * columns, rows, columns, 1);
    size_t d = 0;
    while (d < leading && ++index[d] == sizes[d]) index[d++] = 0;
    if (d == leading) return;
  }
}

void append_quantizer(std::string& out, const Quantizer& q) {
  static constexpr const char* kNames[] = {"per_tensor_affine", "per_channel_affine", "per_tensor_symmetric",
                                           "per_channel_symmetric", "per_channel_affine_float_qparams"};
  text::append(out, ", qscheme: ");
  out += kNames[static_cast<size_t>(q.scheme)];
  if (q.scheme == QScheme::kPerTensorAffine || q.scheme == QScheme::kPerTensorSymmetric) {
    text::append(out, ", scale: ");
    append_number(out, q.scale, Format{});
    text::append(out, ", zero_point: ");
    text::append(out, q.zero_point);
    return;
  }
  text::append(out, ", scales: ");
  append_tensor(out, q.scales);
  text::append(out, ", zero_points: ");
  append_tensor(out, q.zero_points);
  text::append(out, ", axis: ");
  text::append(out, q.axis);
}

}  // namespace

void append_tensor(std::string& out, const Tensor& t) {
  // An expanded tensor may claim more elements than there is memory to write them in.
  WICK_CHECK(static_cast<uint64_t>(t.numel()) <= limits::kMaxReprLength / 2, kLimitExceeded, "the text of a tensor of ",
             t.numel(), " elements is longer than ", limits::kMaxReprLength, " bytes");
  const Tensor real = t.is_quantized() ? to_dtype(t, DType::kFloat) : t;
  const Tensor doubles = contiguous(to_dtype(real, DType::kDouble));
  const double* values = doubles.data_ptr<double>();
  const IntSpan sizes = t.sizes();
  if (t.dim() == 0) {
    append_number(out, values[0], Format{});
    out += '\n';
  } else if (t.numel() > 0) {
    if (t.dim() == 1) {
      append_vector(out, values, sizes[0]);
    } else if (t.dim() == 2) {
      append_matrix(out, values, sizes[0], sizes[1], 0);
    } else {
      append_matrices(out, values, sizes);
    }
  }
  text::append(out, t.is_quantized() ? "[ QuantizedCPU" : "[ CPU");
  out += name_of(t.dtype());
  text::append(out, "Type{");
  for (int64_t d = 0; d < t.dim(); ++d) {
    if (d > 0) out += ',';
    text::append(out, sizes[static_cast<size_t>(d)]);
  }
  out += '}';
  if (t.is_quantized()) append_quantizer(out, t.quantizer());
  text::append(out, " ]");
}

}  // namespace wick
