#include "ops/families.h"

namespace wick {

const OpFamily kNumberOps{};

}  // namespace wick
