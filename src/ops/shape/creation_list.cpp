#include "ops/families.h"

namespace wick {

const OpFamily kCreationOps{};

}  // namespace wick
