// Names of instructions and the checks that need no knowledge of their neighbors.
#include <algorithm>
#include <iterator>

#include "archive/bytecode.h"
#include "core/check.h"
#include "core/instruction_operators.h"
#include "core/limits.h"

namespace wick::lite {

namespace {

struct OpcodeInfo {
  const char* name;
  bool in_lite;
  const char* promoted = nullptr;  // operator of the same meaning, if there is one
};

constexpr OpcodeInfo kOpcodes[] = {
    {"OP", true},
    {"OPN", true},
    {"LOAD", true},
    {"MOVE", true},
    {"STOREN", true},
    {"STORE", true},
    {"DROP", true},
    {"DROPR", true},
    {"LOADC", true},
    {"JF", true},
    {"JMP", true},
    {"LOOP", true},
    {"RET", true},
    {"WAIT", false},
    {"CALL", false},
    {"GUARD", false},
    {"TYPECHECK", false},
    {"FAIL_GUARD", false},
    {"PROFILE_OP", false},
    {"TAIL_CALL", false},
    {"INTERFACE_CALL", true},
    {"GET_ATTR", true},
    {"SET_ATTR", true},
    {"LIST_UNPACK", true},
    {"TUPLE_CONSTRUCT", true},
    {"NAMED_TUPLE_CONSTRUCT", true},
    {"LIST_CONSTRUCT", true},
    {"DICT_CONSTRUCT", true},
    {"CREATE_OBJECT", true},
    {"ISINSTANCE", true},
    {"TUPLE_SLICE", true},
    {"TUPLE_INDEX", true, "prim::TupleIndex"},
    {"RAISE_EXCEPTION", true, "prim::RaiseException"},
    {"DICT_INDEX", true, "aten::__getitem__.Dict_str"},
    {"UNCHECKED_CAST", true},
    {"__IS__", true, "aten::__is__"},
    {"UN_INITIALIZED", true},
    {"__ISNOT__", true, "aten::__isnot__"},
    {"FORMAT", true, "aten::format"},
    {"DEVICE", true, "prim::device"},
    {"DTYPE", true, "prim::dtype"},
    {"DIM", true, "aten::dim"},
    {"__NOT__", true, "aten::__not__"},
    {"TO_LIST", true, "prim::tolist"},
    {"NUM_TO_TENSOR", true, "prim::NumToTensor.Scalar"},
    {"IS_CUDA", true, "prim::is_cuda"},
    {"FORK", false},
    {"WARN", true, "aten::warn"},
    {"ENTER", false},
    {"EXIT", false},
    {"AWAITABLE", false},
};
constexpr int kOpcodeCount = static_cast<int>(std::size(kOpcodes));
static_assert(std::all_of(std::begin(kOpcodes), std::end(kOpcodes), [](const OpcodeInfo& info) {
  return info.promoted == nullptr || std::find(std::begin(kInstructionOperators), std::end(kInstructionOperators),
                                               info.promoted) != std::end(kInstructionOperators);
}));

}  // namespace

int opcode_from_name(std::string_view name) {
  for (int code = 0; code < kOpcodeCount; ++code) {
    if (name == kOpcodes[code].name) return code;
  }
  return -1;
}

const char* opcode_name(int code) { return code >= 0 && code < kOpcodeCount ? kOpcodes[code].name : "?"; }

bool is_lite_opcode(int code) { return code >= 0 && code < kOpcodeCount && kOpcodes[code].in_lite; }

const char* promoted_operator(Opcode op) { return kOpcodes[static_cast<size_t>(op)].promoted; }

std::string describe(const BytecodeFunction& function, size_t instruction) {
  const Instruction& ins = function.instructions[instruction];
  return cat(function.name, ", instruction ", instruction, " (", opcode_name(ins.op), " ", ins.x,
             ins.n != 0 ? cat(" ", ins.n) : std::string(), ")");
}

void refuse(const BytecodeFunction& function, size_t instruction, const std::string& reason) {
  fail_with<ErrorCode::kCorruptFile>("bytecode of ", describe(function, instruction), ": ", reason);
}

namespace {

[[noreturn, gnu::cold]] void raise_at(const BytecodeFunction& f, size_t i, uint64_t kinds, ...) {
  va_list parts;
  va_start(parts, kinds);
  const std::string reason = text::joined(kinds, parts);
  va_end(parts);
  refuse(f, i, reason);
}

void check_instruction(const BytecodeFunction& f, size_t i) {
  const Instruction& ins = f.instructions[i];
  const auto check = [&]<class... Parts>(bool holds, const Parts&... parts) __attribute__((always_inline)) {
    if (!holds) [[unlikely]]
      raise_at(f, i, text::kinds_of<Parts...>(0), text::word_of<Parts>(parts)...);
  };
  check(ins.op < kOpcodeCount, "unknown instruction code ", static_cast<int>(ins.op));
  check(is_lite_opcode(ins.op), "this instruction is invalid in a lite-interpreter file");
  const int64_t x = ins.x;
  auto index_below = [&](size_t count, const char* what) {
    check(x >= 0 && static_cast<size_t>(x) < count, what, " ", x, " does not exist, there are ", count);
  };
  auto registers = [&](int64_t count) {
    const int64_t last = x + count - 1;
    check(count != 1 || (x >= 1 && x <= f.register_size), "register ", x, " is outside 1..", f.register_size);
    check(x >= 1 && last <= f.register_size, "register ", x, "..", last, " is outside 1..", f.register_size);
  };
  auto at_least = [&](int64_t minimum, const char* what) { check(x >= minimum, what, " ", x, " is not valid"); };
  switch (static_cast<Opcode>(ins.op)) {
    case Opcode::kOp:
    case Opcode::kOpN:
      return index_below(f.operators.size(), "operator");
    case Opcode::kLoad:
    case Opcode::kMove:
    case Opcode::kStore:
    case Opcode::kDropR:
      return registers(1);
    case Opcode::kStoreN:
      if (ins.n > 0) registers(ins.n);
      return;
    case Opcode::kLoadC:
      return index_below(f.constants.size(), "constant");
    case Opcode::kInterfaceCall:
      index_below(f.constants.size(), "constant");
      check(f.constants[x].is_string(), "the method name is not a string");
      check(ins.n >= 1, "a method call needs its object");
      return;
    case Opcode::kNamedTupleConstruct:
    case Opcode::kListConstruct:
    case Opcode::kDictConstruct:
    case Opcode::kCreateObject:
      return index_below(f.types.size(), "type");
    case Opcode::kIsInstance:
      check(x >= 0 && static_cast<size_t>(x) + ins.n <= f.types.size(), "types ", x, "..", x + ins.n,
            " do not exist, there are ", f.types.size());
      return;
    case Opcode::kGetAttr:
    case Opcode::kSetAttr:
      at_least(0, "slot");
      check(x < limits::kMaxRegisters, "slot ", x, " is too large");
      return;
    case Opcode::kListUnpack:
    case Opcode::kTupleConstruct:
    case Opcode::kTupleSlice:
      return at_least(0, "count");
    case Opcode::kFormat:
      return at_least(1, "count");
    default:
      return;
  }
}

}  // namespace

size_t arguments_before_counts(std::string_view full_name) {
  struct Shorter {
    std::string_view name;
    size_t arguments;
  };
  static constexpr Shorter kShorter[] = {{"aten::pad_sequence", 3},
                                         {"aten::to_dense", 2},
                                         {"aten::_assert_tensor_metadata", 4},
                                         {"aten::stft", 8},
                                         {"aten::stft.center", 10}};
  for (const Shorter& shorter : kShorter) {
    if (shorter.name == full_name) return shorter.arguments;
  }
  return 0;
}

const char* dict_index_operator(const Type& key) {
  switch (key.kind()) {
    case TypeKind::kInt:
      return "aten::__getitem__.Dict_int";
    case TypeKind::kBool:
      return "aten::__getitem__.Dict_bool";
    case TypeKind::kFloat:
      return "aten::__getitem__.Dict_float";
    case TypeKind::kComplex:
      return "aten::__getitem__.Dict_complex";
    case TypeKind::kTensor:
      return "aten::__getitem__.Dict_Tensor";
    default:
      return "aten::__getitem__.Dict_str";
  }
}

void check_instructions(const BytecodeFunction& f) {
  WICK_CHECK(f.register_size >= 0 && f.register_size <= limits::kMaxRegisters, kCorruptFile, "bytecode of ", f.name,
             ": register_size ", f.register_size, " is outside 0..", limits::kMaxRegisters);
  WICK_CHECK(!f.instructions.empty(), kCorruptFile, "bytecode of ", f.name, ": there are no instructions");
  for (const OperatorRef& ref : f.operators) {
    WICK_CHECK(!ref.name.empty(), kCorruptFile, "bytecode of ", f.name, ": an operator has no name");
  }
  for (size_t i = 0; i < f.instructions.size(); ++i) check_instruction(f, i);
}

}  // namespace wick::lite
