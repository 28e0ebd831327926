// Values that hold themselves, nest deeply or share their parts: for tests.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "wick/ivalue.h"

namespace wick::test {

enum class Kind { kList, kTuple, kDict, kObject };
inline constexpr Kind kKinds[] = {Kind::kList, Kind::kTuple, Kind::kDict, Kind::kObject};

// A container of two items.
inline IValue pair_of(Kind kind, IValue first, IValue second) {
  switch (kind) {
    case Kind::kList:
      return IValue::list(types::any(), {std::move(first), std::move(second)});
    case Kind::kTuple:
      return IValue::tuple({std::move(first), std::move(second)});
    case Kind::kDict: {
      auto dict = make_ref<DictImpl>();
      dict->key_type = types::integer();
      dict->value_type = types::any();
      dict->set(0, std::move(first));
      dict->set(1, std::move(second));
      return IValue(dict);
    }
    default: {
      static const auto cls = [] {
        auto c = std::make_shared<ClassInfo>();
        c->name = "__torch__.Pair";
        c->attributes = {"first", "second"};
        c->attribute_types = {types::any(), types::any()};
        return c;
      }();
      auto object = make_ref<ObjectImpl>();
      object->cls = cls;
      object->set(0, std::move(first));
      object->set(1, std::move(second));
      return IValue(object);
    }
  }
}

// Containers in containers, the innermost holding an int.
inline IValue deep(Kind kind, size_t levels) {
  IValue value = 1;
  for (size_t i = 0; i < levels; ++i) value = pair_of(kind, std::move(value), IValue());
  return value;
}

// Each level holds the one below twice: 2^levels places.
inline IValue doubled(Kind kind, size_t levels) {
  IValue value = 1;
  for (size_t i = 0; i < levels; ++i) value = pair_of(kind, value, value);
  return value;
}

// A container that holds itself, a tuple by way of a list. Lets go of itself in the end.
struct SelfHeld {
  explicit SelfHeld(Kind kind) {
    switch (kind) {
      case Kind::kList:
        value = holder = IValue::list(types::any(), {});
        holder.to_list().items.push_back(value);
        break;
      case Kind::kTuple:
        holder = IValue::list(types::any(), {});
        value = IValue::tuple({holder});
        holder.to_list().items.push_back(value);
        break;
      case Kind::kDict: {
        auto dict = make_ref<DictImpl>();
        dict->key_type = types::integer();
        dict->value_type = types::any();
        value = holder = IValue(dict);
        dict->set(0, value);
        break;
      }
      case Kind::kObject:
        value = holder = pair_of(kind, IValue(), IValue());
        holder.to_object().set(0, value);
        break;
    }
  }
  ~SelfHeld() {
    if (holder.is_list()) holder.to_list().items.clear();
    if (holder.is_dict()) holder.to_dict().clear();
    if (holder.is_object()) holder.to_object().set(0, IValue());
  }
  SelfHeld(const SelfHeld&) = delete;
  SelfHeld& operator=(const SelfHeld&) = delete;

  IValue value;

 private:
  IValue holder;
};

}  // namespace wick::test
