// Names of dtypes that only messages need.
#pragma once

#include "wick/dtype.h"

namespace wick {

// "long int", "c10::Half", ...: the C++ type, as some of PyTorch's messages name a dtype.
const char* cpp_name(DType dtype);

}  // namespace wick
