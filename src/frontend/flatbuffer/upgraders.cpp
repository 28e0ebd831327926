// Which of PyTorch's lists of old operators a file calls, and what its calls mean.
#include "frontend/flatbuffer/upgraders.h"

#include <algorithm>
#include <string_view>

#include "core/check.h"

namespace wick::flatbuffer {
namespace {

using lite::BytecodeFunction;
using lite::Instruction;
using lite::Opcode;

constexpr uint8_t kCall = 14;  // no instruction of other lite files

struct Upgrader {
  const char* name;
  const char* overload;
  int64_t last_version;
};
using Upgraders = std::span<const Upgrader>;

constexpr Upgrader kOfPyTorch1[] = {
    {"aten::div", "Scalar", 3},   {"aten::div", "Tensor", 3}, {"aten::div_", "Scalar", 3},  {"aten::div_", "Tensor", 3},
    {"aten::div", "out", 3},      {"aten::gelu", "", 9},      {"aten::gelu", "out", 9},     {"aten::linspace", "", 7},
    {"aten::linspace", "out", 7}, {"aten::logspace", "", 8},  {"aten::logspace", "out", 8},
};
constexpr Upgrader kOfPyTorch2[] = {
    {"aten::div", "Scalar", 3},      {"aten::div", "Scalar_mode", 3},  {"aten::div", "Tensor", 3},
    {"aten::div", "Tensor_mode", 3}, {"aten::div_", "Scalar", 3},      {"aten::div_", "Scalar_mode", 3},
    {"aten::div_", "Tensor", 3},     {"aten::div_", "Tensor_mode", 3}, {"aten::div", "out", 3},
    {"aten::div", "out_mode", 3},    {"aten::full", "names", 4},       {"aten::gelu", "", 9},
    {"aten::gelu", "out", 9},        {"aten::linspace", "", 7},        {"aten::linspace", "out", 7},
    {"aten::logspace", "", 8},       {"aten::logspace", "out", 8},
};

bool is_call(const Instruction& ins) { return ins.op == kCall; }
bool has_calls(const BytecodeFunction& f) { return std::ranges::any_of(f.instructions, is_call); }
bool is_in(const Instruction& call, Upgraders list) { return call.x >= 0 && static_cast<size_t>(call.x) < list.size(); }
std::string full_name(const Upgrader& upgrader) {
  return *upgrader.overload ? cat(upgrader.name, ".", upgrader.overload) : std::string(upgrader.name);
}

void name_calls(BytecodeFunction& f, Upgraders list) {
  for (Instruction& ins : f.instructions) {
    if (!is_call(ins)) continue;
    const Upgrader& upgrader = list[static_cast<size_t>(ins.x)];
    ins = {static_cast<uint8_t>(Opcode::kOp), 0, static_cast<int32_t>(f.operators.size())};
    f.operators.push_back({upgrader.name, upgrader.overload, -1, upgrader.last_version});
  }
}

enum class Kind : uint8_t { kUnknown, kNumber, kTensor };

Kind kind_of(const Type& type) {
  if (type.is(TypeKind::kTensor)) return Kind::kTensor;
  return type.is(TypeKind::kInt) || type.is(TypeKind::kFloat) || type.is(TypeKind::kNumber) ? Kind::kNumber
                                                                                            : Kind::kUnknown;
}

// Of the value on top of the stack before an instruction, where the one before it pushes a constant or a parameter.
Kind pushed_before(const BytecodeFunction& f, size_t at) {
  if (at == 0) return Kind::kUnknown;
  const Instruction& ins = f.instructions[at - 1];
  const auto code = static_cast<Opcode>(ins.op);
  if (code == Opcode::kLoadC && ins.x >= 0 && static_cast<size_t>(ins.x) < f.constants.size()) {
    return kind_of(*f.constants[static_cast<size_t>(ins.x)].type());
  }
  if ((code != Opcode::kLoad && code != Opcode::kMove) || !f.has_schema) return Kind::kUnknown;
  // Registers from 1 on have the parameters, unless something is stored there later.
  const bool is_parameter = ins.x >= 1 && static_cast<size_t>(ins.x) <= f.schema.arguments.size() &&
                            std::ranges::none_of(f.instructions, [&](const Instruction& other) {
                              return static_cast<Opcode>(other.op) == Opcode::kStore && other.x == ins.x;
                            });
  return is_parameter ? kind_of(*f.schema.arguments[static_cast<size_t>(ins.x) - 1].type) : Kind::kUnknown;
}

// The last argument of a division tells its overload.
bool takes_what_is_pushed(const BytecodeFunction& f, size_t at, const Upgrader& upgrader) {
  const Kind kind = pushed_before(f, at);
  const std::string_view overload = upgrader.overload;
  if (overload == "Scalar") return kind != Kind::kTensor;
  if (overload == "Tensor") return kind != Kind::kNumber;
  return true;
}

// Whether the calls are of this list: all are in it, and the function is well-formed then.
bool fits(const BytecodeFunction& f, Upgraders list, const lite::LiftContext& context) {
  for (size_t i = 0; i < f.instructions.size(); ++i) {
    const Instruction& ins = f.instructions[i];
    if (!is_call(ins)) continue;
    if (!is_in(ins, list) || !takes_what_is_pushed(f, i, list[static_cast<size_t>(ins.x)])) return false;
  }
  BytecodeFunction named = f;
  name_calls(named, list);
  lite::LiftContext scratch;
  scratch.bytecode_version = context.bytecode_version;
  scratch.operator_version = context.operator_version;
  scratch.classes = context.classes;
  try {
    lite::lift(named, scratch);
  } catch (const Error& e) {
    if (e.code() != ErrorCode::kCorruptFile) throw;
    return false;
  }
  return true;
}

// Both lists have what the function calls: it must mean the same in both.
void check_same_meaning(const BytecodeFunction& f) {
  for (const Instruction& ins : f.instructions) {
    if (!is_call(ins)) continue;
    const std::string one = full_name(kOfPyTorch1[ins.x]), two = full_name(kOfPyTorch2[ins.x]);
    WICK_CHECK(one == two, kUnsupported, "flatbuffer: ", f.name, " calls PyTorch's function ", ins.x,
               " for old operators, which is ", one, " in PyTorch 1.13 and ", two,
               " in PyTorch 2; nothing in the file tells which of them wrote it: save the model again as a .ptl file, "
               "which names its operators");
  }
}

void check_exists(const BytecodeFunction& f) {
  for (size_t i = 0; i < f.instructions.size(); ++i) {
    const Instruction& ins = f.instructions[i];
    WICK_CHECK(!is_call(ins) || is_in(ins, kOfPyTorch2), kCorruptFile, "flatbuffer: instruction ", i, " of ", f.name,
               " calls function ", ins.x, ", but there are ", std::size(kOfPyTorch2));
  }
}

}  // namespace

void name_upgraders(std::span<BytecodeFunction> functions, const lite::LiftContext& context) {
  if (std::ranges::none_of(functions, has_calls)) return;
  const auto all_fit = [&](Upgraders list) {
    return std::ranges::all_of(functions,
                               [&](const BytecodeFunction& f) { return !has_calls(f) || fits(f, list, context); });
  };
  for (const BytecodeFunction& f : functions) check_exists(f);
  const bool is_first = all_fit(kOfPyTorch1), is_second = all_fit(kOfPyTorch2);
  if (is_first && is_second) {
    for (const BytecodeFunction& f : functions) check_same_meaning(f);
  }
  // When neither fits, lifting will say why.
  const Upgraders list = is_first ? Upgraders(kOfPyTorch1) : Upgraders(kOfPyTorch2);
  for (BytecodeFunction& f : functions) name_calls(f, list);
}

}  // namespace wick::flatbuffer
