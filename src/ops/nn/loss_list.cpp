#include "ops/families.h"

namespace wick {

const OpFamily kLossOps{};

}  // namespace wick
