#include "ops/families.h"

namespace wick {

const OpFamily kCompareOps{};

}  // namespace wick
