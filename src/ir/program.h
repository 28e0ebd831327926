// Program: everything a loaded model is.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/word_map.h"
#include "ir/graph.h"

namespace wick {
class ZipReader;
}

namespace wick::ir {

// What a program was read from.
enum class FileKind : uint8_t { kLite, kFlatbuffer, kTorchScript };
// "lite", "flatbuffer", "torchscript".
const char* to_string(FileKind kind);

// Which attributes of a module are parameters and buffers.
struct TensorRoles {
  std::set<std::string, std::less<>> parameters, buffers;
};

// What is known of a program's classes, by their names, which do not change.
class ClassTable {
 public:
  ClassTable() = default;
  ClassTable(const ClassTable& other) { *this = other; }
  ClassTable& operator=(const ClassTable& other);

  // Null when there is none of the name.
  const std::shared_ptr<ClassInfo>* find(std::string_view name) const noexcept;
  // In the place of the one with its name, if there is one.
  void put(const std::shared_ptr<ClassInfo>& cls);
  // In the order they were added.
  auto begin() const { return classes_.begin(); }
  auto end() const { return classes_.end(); }

 private:
  std::list<std::shared_ptr<ClassInfo>> classes_;
  NameMap places_;  // addresses in classes_
};

struct Program : std::enable_shared_from_this<Program> {
  FileKind kind = FileKind::kLite;
  int64_t bytecode_version = 0;  // 0 for source programs
  int64_t operator_version = 0;
  std::string producer;  // where known

  std::vector<std::unique_ptr<Function>> functions;
  mutable std::mutex graphs_mutex;  // see Graph::peek
  ClassTable classes;
  std::map<std::string, TensorRoles> roles;  // by class; of modules whose file states them
  IValue root;                               // the module object, or None
  // Forward hooks of the root's class, in call order: methods (self, tuple of arguments) that may replace the
  // arguments, and methods (self, tuple of arguments, result) that may replace the result.
  std::vector<Function*> pre_hooks, hooks;

  // Extra files stored with the model: name -> bytes.
  std::map<std::string, std::string> extra_files;

  // The container the program was read from; null when there is none or the program was changed since. Writers take
  // from it what the IR does not hold: source text and debug records.
  std::shared_ptr<const ZipReader> archive;
  // The host has set attributes since: the archive's records no longer hold the module's objects.
  bool attributes_set = false;

  // Says where a debug handle points to in the model's own code: module path and source line, or "".
  std::function<std::string(int64_t handle)> describe_source;
  // Programs from source: the code record ("code/__torch__.py") a debug handle points into, and where in it. May be
  // null.
  std::function<std::optional<std::pair<std::string, uint32_t>>(int64_t handle)> source_place;

  Function* find(std::string_view qualified_name) const;
  Function* add(std::unique_ptr<Function> function);
  // Puts the function in the place of the one with its name; nothing may refer to that one any more.
  Function* replace(std::unique_ptr<Function> function);
  void remove(const Function& function);
  // Both at once, or, when it throws, neither.
  void remove_and_add(const std::vector<const Function*>& removed, std::vector<std::unique_ptr<Function>> added);
  bool is_hook(const Function& function) const;
  // Method `name` of the root object's class, or null.
  Function* find_method(std::string_view name) const;
  // Method of any object's class, or null.
  Function* find_method(const ObjectImpl& object, std::string_view name) const;

 private:
  void index_functions();
  NameMap by_name_;           // addresses of the functions, which hold the names
  uint32_t next_number_ = 0;  // Function::number
};

// Functions that a function's nodes call or fork, in the order of the nodes. A method of an object is found by the
// static type; calls through interfaces of a name count as one of every class that has such a method.
std::vector<const Function*> functions_called(const Program& program, const Function& function);

// Operators the program uses, full name -> functions and sources that use it; missing ones have op == null.
struct OperatorUse {
  const Operator* op;
  size_t count = 0;
  std::string where;  // of the first use: "forward" and, when known, the source line
};
std::map<std::string, OperatorUse> operators_used(const Program& program);

}  // namespace wick::ir
