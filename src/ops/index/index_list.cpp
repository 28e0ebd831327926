#include "ops/families.h"

namespace wick {

const OpFamily kIndexOps{};

}  // namespace wick
