// Which attributes and constants the code of a program changes.
#pragma once

#include <string>
#include <vector>

#include "core/word_set.h"
#include "ir/program.h"

namespace wick::ir {

// Attributes that some code of the program sets, or changes in place, be it through a view, a container or a call; and
// the memory of constants and attributes that are changed so: what is written there stays for the next run, also for
// attributes that share it. Names are those of the functions' nodes, which must outlive it.
class ChangedAttributes {
 public:
  ChangedAttributes() = default;  // none
  // By all code of the program, or by these functions. Looks at all graphs: the caller holds the program's graphs_mutex
  // where graphs may be released.
  explicit ChangedAttributes(const Program& program);
  explicit ChangedAttributes(const std::vector<const Function*>& functions);
  bool contains(const std::string& name, int64_t slot) const {
    return names_.get(name) != 0 || slots_.contains(static_cast<uint64_t>(slot));
  }
  WordSet take_constants() { return std::move(constants_); }  // storages, those of the root's attributes among them

 private:
  void collect_calls(const Block& block);
  void scan(const Block& block);
  void mark(const Value* value);
  void mark_source(const Value& value);
  void mark_parameter(const Value& value);
  void add(const Node& node);
  void add_memory(const IValue& root);

  NameMap names_;
  WordSet slots_;
  WordSet constants_;
  WordSet marked_;
  std::vector<const Value*> waiting_;
  WordMap functions_;  // by graph: an Function
  // Words are one more than a place among the calls, and so are their links to another of the same word.
  struct Link {
    const void* to;  // an Node that calls, or an Function
    uint64_t next;
  };
  template <class T, class Visit>
  void each(uint64_t first, const Visit& visit) const {
    for (; first != 0; first = links_[first - 1].next) visit(*static_cast<const T*>(links_[first - 1].to));
  }
  void link(uint64_t& first, const void* to);
  std::vector<Link> links_;
  NameMap methods_;         // functions, by their own name
  WordMap function_calls_;  // nodes, by Function
  NameMap method_calls_;    // nodes, by the name they call
};

}  // namespace wick::ir
