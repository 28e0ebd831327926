// Classes implemented in C++ that a model may hold ("__torch__.torch.classes.xnnpack.Conv2dOpContext").
#pragma once

#include <string_view>

#include "wick/ivalue.h"

namespace wick {

// Makes an instance from the state a file stores. Throws kUnsupported naming a class this build lacks.
Ref<CustomObject> make_custom_object(std::string_view class_name, IValue state);

using CustomFactory = Ref<CustomObject> (*)(IValue state);

struct CustomClass {
  std::string_view name;
  CustomFactory make;
};

}  // namespace wick
