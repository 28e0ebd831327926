#include "ops/families.h"

namespace wick {

const OpFamily kPrepackedOps{};

}  // namespace wick
