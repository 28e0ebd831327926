#include "ops/families.h"

namespace wick {

const OpFamily kCopyOps{};

}  // namespace wick
