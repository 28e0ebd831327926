#include "ops/families.h"

namespace wick {

const OpFamily kPointwiseOps{};

}  // namespace wick
