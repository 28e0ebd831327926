// Puts scales and biases of packed weights into one storage, to save records.
#include "quantize/pool.h"

#include <map>

#include "core/copy.h"
#include "core/custom_classes.h"
#include "core/tensor_impl.h"
#include "quantize/edit.h"

namespace wick::quantize {

namespace {

// What a file stores of packed weights, taken apart.
struct Packed {
  std::string class_name;
  IValue numbers;  // stride, padding and so on; None for linear layers
  Tensor weight, bias;

  bool has_scales() const {
    return weight.quantizer().scales.defined() && weight.quantizer().scales.dtype() == DType::kFloat;
  }
};

std::optional<Packed> taken_apart(const CustomObject& object) {
  const IValue state = object.get_state();
  const std::vector<IValue>& items = state.to_tuple().items;
  Packed out;
  out.class_name = object.class_name();
  if (out.class_name == kLinearPackedClass) {
    if (!items[1].is_tensor()) return std::nullopt;
    out.weight = items[0].to_tensor();
    out.bias = items[1].to_tensor();
  } else if (out.class_name == kConv2dPackedClass) {
    const IValue bias = items[2].to_list().items[0];
    if (!bias.is_tensor()) return std::nullopt;
    out.numbers = items[1].to_list().items[0];
    out.weight = items[1].to_list().items[1].to_tensor();
    out.bias = bias.to_tensor();
  } else {
    return std::nullopt;
  }
  return out.weight.is_quantized() && out.bias.dtype() == DType::kFloat ? std::optional<Packed>(out) : std::nullopt;
}

class Pool {
 public:
  explicit Pool(int64_t size) : all_(Tensor::empty({size})) {}
  Tensor put(const Tensor& values) {
    const Tensor place = all_.as_strided({values.numel()}, {1}, used_);
    used_ += values.numel();
    copy_into(place, values);
    return place;
  }

 private:
  Tensor all_;
  int64_t used_ = 0;
};

IValue put_together(const Packed& packed, Pool& pool) {
  const Tensor weight = packed.weight.alias();
  if (packed.has_scales()) {
    auto quantizer = std::make_shared<Quantizer>(weight.quantizer());
    quantizer->scales = pool.put(quantizer->scales);
    weight.impl()->quantizer = std::move(quantizer);
  }
  const Tensor bias = pool.put(packed.bias);
  IValue state = packed.numbers.is_none()
                     ? IValue::tuple({weight, bias})
                     : IValue::tuple({IValue("2"), IValue::tensor_list({packed.numbers.to_tensor(), weight}),
                                      IValue::list(types::optional(types::tensor()), {bias})});
  return IValue(make_custom_object(packed.class_name, std::move(state)));
}

}  // namespace

void pool_small_tensors(ir::Program& program) {
  std::vector<std::pair<ir::Node*, size_t>> uses;
  std::vector<Packed> packed;  // in the order of their first uses: equal models become equal files
  std::map<const void*, size_t> places;
  int64_t size = 0;
  for (const auto& function : program.functions) {
    each_node(*function->graph.body(), [&](ir::Node& node) {
      if (node.kind != ir::NodeKind::kConstant || !node.constant.is_custom()) return;
      const void* object = node.constant.ref_or_null();
      if (!places.contains(object)) {
        std::optional<Packed> parts = taken_apart(node.constant.to_custom());
        if (!parts) return;
        size += parts->bias.numel() + (parts->has_scales() ? parts->weight.quantizer().scales.numel() : 0);
        places.emplace(object, packed.size());
        packed.push_back(std::move(*parts));
      }
      uses.emplace_back(&node, places.at(object));
    });
  }
  Pool pool(size);
  std::vector<IValue> pooled;
  for (const Packed& parts : packed) pooled.push_back(put_together(parts, pool));
  for (const auto& [node, place] : uses) node->constant = pooled[place];
}

}  // namespace wick::quantize
