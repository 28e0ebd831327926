// Copies of elements between layouts.
#pragma once

#include <cstddef>

#include "wick/span.h"

namespace wick::java {

// Copies the elements of an array of these sizes; strides are in elements. The memory may be one and the same.
void copy_strided(void* to, IntSpan to_strides, const void* from, IntSpan from_strides, IntSpan sizes, size_t itemsize);

}  // namespace wick::java
