#include "ops/families.h"

namespace wick {

const OpFamily kSortOps{};

}  // namespace wick
