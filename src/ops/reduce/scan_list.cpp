#include "ops/families.h"

namespace wick {

const OpFamily kScanOps{};

}  // namespace wick
