#include "ops/families.h"

namespace wick {

const OpFamily kDictOps{};

}  // namespace wick
