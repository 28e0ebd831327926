#include "ops/families.h"

namespace wick {

const OpFamily kRandomOps{};

}  // namespace wick
