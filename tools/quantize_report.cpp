// The quantizer's report: a table of layers on the terminal, a page with histograms.
#include "quantize_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "archive/writer.h"
#include "html.h"

namespace wick::tools {

namespace {

std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string decibels(const LayerReport& layer, double value) {
  if (!layer.measured) return "-";
  return std::isinf(value) ? "exact" : number("%.1f", value);
}

size_t quantized_count(const QuantizeReport& report) {
  return static_cast<size_t>(std::count_if(report.layers.begin(), report.layers.end(),
                                           [](const LayerReport& layer) { return layer.quantized; }));
}

std::string summary(const QuantizeReport& report) {
  const bool half = !report.layers.empty() && report.layers[0].op == "float16";
  std::string out = std::to_string(quantized_count(report)) + " of " + std::to_string(report.layers.size()) +
                    (half ? " weights in half precision" : " layers quantized");
  if (report.inputs > 0) out += ", calibrated on " + std::to_string(report.inputs) + " inputs";
  if (report.measured) {
    out += "; outputs: " + (std::isinf(report.output_snr) ? "exact" : number("%.1f dB", report.output_snr)) +
           ", relative error " + number("%.4f", report.loss);
  }
  return out;
}

std::string bars(const LayerReport& layer) {
  constexpr int kWidth = 240, kHeight = 40;
  float tallest = 0;
  for (float count : layer.histogram) tallest = std::max(tallest, std::log1p(count));
  if (tallest <= 0) return "";
  const double step = static_cast<double>(kWidth) / static_cast<double>(layer.histogram.size());
  std::string path;
  for (size_t i = 0; i < layer.histogram.size(); ++i) {
    const double height = kHeight * std::log1p(layer.histogram[i]) / tallest;
    path += "M" + number("%.1f", (static_cast<double>(i) + 0.5) * step) + " 40v-" + number("%.1f", height);
  }
  std::string clip;
  if (layer.quantized && layer.greatest > layer.least) {
    const double low = -static_cast<double>(layer.zero_point) * layer.scale;
    const double high = (255.0 - static_cast<double>(layer.zero_point)) * layer.scale;
    auto place = [&](double v) {
      return std::clamp((v - layer.least) / (layer.greatest - layer.least), 0.0, 1.0) * kWidth;
    };
    clip = "<path d=\"M" + number("%.1f", place(low)) + " 0v40M" + number("%.1f", place(high)) +
           " 0v40\" stroke=\"#c33\" stroke-dasharray=\"2\"/>";
  }
  return "<svg width=\"240\" height=\"40\"><path d=\"" + path + "\" stroke=\"#58a\" stroke-width=\"" +
         number("%.2f", std::max(step, 1.0)) + "\"/>" + clip + "</svg>";
}

}  // namespace

void print_quantize_report(const QuantizeReport& report) {
  size_t width = 5;
  for (const LayerReport& layer : report.layers) width = std::max(width, layer.name.size());
  width = std::min<size_t>(width, 48);
  const int w = static_cast<int>(width);
  if (report.measured) {
    std::printf("%-*s  %9s %8s %8s  %s\n", w, "layer", "harm", "own dB", "dB", "operator");
  } else if (!report.layers.empty()) {
    std::printf("%-*s  %s\n", w, "layer", "operator");
  }
  for (const LayerReport& layer : report.layers) {
    if (layer.quantized && layer.op == "float16") continue;  // all weights, as asked
    std::printf("%-*s  ", w, layer.name.c_str());
    if (report.measured) {
      std::printf("%9s %8s %8s  ", layer.measured ? number("%.5f", layer.harm).c_str() : "-",
                  decibels(layer, layer.own_snr).c_str(), decibels(layer, layer.snr).c_str());
    }
    std::printf("%s%s%s\n", layer.op.c_str(), layer.quantized ? "" : ", float: ", layer.reason.c_str());
  }
  std::printf("%s\n", summary(report).c_str());
}

void write_quantize_page(const QuantizeReport& report, const std::string& title, const std::string& path) {
  std::string page = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>" + escaped(title) +
                     "</title><style>body{font:14px/1.5 system-ui,sans-serif;margin:2em auto;max-width:1100px;"
                     "color:#222}h1{font-size:20px}table{border-collapse:collapse;width:100%}td,th{padding:2px 8px;"
                     "text-align:left;border-bottom:1px solid #eee;vertical-align:middle}td.n{text-align:right;"
                     "font-variant-numeric:tabular-nums}tr.float td{color:#888}.bar{display:inline-block;height:10px;"
                     "background:#d76;border-radius:2px}</style><h1>" +
                     escaped(title) + "</h1><p>" + escaped(summary(report)) +
                     "</p><p>Harm: relative error of the outputs when only this layer is quantized. Own: the layer's "
                     "signal to noise with inputs as in the float model. Histograms (logarithmic) are of the float "
                     "results; dashed lines bound what the integers can hold.</p><table><tr><th>layer<th>operator"
                     "<th>harm<th><th>own dB<th>dB<th>scale<th>zero<th>range<th>values\n";
  double worst = 1e-30;
  for (const LayerReport& layer : report.layers) worst = std::max(worst, layer.harm);
  for (const LayerReport& layer : report.layers) {
    page += std::string("<tr") + (layer.quantized ? "" : " class=\"float\"") + "><td>" + escaped(layer.name) + "<td>" +
            escaped(layer.op);
    if (!layer.quantized) page += "<br>float: " + escaped(layer.reason);
    page += "<td class=\"n\">" + (layer.measured ? number("%.5f", layer.harm) : std::string("-")) +
            "<td><i class=\"bar\" style=\"width:" + number("%.0f", 120 * layer.harm / worst) + "px\"></i>" +
            "<td class=\"n\">" + decibels(layer, layer.own_snr) + "<td class=\"n\">" + decibels(layer, layer.snr);
    if (layer.quantized && layer.scale > 0) {
      page += "<td class=\"n\">" + number("%.5g", layer.scale) + "<td class=\"n\">" + std::to_string(layer.zero_point);
    } else {
      page += "<td><td>";
    }
    page += layer.histogram.empty()
                ? "<td>"
                : "<td class=\"n\">" + number("%.4g", layer.least) + " &hellip; " + number("%.4g", layer.greatest);
    page += "<td>" + bars(layer) + "\n";
  }
  page += "</table></html>\n";
  write_file(path, {reinterpret_cast<const uint8_t*>(page.data()), page.size()});
}

}  // namespace wick::tools
