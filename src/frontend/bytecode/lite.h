// Lite-interpreter containers (.ptl): bytecode.pkl, data.pkl and the other records.
#pragma once

#include <memory>

#include "archive/archive.h"
#include "frontend/restore.h"
#include "ir/program.h"
#include "wick/module.h"

namespace wick {

// Throws kUnsupported for a container of another kind, kUnsupportedVersion, kCorruptFile, kMissingOperator.
std::shared_ptr<ir::Program> load_lite(const ZipReader& zip, const LoadOptions& options, const RunSetState& run);

}  // namespace wick
