#include "ops/families.h"

namespace wick {

const OpFamily kPrimOps{};

}  // namespace wick
