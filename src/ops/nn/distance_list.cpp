#include "ops/families.h"

namespace wick {

const OpFamily kDistanceOps{};

}  // namespace wick
