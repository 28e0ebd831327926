// Which attributes and constants the code of a program changes.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"
#include "plan/word_set.h"

namespace wick::plan {

using Storages = WordSet;  // of StorageImpl

// Attributes that some code of the program sets, or changes in place, be it through a view, a container or a call; and
// the memory of constants that are changed so: what is written there stays for the next run.
class ChangedAttributes {
 public:
  // Looks at all graphs: the caller holds the program's graphs_mutex.
  explicit ChangedAttributes(const ir::Program& program);
  bool contains(const std::string& name, int64_t slot) const {
    return names_.get(name) != 0 || slots_.contains(static_cast<uint64_t>(slot));
  }
  Storages take_constants() { return std::move(constants_); }

 private:
  void collect_calls(const ir::Block& block);
  void scan(const ir::Block& block);
  void mark(const ir::Value* value);
  void mark_source(const ir::Value& value);
  void mark_parameter(const ir::Value& value);
  void add(const ir::Node& node);

  NameMap names_;
  WordSet slots_;
  Storages constants_;
  WordSet marked_;
  std::vector<const ir::Value*> waiting_;
  WordMap functions_;  // by graph: an ir::Function
  // Words are one more than a place among the calls, and so are their links to another of the same word.
  struct Link {
    const void* to;  // an ir::Node that calls, or an ir::Function
    uint64_t next;
  };
  template <class T, class Visit>
  void each(uint64_t first, const Visit& visit) const {
    for (; first != 0; first = links_[first - 1].next) visit(*static_cast<const T*>(links_[first - 1].to));
  }
  void link(uint64_t& first, const void* to);
  std::vector<Link> links_;
  NameMap methods_;         // functions, by their own name
  WordMap function_calls_;  // nodes, by ir::Function
  NameMap method_calls_;    // nodes, by the name they call
};

}  // namespace wick::plan
