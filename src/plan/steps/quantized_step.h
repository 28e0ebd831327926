// Steps on quantized tensors whose scales and zero points are the same in every run. All are tensors of bytes without
// sign; images have their channels last.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/int8_pointwise.h"
#include "ops/quantize/packed.h"
#include "plan/steps/step.h"

namespace wick::plan {

// What a step keeps alive besides its numbers: the object the weights are part of.
using Keeper = IValue;

// Reads an image, writes one.
std::unique_ptr<Step> quantized_conv_step(const ir::Node* node, const ops::Int8Layer& layer, Keeper keeper,
                                          std::shared_ptr<const ops::LayerNumbers> numbers,
                                          const kernels::ConvShape& shape, StepName name);
// Reads rows, writes rows.
std::unique_ptr<Step> quantized_linear_step(const ir::Node* node, const ops::Int8Layer& layer, Keeper keeper,
                                            std::shared_ptr<const ops::LayerNumbers> numbers, int64_t rows,
                                            StepName name);
// Reads rows of floats, writes rows of floats; scale and zero point are found at each run.
std::unique_ptr<Step> dynamic_linear_step(const ir::Node* node, const ops::LinearPacked& packed, Keeper keeper,
                                          int64_t rows, bool relu, StepName name);
// Reads two tensors of the same layout.
std::unique_ptr<Step> quantized_sum_step(const ir::Node* node, const kernels::AddBytes& sum, int64_t count);
std::unique_ptr<Step> quantized_product_step(const ir::Node* node, const kernels::MultiplyBytes& product,
                                             int64_t count);
// Floats to bytes and back, element by element.
std::unique_ptr<Step> quantize_step(const ir::Node* node, const kernels::Quantize& q, int64_t count);
std::unique_ptr<Step> dequantize_step(const ir::Node* node, float scale, int32_t zero, int64_t count);
// What becomes of each byte.
using ByteTable = std::array<uint8_t, 256>;
std::unique_ptr<Step> byte_table_step(const ir::Node* node, const ByteTable& table, int64_t count, StepName name);
// Rows of bytes, side by side: each part of a row has so many, and is looked up where it has a table.
struct BytePart {
  int64_t bytes;
  std::optional<ByteTable> table;
};
std::unique_ptr<Step> join_bytes_step(const ir::Node* node, int64_t rows, std::vector<BytePart> parts);
// Images of three planes of floats to pixels of three bytes.
std::unique_ptr<Step> quantize_pixels_step(const ir::Node* node, const kernels::Quantize& q, int64_t batch,
                                           int64_t pixels);

}  // namespace wick::plan
