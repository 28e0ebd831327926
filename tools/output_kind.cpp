// The kind of file that a path's extension asks for.
#include "output_kind.h"

namespace wick::tools {

bool wants_lite(const Arguments& arguments, const std::string& out) {
  const std::string format = arguments.get("--format");
  if (format == "lite") return true;
  if (format == "torchscript") return false;
  if (!format.empty()) throw UsageError("--format is lite or torchscript, not '" + format + "'");
  if (out.ends_with(".ptl")) return true;
  for (const char* ending : {".pt", ".pth", ".torchscript"}) {
    if (out.ends_with(ending)) return false;
  }
  throw UsageError("the extension of '" + out + "' does not tell the kind of file; use .ptl or .pt, or give --format");
}

}  // namespace wick::tools
