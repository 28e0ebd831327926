// The quantizer's report: a table of layers on the terminal, a page with histograms.
#include "quantize_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "html.h"
#include "output.h"

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

std::string decibel_cell(const LayerReport& layer, double value) {
  const bool is_exact = layer.measured && std::isinf(value);
  return std::string("<td class=\"n\"") + (is_exact ? " data-v=\"Infinity\">" : ">") + decibels(layer, value);
}

size_t quantized_count(const QuantizeReport& report) {
  return static_cast<size_t>(std::count_if(report.layers.begin(), report.layers.end(),
                                           [](const LayerReport& layer) { return layer.quantized; }));
}

std::string summary(const QuantizeReport& report) {
  const bool half = !report.layers.empty() && report.layers[0].op == "float16";
  std::string out = std::to_string(quantized_count(report)) + " of " + std::to_string(report.layers.size()) +
                    (half ? " weights in half precision" : " layers quantized");
  if (report.inputs > 0) {
    out += ", calibrated on " + std::to_string(report.inputs) + (report.inputs == 1 ? " input" : " inputs");
  }
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
    say("%-*s  %9s %8s %8s  %s\n", w, "layer", "harm", "own dB", "dB", "operator");
  } else if (!report.layers.empty()) {
    say("%-*s  %s\n", w, "layer", "operator");
  }
  for (const LayerReport& layer : report.layers) {
    if (layer.quantized && layer.op == "float16") continue;  // all weights, as asked
    say("%-*s  ", w, layer.name.c_str());
    if (report.measured) {
      say("%9s %8s %8s  ", layer.measured ? number("%.5f", layer.harm).c_str() : "-",
          decibels(layer, layer.own_snr).c_str(), decibels(layer, layer.snr).c_str());
    }
    say("%s%s%s\n", layer.op.c_str(), layer.quantized ? "" : ", float: ", layer.reason.c_str());
  }
  say("%s\n", summary(report).c_str());
}

void append_quantize_report(Json& json, const QuantizeReport& report) {
  json.begin_object().key("inputs").number(static_cast<long>(report.inputs));
  json.key("measured").boolean(report.measured).key("output_snr").number(report.output_snr);
  json.key("loss").number(report.loss).key("layers").begin_array();
  for (const LayerReport& layer : report.layers) {
    json.begin_object().key("name").string(layer.name).key("operator").string(layer.op);
    json.key("quantized").boolean(layer.quantized);
    if (!layer.quantized) json.key("reason").string(layer.reason);
    if (layer.measured)
      json.key("harm").number(layer.harm).key("own_snr").number(layer.own_snr).key("snr").number(layer.snr);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_quantize_page(const QuantizeReport& report, const std::string& title, const std::string& path) {
  std::string page = page_begin("Quantization", title);
  page += "<p>" + escaped(summary(report)) +
          "</p><p>Harm: relative error of the outputs when only this layer is quantized. Own: the layer's signal to "
          "noise with inputs as in the float model. Histograms (logarithmic) are of the float results; dashed lines "
          "bound what the integers can hold.</p><div class=\"wide\"><table class=\"sort\"><tr><th>layer<th>operator"
          "<th class=\"n\">harm<th class=\"picture\"><th class=\"n\">own dB<th class=\"n\">dB<th class=\"n\">scale"
          "<th class=\"n\">zero"
          "<th class=\"n\">range<th>values\n";
  double worst = 1e-30;
  for (const LayerReport& layer : report.layers) worst = std::max(worst, layer.harm);
  for (const LayerReport& layer : report.layers) {
    page += std::string("<tr") + (layer.quantized ? "" : " class=\"float\"") + "><td>" + escaped(layer.name) + "<td>" +
            escaped(layer.op);
    if (!layer.quantized) page += "<br>float: " + escaped(layer.reason);
    page += "<td class=\"n\">" + (layer.measured ? number("%.5f", layer.harm) : std::string("-")) +
            "<td class=\"picture\"><i class=\"bar\" style=\"width:" + number("%.0f", 120 * layer.harm / worst) +
            "px\"></i>" + decibel_cell(layer, layer.own_snr) + decibel_cell(layer, layer.snr);
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
  write_page(page + "</table></div>" + page_end(), path);
}

}  // namespace wick::tools
