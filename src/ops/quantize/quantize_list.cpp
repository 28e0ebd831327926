#include "ops/families.h"

namespace wick {

const OpFamily kQuantizeOps{};

}  // namespace wick
