#include "ops/families.h"

namespace wick {

const OpFamily kViewOps{};

}  // namespace wick
