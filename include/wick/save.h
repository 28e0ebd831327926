// Saving values in PyTorch's own container. Part of the compiler library (wick::compiler).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wick/ivalue.h"

namespace wick {

// A container that torch.load (weights_only too) opens: tensors, tuples, lists, dicts, strings, numbers, None.
// Tensors that share storage share it in the file. Throws kUnsupported for values it cannot hold.
std::vector<uint8_t> save_tensors(const IValue& value);
// The same to a file, written under a temporary name first and renamed when whole.
void save_tensors(const IValue& value, const std::string& path);

}  // namespace wick
