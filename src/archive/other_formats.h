// Files that people give in place of a PyTorch model, told by their first bytes.
#pragma once

#include "archive/archive.h"

namespace wick {

// What the file is and what to do instead, to follow "this is "; null where it looks like none of them.
const char* describe_other_format(Bytes bytes);

}  // namespace wick
