// prim::unchecked_cast as the file's code and PyTorch's compiler have it, and as the frontend adds it where a
// declaration widens a type, which PyTorch does without. Who lists a file's operators tells them apart by this mark,
// which is the node's `count`.
#pragma once

#include "ir/graph.h"

namespace wick::ir {

inline void mark_written_cast(Node& cast) { cast.count = 1; }

inline bool is_written_cast(const Node& node) {
  return node.kind == NodeKind::kOp && node.count == 1 && node.op_name == "prim::unchecked_cast";
}

}  // namespace wick::ir
