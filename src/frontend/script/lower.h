// From the syntax tree of a function to the IR.
#pragma once

#include "frontend/script/importer.h"

namespace wick::script {

// Fills the graph of a function that has its schema. `self` is the class a method belongs to, null for a function.
// Throws naming file and line of what cannot be lowered.
void lower_function(Importer& importer, const ast::Def& def, const SourceFile& file, const TypePtr& self,
                    ir::Function& function);

}  // namespace wick::script
