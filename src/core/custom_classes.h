// Classes implemented in C++ that a model may hold ("__torch__.torch.classes.xnnpack.Conv2dOpContext").
#pragma once

#include <atomic>
#include <string_view>

#include "wick/ivalue.h"

namespace wick {

// Makes an instance from the state a file stores. Throws kUnsupported naming a class this build lacks.
Ref<CustomObject> make_custom_object(std::string_view class_name, IValue state);

// Packed weights of quantized layers: the operators make and read them, the quantizer takes their states apart.
constexpr std::string_view kLinearPackedClass = "__torch__.torch.classes.quantized.LinearPackedParamsBase";
constexpr std::string_view kConv2dPackedClass = "__torch__.torch.classes.quantized.Conv2dPackedParamsBase";

// Classes that an application registers at run time: makes an instance, or gives null for a class it does not know.
// Null until there are any.
using CustomClassFinder = Ref<CustomObject> (*)(std::string_view class_name, const IValue& state);
extern std::atomic<CustomClassFinder> custom_class_finder;

using CustomFactory = Ref<CustomObject> (*)(IValue state);

struct CustomClass {
  std::string_view name;
  CustomFactory make;
};

}  // namespace wick
