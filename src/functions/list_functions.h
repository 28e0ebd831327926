// Included by the functions of a list of operators before the list itself: of its lines only the C++ functions that
// they name are wanted here, not the table.
#pragma once

#include "functions/direct_call.h"
#include "ops/families.h"
#include "wick/tensor.h"

#pragma GCC diagnostic ignored "-Wunused-function"  // of a list: not every line is a function of the API

#undef OP
#undef OP_INPLACE
#undef OP_OUT
#undef WICK_OP_FAMILY
#define OP(schema, fn, ...) \
  ::wick::OpEntry {}
#define OP_INPLACE(schema, fn, ...) \
  ::wick::OpEntry {}
#define OP_OUT(schema, fn, ...) \
  ::wick::OpEntry {}
#define WICK_OP_FAMILY(family, entries) static_assert(std::size(entries) > 0);

namespace wick {
using direct::apply_inplace;
using direct::apply_out;
using direct::apply_plain;
using direct::DefaultGenerator;
}  // namespace wick
