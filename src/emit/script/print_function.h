// A function of the IR as TorchScript source.
#pragma once

#include "emit/script/script_context.h"

namespace wick::emit {

// "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n ...", indented as a method. The graph has its types (see
// ScriptTypes) and no calls. Throws kUnsupported for what source cannot say.
std::string print_function(ScriptContext& context, const ir::Function& function);

}  // namespace wick::emit
