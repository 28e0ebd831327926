#include "ops/families.h"

namespace wick {

const OpFamily kListOps{};

}  // namespace wick
