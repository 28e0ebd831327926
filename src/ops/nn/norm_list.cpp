#include "ops/families.h"

namespace wick {

const OpFamily kNormOps{};

}  // namespace wick
