// Reading and writing models and lists of operators, with progress where that takes long.
#pragma once

#include <string>

#include "select/op_list.h"
#include "wick/module.h"
#include "wick/save.h"

namespace wick::tools {

Module load_file(const std::string& path, const LoadOptions& options = {});
// As a lite-interpreter file, or as TorchScript.
void save_file(const Module& module, const std::string& path, bool lite, const SaveOptions& options = {});

// A list of a selective build, with a note about names that are nearly those of operators.
select::OperatorList read_list(const std::string& path);

}  // namespace wick::tools
