// Flatbuffer mobile modules (.ff, and .ptl written with _use_flatbuffer=True).
#pragma once

#include <memory>

#include "archive/archive.h"
#include "frontend/restore.h"
#include "ir/program.h"
#include "wick/module.h"

namespace wick {

// Tensors point into the source where it is aligned.
// Throws kUnsupportedVersion, kCorruptFile, kMissingOperator.
std::shared_ptr<ir::Program> load_flatbuffer(Ref<ByteSource> source, const LoadOptions& options,
                                             const RunSetState& run);

}  // namespace wick
