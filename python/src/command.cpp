// The `wick` command, run inside of the interpreter's process.
#include "command.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "values.h"

namespace wick_python {

void bind_command(nb::module_& m) {
  m.def("run_command", [](std::vector<std::string> words) {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    nb::gil_scoped_release release;
    return wick::tools::run_command(static_cast<int>(words.size()), argv.data());
  });
}

}  // namespace wick_python
