// Post-training quantization: models with 8-bit or half-precision weights from float ones. Part of the compiler library
// (wick::compiler). What comes out is saved by save_lite or save_torchscript; PyTorch's qnnpack engine loads and runs
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "wick/module.h"

namespace wick {

// How the range of a value follows from what calibration sees of it.
enum class Observer : uint8_t {
  kHistogram,      // the range with the least squared error of rounding and clipping
  kMinMax,         // everything seen
  kMovingAverage,  // smallest and largest of each input, averaged with weight 0.01 for the newest
};

enum class WeightType : uint8_t { kInt8, kFloat16 };

// How a model is quantized; members for static or dynamic quantization alone say so.
//
//   wick::QuantizeOptions options;
//   options.observer = wick::Observer::kMinMax;
//   options.skip = {"classifier"};
//   wick::Quantized out = wick::quantize_static(module, {{image1}, {image2}}, options);
//   wick::save_lite(out.module, "int8.ptl");
struct QuantizeOptions {
  // A scale for each output channel of a weight, or one for all.
  bool per_channel = true;
  Observer observer = Observer::kHistogram;
  // Weights of dynamic layers.
  WeightType weights = WeightType::kInt8;
  // Layers, as the report names them, or modules ("layer1" has "layer1.0.conv1"), that stay float.
  std::vector<std::string> skip;
  // Static: leaves the worst layers in float until the relative error of the outputs on the calibration data (noise
  // over signal, root mean square) is at most this. Negative: no limit.
  double max_loss = -1;
  // Static: how many calibration inputs the report is measured on; 0: no report.
  size_t report_inputs = 4;
  // Called on the calling thread as work proceeds: what is being done, and how much of it.
  std::function<void(const char* what, size_t done, size_t total)> progress;
};

// What became of a layer and what that costs.
struct LayerReport {
  std::string name;  // "layer1.0.conv1"
  std::string op;    // the operator it became, or is
  bool quantized = false;
  std::string reason;  // why it stayed float
  // Decibels of the layer's result against float; measured on the calibration data. Infinite without noise.
  double snr = 0;      // in the quantized model
  double own_snr = 0;  // with inputs as in the float model
  double harm = 0;     // relative error of the outputs when only this layer is quantized
  bool measured = false;
  double scale = 0;  // of the result
  int64_t zero_point = 0;
  // The float result: counts of equal bins between the least and the greatest value.
  float least = 0, greatest = 0;
  std::vector<float> histogram;
};

// What became of a model: its layers, and its outputs against the float model's.
struct QuantizeReport {
  std::vector<LayerReport> layers;  // the most harmful first, then those that stayed float
  bool measured = false;
  double output_snr = 0;  // decibels of the outputs against float
  double loss = 0;        // relative error of the outputs
  size_t inputs = 0;      // calibration inputs seen
};

// A quantized model and how it was made. The original model is not changed.
struct Quantized {
  Module module;
  QuantizeReport report;
};

// Linear, LSTM and GRU layers with 8-bit weights (their inputs are rounded as they come) or half-precision ones. Throws
// kInvalidArgument for a model that is quantized already, a weight with NaN or infinite values, an unknown layer in
// `skip`.
Quantized quantize_dynamic(const Module& module, const QuantizeOptions& options = {});

// `forward` in 8-bit integers, scales from its values for the calibration inputs (lists of arguments). What cannot be
// quantized stays float, with a reason in the report. Throws as above, and kInvalidArgument, naming the input, when
// the model does not run on one.
Quantized quantize_static(const Module& module, const std::vector<std::vector<IValue>>& calibration,
                          const QuantizeOptions& options = {});

// Float weights stored in half precision and computed with in float.
Quantized quantize_float16(const Module& module);

}  // namespace wick
