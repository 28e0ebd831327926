// FunctionSchema: an operator's or method's name, arguments with types and defaults, and returns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/callback.h"
#include "wick/ivalue.h"
#include "wick/type.h"

namespace wick {

struct Argument {
  std::string name;
  TypePtr type;
  bool has_default = false;
  IValue default_value;
  bool kwarg_only = false;
  bool is_out = false;      // a keyword-only tensor the operator writes to ("Tensor(a!) out" after '*')
  bool is_mutated = false;  // alias annotation with '!'
  bool is_alias = false;    // any alias annotation: the result may share memory with it
  int32_t fixed_size = -1;  // N of "int[N]"
};

struct FunctionSchema {
  std::string name;      // "aten::add"
  std::string overload;  // "Tensor", may be empty
  std::vector<Argument> arguments;
  std::vector<Argument> returns;
  bool is_vararg = false;  // "..." among the arguments
  bool is_varret = false;  // "..." as the returns

  std::string full_name() const { return overload.empty() ? name : name + "." + overload; }
  size_t out_count() const;
  // PyTorch's printed form.
  std::string str() const;
};

// Types without parameters, by the names that schemas and model files have for them; null for another name.
TypePtr basic_type_named(std::string_view name);

// Parses "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor".
// Types as in PyTorch's native schemas (int[2], Tensor?, Dict(str, t), __torch__.torch.classes.x.Y,
// alias sets). ScalarType, Layout, MemoryFormat and SymInt are int. Throws kInvalidArgument.
FunctionSchema parse_schema(std::string_view text);

// The parts of that language beyond arguments of basic types: null where a build has no schema with them.
class SchemaParser;
struct SchemaForms {
  TypePtr (*types)(SchemaParser& parser, Argument& arg, std::string_view name, TypePtr basic) = nullptr;
  IValue (*defaults)(SchemaParser& parser, const Argument& arg) = nullptr;
};
extern const SchemaForms kAllSchemaForms;
TypePtr parse_schema_type(SchemaParser& parser, Argument& arg, std::string_view name, TypePtr basic);
IValue parse_schema_default(SchemaParser& parser, const Argument& arg);
FunctionSchema parse_schema(std::string_view text, const SchemaForms& forms);

// Whether all types of a schema are these words alone.
constexpr bool has_plain_types(std::string_view schema) {
  bool in_word = false, is_type = false;
  std::string_view word;
  for (size_t at = schema.find('(') + 1; at <= schema.size(); ++at) {
    const char c = at < schema.size() ? schema[at] : ')';
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_') {
      if (!in_word) {
        word = schema.substr(at, 0);
        is_type = at > 0 && (schema[at - 1] == '(' || (at > 1 && (schema[at - 2] == ',' || schema[at - 2] == '>')));
      }
      in_word = true;
      word = std::string_view(word.data(), word.size() + 1);
      continue;
    }
    if (in_word && is_type && word != "int" && word != "float" && word != "bool" && word != "str" && word != "Tensor" &&
        word != "Scalar") {
      return false;
    }
    in_word = false;
    if (c == '[' || c == '?' || c == '(') return false;
  }
  return true;
}
constexpr SchemaForms schema_forms(std::string_view schema) {
  SchemaForms forms;
  if (!has_plain_types(schema)) forms.types = &parse_schema_type;
  if (schema.find('=') != schema.npos) forms.defaults = &parse_schema_default;
  return forms;
}

// The operator's full name at the start of a schema text ("aten::add.Tensor"), without parsing the rest.
std::string_view schema_full_name(std::string_view text);

// Parses a type string of a model file: "Dict[str, List[int]]", "__torch__.P[NamedTuple, [[a, Tensor]]]",
// "Optional[Tensor]", "__torch__.torch.classes.xnnpack.Conv2dOpContext", "Tuple[int, str]", "Union[...]",
// "Future[...]". `named` resolves a bare "__torch__..." name to a type known before (named tuple, enum);
// when it returns null, or is not given, the name is a class. Throws kCorruptFile.
TypePtr parse_type(std::string_view text, const Callback<TypePtr(const std::string&)>& named = nullptr);

}  // namespace wick
