#include "ops/families.h"

namespace wick {

const OpFamily kSoftmaxOps{};

}  // namespace wick
