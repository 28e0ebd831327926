// Reading and writing models and lists of operators, with progress where that takes long.
#include "files.h"

#include "core/check.h"
#include "core/operator.h"
#include "output.h"
#include "progress.h"
#include "select/trace.h"
#include "wick/inspect.h"

namespace wick::tools {

Module load_file(const std::string& path, const LoadOptions& options) {
  const Progress progress("loading " + path);
  return load(path, options);
}

void save_file(const Module& module, const std::string& path, bool lite, const SaveOptions& options) {
  const Progress progress("writing " + path);
  if (lite) {
    save_lite(module, path, options);
  } else {
    save_torchscript(module, path, options);
  }
}

select::OperatorList read_list(const std::string& path) {
  select::OperatorList list = select::read_op_list(path);
  for (const auto& [name, properties] : list.operators) {
    if (find_operator(name) || select::has_instruction(name)) continue;
    const std::string near = nearest_operator(name);
    // A name without an overload may stand for all of them.
    if (near.empty() || near.substr(0, near.find('.')) == name) continue;
    note(cat(path, " names ", name, ", which no operator here is called; did you mean ", near, "?"));
  }
  return list;
}

}  // namespace wick::tools
