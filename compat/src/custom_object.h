// An object of the application's own class, as Wick holds it.
#pragma once

#include <ATen/core/ivalue.h>

#include "wick/ivalue.h"

namespace wick_compat {

// Methods and state are those that torch::class_ registered for the mark; an object of a class that was not registered
// can be passed around alone.
struct HeldObject : wick::CustomObject {
  HeldObject(c10::intrusive_ptr<torch::CustomClassHolder> held, const void* type)
      : object(std::move(held)), mark(type) {}
  std::string_view class_name() const override;
  wick::IValue get_state() const override;
  wick::IValue call(std::string_view method, std::vector<wick::IValue> args) override;

  c10::intrusive_ptr<torch::CustomClassHolder> object;
  const void* mark;  // stands for the C++ class; null: a capsule of any
};

}  // namespace wick_compat
