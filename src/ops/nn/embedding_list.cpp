#include "ops/families.h"

namespace wick {

const OpFamily kEmbeddingOps{};

}  // namespace wick
