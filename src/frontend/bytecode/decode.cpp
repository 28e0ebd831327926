#include "frontend/bytecode/decode.h"

#include <limits>

#include "core/check.h"

namespace wick::lite {

namespace {

constexpr int64_t kOldestVersion = 3;
constexpr int64_t kNewestVersion = 9;

const std::vector<IValue>& items(const IValue& value, const std::string& what) {
  WICK_CHECK(value.is_tuple(), kCorruptFile, "bytecode.pkl: ", what, " is not a tuple but ", value.tag_name());
  return value.to_tuple().items;
}

const std::string& text(const IValue& value, const std::string& what) {
  WICK_CHECK(value.is_string(), kCorruptFile, "bytecode.pkl: ", what, " is not a string but ", value.tag_name());
  return value.to_string();
}

int64_t integer(const IValue& value, int64_t low, int64_t high, const std::string& what) {
  WICK_CHECK(value.is_int(), kCorruptFile, "bytecode.pkl: ", what, " is not an int but ", value.tag_name());
  const int64_t v = value.to_int();
  WICK_CHECK(v >= low && v <= high, kCorruptFile, "bytecode.pkl: ", what, " ", v, " is outside ", low, "..", high);
  return v;
}

// The value of entry `index` of a table, whose label is checked.
const IValue& field(const std::vector<IValue>& table, size_t index, const char* label, const std::string& function) {
  WICK_CHECK(index < table.size(), kCorruptFile, "bytecode.pkl: ", function, " has no '", label, "'");
  const std::vector<IValue>& entry = items(table[index], cat(label, " of ", function));
  WICK_CHECK(entry.size() == 2 && entry[0].is_string() && entry[0].to_string() == label, kCorruptFile,
             "bytecode.pkl: ", function, ": expected '", label, "' at place ", index);
  return entry[1];
}

void decode_code(const IValue& value, BytecodeFunction& f, NamedTypes& named) {
  const std::vector<IValue>& table = items(value, cat("the code of ", f.name));
  int last_code = -1;
  const std::string* last_name = nullptr;
  for (const IValue& entry : items(field(table, 0, "instructions", f.name), "the list of instructions")) {
    const std::vector<IValue>& parts = items(entry, cat("an instruction of ", f.name));
    WICK_CHECK(parts.size() == 3, kCorruptFile, "bytecode.pkl: an instruction of ", f.name, " has ", parts.size(),
               " parts, expected 3");
    const std::string& name = text(parts[0], "the name of an instruction");
    if (!last_name || *last_name != name) {
      last_code = opcode_from_name(name);
      last_name = &name;
    }
    WICK_CHECK(last_code >= 0, kCorruptFile, "bytecode.pkl: ", f.name, ", instruction ", f.instructions.size(),
               ": unknown instruction '", name.substr(0, 64), "'");
    const int64_t x = integer(parts[1], std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max(),
                              "operand X of an instruction");
    const int64_t n = integer(parts[2], 0, std::numeric_limits<uint16_t>::max(), "operand N of an instruction");
    f.instructions.push_back({static_cast<uint8_t>(last_code), static_cast<int32_t>(x), static_cast<uint16_t>(n)});
  }
  for (const IValue& entry : items(field(table, 1, "operators", f.name), "the list of operators")) {
    const std::vector<IValue>& parts = items(entry, cat("an operator of ", f.name));
    WICK_CHECK(parts.size() == 2 || parts.size() == 3, kCorruptFile, "bytecode.pkl: an operator of ", f.name, " has ",
               parts.size(), " parts, expected 2 or 3");
    OperatorRef ref{text(parts[0], "an operator's name"), text(parts[1], "an operator's overload name")};
    if (parts.size() == 3) {
      ref.num_specified = integer(parts[2], -1, std::numeric_limits<uint16_t>::max(), "an operator's argument count");
    }
    f.operators.push_back(std::move(ref));
  }
  f.constants = items(field(table, 2, "constants", f.name), "the list of constants");
  for (const IValue& type : items(field(table, 3, "types", f.name), "the list of types")) {
    f.types.push_back(decode_type(text(type, "a type"), named));
  }
  f.register_size = integer(field(table, 4, "register_size", f.name), 0, std::numeric_limits<int32_t>::max(),
                            cat("register_size of ", f.name));
}

std::vector<Argument> decode_arguments(const IValue& value, NamedTypes& named, const std::string& function) {
  std::vector<Argument> out;
  for (const IValue& entry : items(value, cat("the schema of ", function))) {
    const std::vector<IValue>& parts = items(entry, cat("an argument of ", function));
    out.push_back(decode_argument(text(field(parts, 0, "name", function), "an argument's name"),
                                  decode_type(text(field(parts, 1, "type", function), "an argument's type"), named),
                                  field(parts, 2, "default_value", function)));
  }
  return out;
}

}  // namespace

int64_t peek_bytecode_version(Bytes pickle) {
  const size_t at = pickle.size() > 3 && pickle[2] == '(' ? 3 : 2;
  if (pickle.size() > at + 1 && pickle[0] == 0x80 && pickle[at] == 'K') return pickle[at + 1];
  return kOldestVersion;
}

void check_bytecode_version(int64_t version) {
  WICK_CHECK(version >= kOldestVersion && version <= kNewestVersion, kUnsupportedVersion,
             "Lite Interpreter version number does not match. The model version must be between ", kOldestVersion,
             " and ", kNewestVersion, " but the model version is ", version,
             version > kNewestVersion ? ". The model was exported by a newer PyTorch: export it again for version 8"
                                      : ". The model was exported by a very old PyTorch: export it again");
}

TypePtr decode_type(const std::string& text, NamedTypes& named) {
  TypePtr type = parse_type(text, [&](const std::string& name) -> TypePtr {
    auto found = named.find(name);
    return found == named.end() ? nullptr : found->second;
  });
  if (type->is(TypeKind::kTuple) && !type->name().empty()) named.emplace(type->name(), type);
  return type;
}

Argument decode_argument(std::string name, TypePtr type, IValue default_value) {
  Argument out;
  out.name = std::move(name);
  const bool admits_none = type->is(TypeKind::kOptional) || type->is(TypeKind::kNone) || type->is(TypeKind::kAny);
  out.has_default = !default_value.is_none() || admits_none;
  out.type = std::move(type);
  out.default_value = std::move(default_value);
  return out;
}

std::vector<BytecodeFunction> decode_bytecode(const IValue& root, int64_t version, NamedTypes& named) {
  const std::vector<IValue>& methods = items(root, "the root");
  const size_t first = version > kOldestVersion ? 1 : 0;
  std::vector<BytecodeFunction> out;
  for (size_t i = first; i < methods.size(); ++i) {
    const std::vector<IValue>& parts = items(methods[i], cat("method ", i));
    WICK_CHECK(parts.size() == 3 || (parts.size() == 2 && version <= kOldestVersion), kCorruptFile,
               "bytecode.pkl: method ", i, " has ", parts.size(), " parts, expected 3");
    BytecodeFunction f;
    f.name = text(parts[0], cat("the name of method ", i));
    f.source_base = static_cast<int64_t>(out.size()) << 32;
    decode_code(parts[1], f, named);
    out.push_back(std::move(f));
  }
  // Schemas come after all type tables: they name tuples that any of these may define.
  for (size_t i = 0; i < out.size(); ++i) {
    const std::vector<IValue>& parts = methods[first + i].to_tuple().items;
    if (parts.size() < 3) continue;
    BytecodeFunction& f = out[i];
    const std::vector<IValue>& table = items(parts[2], cat("the schema of ", f.name));
    f.schema.name = f.name;
    f.schema.arguments = decode_arguments(field(table, 0, "arguments", f.name), named, f.name);
    f.schema.returns = decode_arguments(field(table, 1, "returns", f.name), named, f.name);
    if (!f.schema.arguments.empty()) f.schema.arguments[0].has_default = false;
    f.has_schema = true;
  }
  return out;
}

}  // namespace wick::lite
