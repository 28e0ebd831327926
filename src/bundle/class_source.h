// The TorchScript source of one class in a model's archive, and changes to it that leave the rest where it is: tables
// of debug information refer to the text by position.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "archive/archive.h"

namespace wick::bundle {

class ClassSource {
 public:
  // Nothing when the archive has no source of the class.
  static std::optional<ClassSource> find(const ZipReader& archive, const std::string& class_name);

  // A removed line leaves an empty one, or none at the end of the file.
  void remove_method(std::string_view name);
  void remove_attribute(std::string_view name);
  // Adds indented lines to the end of the class.
  void append(std::string_view lines);

  // The archive with the changed text, and without the module's data and bytecode, which no longer belong to it.
  std::shared_ptr<const ZipReader> rewritten(const ZipReader& archive) const;

 private:
  size_t class_end() const;
  size_t line_after(size_t at) const;
  void blank(size_t begin, size_t end);

  std::string record_;
  std::string text_;
  size_t body_ = 0;     // where the lines below "class" begin
  bool moved_ = false;  // text behind the class is no longer where it was
};

// The archive without the module's data and bytecode.
std::shared_ptr<const ZipReader> without_program(const ZipReader& archive);

}  // namespace wick::bundle
