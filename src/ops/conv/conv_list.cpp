#include "ops/families.h"

namespace wick {

const OpFamily kConvOps{};

}  // namespace wick
