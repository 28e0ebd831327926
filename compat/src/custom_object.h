// An object of the application's own class, as Wick holds it.
#pragma once

#include <ATen/core/ivalue.h>

#include "wick/ivalue.h"

namespace wick_compat {

struct HeldObject : wick::CustomObject {
  HeldObject(c10::intrusive_ptr<torch::CustomClassHolder> held, const void* type)
      : object(std::move(held)), mark(type) {}
  std::string_view class_name() const override { return "__torch__.torch.classes.custom"; }
  wick::IValue get_state() const override { return {}; }

  c10::intrusive_ptr<torch::CustomClassHolder> object;
  const void* mark;  // stands for the C++ class; null: a capsule of any
};

}  // namespace wick_compat
