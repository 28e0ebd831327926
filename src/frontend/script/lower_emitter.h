// Appends nodes to the graph of a function that is being lowered, with the types TorchScript gives them.
#pragma once

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/check.h"
#include "frontend/script/importer.h"

namespace wick::script {

// Type of what an operator or class that this build lacks gives; it is taken wherever it is used.
const TypePtr& unknown_type();
bool is_unknown(const Type& type);

class Emitter {
 public:
  // `budget`: nodes and values it may make.
  Emitter(Importer& importer, const SourceFile& file, ir::Function& function, size_t budget);

  Importer& importer() { return importer_; }
  const SourceFile& file() const { return file_; }
  ir::Graph& graph() { return function_.graph; }
  ir::Function& function() { return function_; }

  // Counts against the budget: what a function lowers to must not outgrow its source without bound.
  void charge(size_t count = 1);
  size_t spent() const { return spent_; }

  ir::Node* node(ir::NodeKind kind, std::vector<ir::Value*> inputs = {});
  ir::Value* output(ir::Node* node, TypePtr type);
  ir::Value* constant(IValue value);
  ir::Value* constant(IValue value, TypePtr type);
  ir::Value* none() { return constant(IValue()); }

  // Calls an operator by full name with all its arguments; results typed by its schema.
  ir::Node* op_node(const Operator* op, std::vector<ir::Value*> inputs, std::vector<TypePtr> results);
  ir::Value* op(std::string_view full_name, std::vector<ir::Value*> inputs);
  // An operator this build lacks.
  ir::Node* missing_op(std::string_view name, std::vector<ir::Value*> inputs, size_t outputs);

  ir::Value* tuple(std::vector<ir::Value*> items, const TypePtr& named = nullptr);
  std::vector<ir::Value*> unpack_tuple(ir::Value* tuple);
  ir::Value* list(TypePtr element, std::vector<ir::Value*> items);
  ir::Value* uninitialized(TypePtr type);
  // The value with another static type.
  ir::Value* cast(ir::Value* value, TypePtr type);

  // `[]` without a type: takes the one of the place it is used in.
  ir::Value* empty_list();
  bool is_empty_list(const ir::Value& value) const { return value.def && empty_lists_.count(value.def) > 0; }

  // Whether a value of type `a` may be used as a `b`.
  bool fits(const Type& a, const Type& b);
  // The one type both are of; null when there is none. `any_union`: Union[a, b] rather than null.
  TypePtr unify(const TypePtr& a, const TypePtr& b, bool any_union = false);
  // Refuses types that a program has built up without bound.
  TypePtr checked(TypePtr type) const;

  template <class... Parts>
  [[noreturn]] void bad(const Parts&... parts) const {
    file_.fail_at(at, ErrorCode::kCorruptFile, cat(parts...));
  }

  ir::Block* block;  // where nodes go
  Position at;       // what is being lowered

 private:
  Importer& importer_;
  const SourceFile& file_;
  ir::Function& function_;
  const size_t budget_;
  size_t spent_ = 0;
  std::unordered_set<const ir::Node*> empty_lists_;
};

}  // namespace wick::script
