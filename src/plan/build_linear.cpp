#include "plan/builder.h"

namespace wick::plan {

bool build_conv(Builder&, size_t) { return false; }
bool build_linear(Builder&, size_t) { return false; }
bool build_pool(Builder&, size_t) { return false; }

}  // namespace wick::plan
