#include "ops/families.h"

namespace wick {

const OpFamily kAttentionOps{};

}  // namespace wick
