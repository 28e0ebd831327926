// The classes, functions and constants of a TorchScript archive, loaded by name when first asked for.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/script/ast.h"
#include "frontend/script/source_file.h"
#include "frontend/script/sources.h"
#include "ir/program.h"

namespace wick::script {

enum class ClassKind : uint8_t { kModule, kClass, kNamedTuple, kEnum, kInterface, kModuleInterface, kException };

// A class of the model's code: everything but the bodies of its methods.
struct ScriptClass {
  struct Attribute {
    std::string name;
    TypePtr type;
  };
  struct Constant {  // NAME : Final[T] = value, an enum's member
    std::string name;
    TypePtr type;
    IValue value;
  };
  struct Field {  // of a named tuple
    std::string name;
    TypePtr type;
    std::optional<IValue> default_value;
  };

  std::string name;  // qualified
  ClassKind kind = ClassKind::kClass;
  TypePtr type;                     // kClass, kInterface, kEnum, or kTuple with a name
  std::shared_ptr<ClassInfo> info;  // of modules and classes: the run-time class

  std::vector<Attribute> attributes;      // slot order
  std::vector<Constant> constants;        // Final constants; members of an enum (value: the member itself)
  std::vector<Field> fields;              // of a named tuple
  std::vector<ir::Function*> methods;     // named "<class>.<method>"; hooks are among them
  std::vector<ir::Function*> pre_hooks;   // in call order; a hook may repeat
  std::vector<ir::Function*> hooks;       // in call order
  std::vector<FunctionSchema> interface;  // methods of an interface, self first; names without the class
  bool is_open = false;                   // attributes are those that __init__, which is being lowered, assigns

  bool is_module() const { return kind == ClassKind::kModule || kind == ClassKind::kModuleInterface; }
  bool is_interface() const { return kind == ClassKind::kInterface || kind == ClassKind::kModuleInterface; }
  // Slot of an attribute, or -1.
  int64_t attribute(std::string_view attribute_name) const;
  const Constant* constant(std::string_view constant_name) const;         // null when absent
  ir::Function* method(std::string_view method_name) const;               // null when absent
  const FunctionSchema* interface_method(std::string_view method) const;  // null when absent
};

class Importer {
 public:
  // `constants` reads constants.pkl, once: when asked to, or when a constant is first needed.
  Importer(ir::Program& program, std::shared_ptr<Sources> sources, std::function<std::vector<IValue>()> constants);
  ~Importer();

  ir::Program& program() { return program_; }
  // The file-format version, which is the version of its operators too (1 .. 10).
  int64_t operator_version() const { return program_.operator_version; }

  // What a qualified name ("__torch__.a.C") stands for; null when it is nothing of the kind. A name below
  // "__torch__.torch.classes." is none of them: type_named gives its type.
  const ScriptClass* class_named(std::string_view qualified);
  // A function, or a method or hook by its class's name. It has its schema; its body is lowered later.
  ir::Function* function_named(std::string_view qualified);
  // Type of a class, named tuple, enum, interface or C++ class; null when there is none of that name.
  TypePtr type_named(std::string_view qualified);
  // The script class of a type; null for types that are none.
  const ScriptClass* class_of(const Type& type);

  // A new attribute of a class that is open; gives its slot.
  int64_t add_attribute(const ScriptClass& cls, std::string_view name, const TypePtr& type);

  // An annotation, such as Dict[str, List[__torch__.P]]. Throws naming file and line.
  TypePtr type_from(const ast::Expr& annotation, const SourceFile& file);
  // A literal: numbers, strings, None, lists, tuples, dicts, enum members, named tuples, CONSTANTS.cN. With a type,
  // lists get its element type. Throws naming file and line.
  IValue literal(const ast::Expr& expr, const SourceFile& file, const TypePtr& type = nullptr);
  void read_constants();
  // CONSTANTS.c<index>; throws kCorruptFile when there are not that many.
  const IValue& constant(int64_t index);
  // The index that an attribute of CONSTANTS ("c7") names.
  int64_t constant_index(const ast::Expr& expr, const SourceFile& file) const;

  // A function of Wick's own in TorchScript: `text` defines it and nothing else. Made once a name.
  ir::Function& library_function(const std::string& qualified, const std::string& text);
  // A function that is part of another (a forked body): added to the program under a name made unique from `name`,
  // without schema or body; the caller fills both.
  ir::Function& new_function(const std::string& name);

  // True when an object of class `a` has all methods of interface `b`, with fitting signatures.
  bool implements(const Type& a, const Type& b);

  // Lowers the bodies of all functions asked for so far, and of those they call.
  void lower_all();
  // Lowers one now, when something depends on its body (a function that does not state what it returns).
  void lower_now(ir::Function& function);
  // True while a body is being lowered. Nothing may run then: what it calls may be half a graph.
  bool is_lowering() const { return lowering_ > 0; }

 private:
  struct LoadedFile;
  struct Found;
  struct Pending {
    const ast::Def* def;
    const SourceFile* file;
    TypePtr self;  // null for a function
    bool lowering = false;
  };
  friend class ClassImport;

  TypePtr generic_type(const ast::Expr& annotation, const SourceFile& file);
  IValue list_literal(const ast::Expr& expr, const SourceFile& file, const TypePtr& type);
  IValue tuple_literal(const ast::Expr& expr, const SourceFile& file, const TypePtr& type);
  IValue dict_literal(const ast::Expr& expr, const SourceFile& file, const TypePtr& type);
  std::optional<IValue> constant_literal(const ast::Expr& expr, const SourceFile& file);
  std::optional<IValue> call_literal(const ast::Expr& expr, const SourceFile& file);
  LoadedFile* file_of(std::string_view qualifier);
  Found find(std::string_view qualified);
  ir::Function* declare(std::string name, const ast::Def& def, const SourceFile& file, TypePtr self);
  FunctionSchema schema_of(const std::string& name, const ast::Def& def, const SourceFile& file, const TypePtr& self);

  ir::Program& program_;
  std::shared_ptr<Sources> sources_;
  std::function<std::vector<IValue>()> constants_reader_;
  std::optional<std::vector<IValue>> constants_;
  bool reading_constants_ = false;
  size_t lowering_ = 0;  // bodies that are being lowered, one inside the other
  size_t nodes_left_;
  ast::Arena arena_;        // of the syntax trees
  size_t class_depth_ = 0;  // named tuples inside named tuples that are being made
  std::unordered_map<std::string, std::unique_ptr<LoadedFile>> files_;  // by qualifier; null: there is none
  std::unordered_map<std::string, std::unique_ptr<ScriptClass>> classes_;
  std::unordered_map<std::string, TypePtr> types_;
  std::unordered_map<const ir::Function*, Pending> pending_;
  std::deque<ir::Function*> queue_;
};

}  // namespace wick::script
