#include "ops/families.h"

namespace wick {

const OpFamily kRnnOps{};

}  // namespace wick
