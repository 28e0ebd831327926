// How a C++ function becomes an operator of the table.
//
// An operator is one line in its family's list:
//
//   constexpr OpEntry kEntries[] = {
//       OP("aten::relu(Tensor self) -> Tensor", relu, pointwise, clamps),
//       OP_INPLACE("aten::relu_(Tensor(a!) self) -> Tensor(a!)", relu, pointwise),
//       OP_OUT("aten::sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", sigmoid, pointwise),
//   };
//   WICK_OP_FAMILY(kActivationOps, kEntries)
//
// OP_INPLACE and OP_OUT derive the variant from the functional C++ function. A function whose last
// parameter is `Out` gets the destination passed and writes to it; for others the result is copied.
//
// What follows the function is what is known about the operator beyond its schema: core/op_traits.h.
//
// A selective build keeps the entries that its list names. An entry left out refers to nothing, so the linker drops its
// function.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/op_traits.h"
#include "core/operator.h"
#include "core/schema.h"
#include "core/selection.h"
#include "ops/boxing.h"

namespace wick {

struct OpEntry {
  const char* schema = nullptr;
  OpCall call = nullptr;
  OpTraits traits;
  int16_t arity = 0;  // arguments the adapter takes, -1 for varargs; a test holds it equal to the schema's
};

struct OpFamily {
  std::span<const OpEntry> entries;
  SchemaForms forms;  // that the schemas have
};

// All entries in table order.
std::vector<const OpEntry*> all_operator_entries();

namespace detail {

constexpr bool is_selected(std::string_view schema) { return selects_overload(schema.substr(0, schema.find('('))); }

constexpr size_t count_selected(std::span<const OpEntry> entries) {
  size_t count = 0;
  for (const OpEntry& entry : entries) count += is_selected(entry.schema);
  return count;
}
template <size_t kCount>
constexpr std::array<OpEntry, kCount> select(std::span<const OpEntry> entries) {
  std::array<OpEntry, kCount> out;
  size_t at = 0;
  for (const OpEntry& entry : entries) {
    if (is_selected(entry.schema)) out[at++] = entry;
  }
  return out;
}

constexpr SchemaForms forms_of(std::span<const OpEntry> entries) {
  SchemaForms all;
  for (const OpEntry& entry : entries) {
    const SchemaForms own = schema_forms(entry.schema);
    if (own.types) all.types = own.types;
    if (own.defaults) all.defaults = own.defaults;
  }
  return all;
}

}  // namespace detail
}  // namespace wick

#define WICK_OP_ENTRY(schema, fn, variant, ...)                                                                     \
  ::wick::OpEntry {                                                                                                 \
    schema, &::wick::call_##variant<&fn>, ::wick::combine(__VA_ARGS__), ::wick::Box<decltype(&fn)>::variant##_arity \
  }
#define OP(schema, fn, ...) WICK_OP_ENTRY(schema, fn, plain, __VA_ARGS__)
#define OP_INPLACE(schema, fn, ...) WICK_OP_ENTRY(schema, fn, inplace, __VA_ARGS__)
#define OP_OUT(schema, fn, ...) WICK_OP_ENTRY(schema, fn, out, __VA_ARGS__)
#define WICK_OP_FAMILY(family, entries)                                                                              \
  static constexpr auto family##Selected = ::wick::detail::select<::wick::detail::count_selected(entries)>(entries); \
  constinit const ::wick::OpFamily family{family##Selected, ::wick::detail::forms_of(family##Selected)};
