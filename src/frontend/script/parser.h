// From the text of a code record to its syntax tree.
#pragma once

#include "frontend/script/ast.h"
#include "frontend/script/source_file.h"

namespace wick::script {

// Parses a whole file. Import lines and assignments at the top are skipped. `nodes_left` bounds what it may make and is
// lowered by what it made. Throws naming file and line: kCorruptFile for what is not TorchScript, kLimitExceeded for
// nesting and sizes beyond the limits.
ast::File parse_file(const SourceFile& file, ast::Arena& arena, size_t& nodes_left);

// Parses one expression, which must be all of the text (an annotation in a string, a type).
ast::Expr* parse_expression(const SourceFile& file, ast::Arena& arena, size_t& nodes_left);

}  // namespace wick::script
