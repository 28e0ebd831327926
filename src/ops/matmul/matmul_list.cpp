#include "ops/families.h"

namespace wick {

const OpFamily kMatmulOps{};

}  // namespace wick
