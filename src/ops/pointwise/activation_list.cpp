#include "ops/families.h"

namespace wick {

const OpFamily kActivationOps{};

}  // namespace wick
