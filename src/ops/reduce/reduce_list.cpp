#include "ops/families.h"

namespace wick {

const OpFamily kReduceOps{};

}  // namespace wick
