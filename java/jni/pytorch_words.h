// The library's failures in the words of PyTorch's classes, which users look for.
#pragma once

#include <cstdint>
#include <string>

#include "wick/module.h"

namespace wick::java {

// Of a load; `size`: of the file or the bytes, 0 when it is not known.
Error loading_in_pytorch_words(const Error& error, uint64_t size);
// Of arguments that do not fit a method: the method's declaration has self, which counts as an argument.
Error calling_in_pytorch_words(const Error& error, const Module& module, const std::string& method);

}  // namespace wick::java
