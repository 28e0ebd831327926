// Decodes bytecode.pkl into functions and checks every operand.
#include "frontend/bytecode/decode.h"

#include <limits>

#include "core/check.h"
#include "core/limits.h"

namespace wick::lite {

namespace {

constexpr int64_t kOldestVersion = 3;
constexpr int64_t kLastVersionWithoutSchemas = 4;
constexpr int64_t kNewestVersion = 9;

const std::vector<IValue>& items(const IValue& value, const char* what) {
  WICK_CHECK(value.is_tuple(), kCorruptFile, "bytecode.pkl: ", what, " is not a tuple but ", value.tag_name());
  return value.to_tuple().items;
}

int64_t integer(const IValue& value, int64_t low, int64_t high, const char* what) {
  WICK_CHECK(value.is_int(), kCorruptFile, "bytecode.pkl: ", what, " is not an int but ", value.tag_name());
  const int64_t v = value.to_int();
  WICK_CHECK(v >= low && v <= high, kCorruptFile, "bytecode.pkl: ", what, " ", v, " is outside ", low, "..", high);
  return v;
}

// The value of entry `index` of a table, whose label is checked.
const IValue& field(const std::vector<IValue>& table, size_t index, const char* label, const std::string& function) {
  WICK_CHECK(index < table.size(), kCorruptFile, "bytecode.pkl: ", function, " has no '", label, "'");
  const std::vector<IValue>& entry = items(table[index], label);
  WICK_CHECK(entry.size() == 2 && entry[0].is_string() && entry[0].to_string() == label, kCorruptFile,
             "bytecode.pkl: ", function, ": expected '", label, "' at place ", index);
  return entry[1];
}

class Decoder {
 public:
  Decoder(size_t pickle_size, NamedTypes& named)
      : named_(named),
        entries_left_(pickle_size),
        characters_left_(limits::kBytecodeTextPerByte * pickle_size + 4096) {}

  void function(const std::vector<IValue>& method, BytecodeFunction& f) {
    f.name = text(method[0], "a method's name");
    const std::vector<IValue>& table = items(method[1], "a method's code");
    instructions(field(table, 0, "instructions", f.name), f);
    operators(field(table, 1, "operators", f.name), f);
    f.constants = std::vector(entries(field(table, 2, "constants", f.name), "the constants"));
    const std::vector<IValue>& types = entries(field(table, 3, "types", f.name), "the types");
    // Named tuples first: other types may use their names before the table defines them.
    for (const IValue& t : types) {
      if (t.is_string() && t.to_string().starts_with("__torch__") && t.to_string().ends_with("]")) type(t);
    }
    for (const IValue& t : types) f.types.push_back(type(t));
    f.register_size =
        integer(field(table, 4, "register_size", f.name), 0, std::numeric_limits<int32_t>::max(), "register_size");
  }

  // To be called when all functions are decoded: schemas name tuples that any type table may define.
  void schema(const IValue& value, BytecodeFunction& f) {
    const std::vector<IValue>& table = items(value, "a method's schema");
    f.schema.name = f.name;
    arguments(field(table, 0, "arguments", f.name), f.name, f.schema.arguments);
    arguments(field(table, 1, "returns", f.name), f.name, f.schema.returns);
    if (!f.schema.arguments.empty()) f.schema.arguments[0].has_default = false;
    f.has_schema = true;
  }
  void begin_schemas() { places_ = {}; }

 private:
  // A pickle may use a part many times for the price of a reference. The exporter shares strings only, so that
  // there are no more entries than bytes; without this limit a small file could decode to a huge program.
  const std::vector<IValue>& entries(const IValue& value, const char* what) {
    const std::vector<IValue>& out = items(value, what);
    WICK_CHECK(out.size() <= entries_left_, kCorruptFile, "bytecode.pkl: methods share more code than it can hold");
    entries_left_ -= out.size();
    return out;
  }

  const std::string& text(const IValue& value, const char* what) {
    WICK_CHECK(value.is_string(), kCorruptFile, "bytecode.pkl: ", what, " is not a string but ", value.tag_name());
    const std::string& out = value.to_string();
    WICK_CHECK(out.size() <= characters_left_, kCorruptFile, "bytecode.pkl: ", what, " is used too many times");
    characters_left_ -= out.size();
    return out;
  }

  TypePtr type(const IValue& value) {
    WICK_CHECK(value.is_string(), kCorruptFile, "bytecode.pkl: a type is not a string but ", value.tag_name());
    uint64_t& place = places_[value.ref_or_null()];
    if (place == 0) {
      types_.push_back(decode_type(value.to_string(), named_));
      place = types_.size();
    }
    return types_[place - 1];
  }

  void instructions(const IValue& value, BytecodeFunction& f) {
    for (const IValue& entry : entries(value, "the instructions")) {
      const std::vector<IValue>& parts = items(entry, "an instruction");
      WICK_CHECK(parts.size() == 3 && parts[0].is_string(), kCorruptFile, "bytecode.pkl: an instruction of ", f.name,
                 " is not a name and two numbers");
      const std::string& name = parts[0].to_string();
      const int code = opcode_from_name(name);
      WICK_CHECK(code >= 0, kCorruptFile, "bytecode.pkl: ", f.name, ", instruction ", f.instructions.size(),
                 ": unknown instruction '", std::string_view(name).substr(0, 64), "'");
      const int64_t x = integer(parts[1], std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max(),
                                "operand X of an instruction");
      const int64_t n = integer(parts[2], 0, std::numeric_limits<uint16_t>::max(), "operand N of an instruction");
      f.instructions.push_back({static_cast<uint8_t>(code), static_cast<uint16_t>(n), static_cast<int32_t>(x)});
    }
  }

  void operators(const IValue& value, BytecodeFunction& f) {
    for (const IValue& entry : entries(value, "the operators")) {
      const std::vector<IValue>& parts = items(entry, "an operator");
      WICK_CHECK(parts.size() == 2 || parts.size() == 3, kCorruptFile, "bytecode.pkl: an operator of ", f.name, " has ",
                 parts.size(), " parts, expected 2 or 3");
      OperatorRef& ref = f.operators.emplace_back(OperatorRef());
      ref.name = text(parts[0], "an operator's name");
      ref.overload = text(parts[1], "an operator's overload name");
      if (parts.size() == 3) {
        ref.num_specified = integer(parts[2], -1, std::numeric_limits<uint16_t>::max(), "an operator's argument count");
      }
    }
  }

  void arguments(const IValue& value, const std::string& function, std::vector<Argument>& out) {
    for (const IValue& entry : entries(value, "the arguments")) {
      const std::vector<IValue>& parts = items(entry, "an argument");
      Argument& argument = out.emplace_back(Argument());
      argument.name = text(field(parts, 0, "name", function), "an argument's name");
      argument.type = type(field(parts, 1, "type", function));
      set_default(argument, field(parts, 2, "default_value", function));
    }
  }

  NamedTypes& named_;
  size_t entries_left_;
  size_t characters_left_;
  std::vector<TypePtr> types_;
  WordMap places_;  // by the string's identity: one more than the place in types_
};

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
  TypePtr type = parse_type(text, [&](const std::string& name) { return named.find(name); });
  if (type->is(TypeKind::kTuple) && !type->name().empty()) named.add(type);
  return type;
}

TypePtr NamedTypes::find(std::string_view name) const {
  const uint64_t place = places_.get(name);
  return place != 0 ? types_[place - 1] : nullptr;
}

void NamedTypes::add(TypePtr type) {
  types_.push_back(TypePtr(type));
  uint64_t& place = places_[type->name()];
  if (place == 0) place = types_.size();
}

void set_default(Argument& argument, const IValue& value) {
  const Type& type = *argument.type;
  const bool admits_none = type.is(TypeKind::kOptional) || type.is(TypeKind::kNone) || type.is(TypeKind::kAny);
  argument.has_default = !value.is_none() || admits_none;
  argument.default_value = value;
}

std::vector<BytecodeFunction> decode_bytecode(const IValue& root, size_t pickle_size, int64_t version,
                                              NamedTypes& named) {
  const std::vector<IValue>& methods = items(root, "the root");
  const size_t first = version > kOldestVersion ? 1 : 0;
  Decoder decoder(pickle_size, named);
  std::vector<BytecodeFunction> out(methods.size() - std::min(first, methods.size()));
  for (size_t i = first; i < methods.size(); ++i) {
    const std::vector<IValue>& parts = items(methods[i], "a method");
    WICK_CHECK(parts.size() == 3 || (parts.size() == 2 && version <= kLastVersionWithoutSchemas), kCorruptFile,
               "bytecode.pkl: method ", i, " has ", parts.size(), " parts, expected 3");
    decoder.function(parts, out[i - first]);
    out[i - first].source_base = static_cast<int64_t>(i - first) << 32;
  }
  decoder.begin_schemas();
  for (size_t i = 0; i < out.size(); ++i) {
    const std::vector<IValue>& parts = methods[first + i].to_tuple().items;
    if (parts.size() == 3) decoder.schema(parts[2], out[i]);
  }
  return out;
}

}  // namespace wick::lite
