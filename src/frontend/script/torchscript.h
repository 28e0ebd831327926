// TorchScript archives (torch.jit.save): source code, objects and constants.
#pragma once

#include <memory>

#include "archive/archive.h"
#include "frontend/restore.h"
#include "ir/program.h"
#include "wick/module.h"

namespace wick {

// Loads an archive that has data.pkl, constants.pkl and code/. The weights are not copied; tensors of any device are
// the CPU's. All methods of the classes in use are lowered, and the operators this build lacks are refused with where
// the code uses them. Throws kCorruptFile, kUnsupportedVersion, kMissingOperator; errors in the code name file and
// line.
std::shared_ptr<ir::Program> load_torchscript(const ZipReader& zip, const LoadOptions& options, const RunSetState& run);

}  // namespace wick
