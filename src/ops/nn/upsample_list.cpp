#include "ops/families.h"

namespace wick {

const OpFamily kUpsampleOps{};

}  // namespace wick
