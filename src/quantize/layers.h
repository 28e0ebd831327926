// The layers of a method that have an 8-bit form.
#pragma once

#include <string>
#include <vector>

#include "quantize/canonical.h"

namespace wick::quantize {

enum class LayerKind : uint8_t {
  kConv,        // conv1d, conv2d, conv3d
  kTransposed,  // conv_transpose1d, conv_transpose2d
  kLinear,
  kAdd,
  kMul,
  kCat,
  kUnary,  // has_quantized_form
  kNorm,   // batch_norm by fixed statistics
  kFixed,  // fixed_qparams: the scale of the result is given
  kSame,   // the scale of the result is the input's: pools, views, clamps
};

struct Layer {
  LayerKind kind;
  ir::Node* node;
  // relu or a clamp around zero that is done with the layer; null when there is none.
  ir::Node* activation = nullptr;
  bool relu = false;
  std::string name;
  std::string reason;               // why it stays float; empty when it can be quantized
  std::vector<ir::Value*> inputs;   // tensors it works on (for kSame perhaps a list of them)
  std::vector<ir::Value*> outputs;  // of the activation when there is one
  // Weighted layers.
  Tensor weight;
  IValue bias;
  IntVec stride, padding, dilation, output_padding;
  int64_t groups = 1;

  bool has_weight() const { return kind <= LayerKind::kLinear; }
  // Layers that are worth leaving float numbers for.
  bool is_anchor() const { return has_weight(); }
  int64_t spatial_dims() const { return static_cast<int64_t>(stride.size()); }
};

// In the order of the code. Values that code writes to stay float.
std::vector<Layer> find_layers(ir::Function& function, LayerNames& names);

}  // namespace wick::quantize
