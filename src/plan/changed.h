// Which attributes and constants the code of a program changes.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/program.h"

namespace wick::plan {

using Storages = std::unordered_set<const void*>;  // of StorageImpl

// Attributes that some code of the program sets, or changes in place, be it through a view, a container or a call; and
// the memory of constants that are changed so: what is written there stays for the next run.
class ChangedAttributes {
 public:
  // Looks at all graphs: the caller holds the program's graphs_mutex.
  explicit ChangedAttributes(const ir::Program& program);
  bool contains(const std::string& name, int64_t slot) const { return names_.contains(name) || slots_.contains(slot); }
  const Storages& constants() const { return constants_; }

 private:
  void collect_calls(const ir::Block& block);
  void scan(const ir::Block& block);
  void mark(const ir::Value* value);
  void mark_source(const ir::Value& value);
  void mark_parameter(const ir::Value& value);
  void add(const ir::Node& node);

  std::set<std::string> names_;
  std::set<int64_t> slots_;
  Storages constants_;
  std::unordered_set<const void*> marked_;
  std::vector<const ir::Value*> waiting_;
  std::unordered_map<const ir::Graph*, const ir::Function*> functions_;
  std::unordered_map<std::string, std::vector<const ir::Function*>> methods_;  // by their own name
  std::unordered_map<const ir::Function*, std::vector<const ir::Node*>> function_calls_;
  std::unordered_map<std::string, std::vector<const ir::Node*>> method_calls_;
};

}  // namespace wick::plan
