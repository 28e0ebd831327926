#include "ops/families.h"

namespace wick {

const OpFamily kJoinOps{};

}  // namespace wick
