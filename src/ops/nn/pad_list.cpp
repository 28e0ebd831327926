#include "ops/families.h"

namespace wick {

const OpFamily kPadOps{};

}  // namespace wick
