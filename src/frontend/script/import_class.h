// From a class statement to a ScriptClass.
#pragma once

#include "frontend/script/importer.h"

namespace wick::script {

class ClassImport {
 public:
  ClassImport(Importer& importer, const ast::ClassDef& def, const SourceFile& file, const std::string& name);

  // Methods are declared in the program and queued for lowering.
  std::unique_ptr<ScriptClass> run();

  // The type where the class's name and base are enough to tell; null for named tuples and enums.
  static TypePtr shallow_type(const ast::ClassDef& def, const std::string& name);

 private:
  template <class... Parts>
  [[noreturn]] void bad(Position at, const Parts&... parts) const;

  void members();
  void member(const ast::Stmt& stmt);
  void attribute(std::string name, const ast::Expr& annotation, Position at);
  void constant(std::string_view name, const ast::Stmt& stmt);
  void method(const ast::Def& def);
  void named_tuple();
  void enumeration();
  void interface();
  std::vector<std::string_view> names_in(const ast::Stmt& stmt) const;
  std::vector<ir::Function*> hooks_named(const std::vector<std::string_view>& names, Position at) const;
  std::string_view plain_target(const ast::Stmt& stmt) const;

  Importer& importer_;
  const ast::ClassDef& def_;
  const SourceFile& file_;
  std::unique_ptr<ScriptClass> out_;
  std::vector<std::string_view> parameters_, buffers_, pre_hooks_, hooks_;
};

}  // namespace wick::script
