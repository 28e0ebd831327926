#include "ops/families.h"

namespace wick {

const OpFamily kPoolOps{};

}  // namespace wick
