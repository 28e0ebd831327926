// Values whose static type was widened and must be restored by a cast.
#pragma once

#include <unordered_map>

#include "ir/graph.h"

namespace wick::emit {

// Lifting drops prim::unchecked_cast and leaves Any as the type of the value it stood on. Bytecode needs the cast back
// wherever what defines the value has another type: its reader checks arguments even on paths that are never taken.
class Casts {
 public:
  explicit Casts(const ir::Function& function);
  bool needed(const ir::Value& value);

 private:
  void number(const ir::Block& block);
  // The type the definition gives the value; Any when it is not known.
  TypePtr defined_type(const ir::Value& value, int steps) const;

  const ir::Function& function_;
  std::unordered_map<const ir::Value*, size_t> places_;  // among the parameters or outputs, of values typed Any
  std::unordered_map<const ir::Value*, bool> known_;
};

}  // namespace wick::emit
