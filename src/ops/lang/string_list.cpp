#include "ops/families.h"

namespace wick {

const OpFamily kStringOps{};

}  // namespace wick
