// The table of custom classes; adding one is one line.
#include "ops/custom_classes.h"

#include <span>

#include "core/check.h"

namespace wick {

namespace {

constexpr std::span<const CustomClass> kClasses;

}  // namespace

Ref<CustomObject> make_custom_object(std::string_view class_name, IValue state) {
  for (const CustomClass& entry : kClasses) {
    if (entry.name == class_name) return entry.make(std::move(state));
  }
  fail(ErrorCode::kUnsupported,
       cat("the model holds an object of class ", class_name, ", which this build does not have"));
}

}  // namespace wick
