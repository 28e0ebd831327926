#include "ops/families.h"

namespace wick {

const OpFamily kTensorInfoOps{};

}  // namespace wick
