#include "ops/families.h"

namespace wick {

const OpFamily kVisionOps{};

}  // namespace wick
