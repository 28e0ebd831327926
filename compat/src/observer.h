// Loads and runs with the observer of mobile modules.
#pragma once

#include <torch/csrc/jit/mobile/import.h>
#include <torch/csrc/jit/mobile/observer.h>

#include <functional>

namespace wick_compat {

// Calls `load` with the extra files that are to be read: `files`, which may be NULL, and the observer's.
torch::jit::mobile::Module observed_load(
    torch::jit::ExtraFilesMap* files, size_t model_size,
    const std::function<torch::jit::mobile::Module(torch::jit::ExtraFilesMap*)>& load);

// Calls `run`, a run of the method.
c10::IValue observed_run(const std::unordered_map<std::string, std::string>& metadata, const std::string& method,
                         const std::function<c10::IValue()>& run);

}  // namespace wick_compat
