// The instructions of a lite-interpreter method as a file holds them, before they are verified and lifted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/schema.h"
#include "wick/ivalue.h"

namespace wick::lite {

// Values are the codes of the flatbuffer encoding.
enum class Opcode : uint8_t {
  kOp = 0,
  kOpN = 1,
  kLoad = 2,
  kMove = 3,
  kStoreN = 4,
  kStore = 5,
  kDrop = 6,
  kDropR = 7,
  kLoadC = 8,
  kJumpFalse = 9,
  kJump = 10,
  kLoop = 11,
  kReturn = 12,
  kInterfaceCall = 20,
  kGetAttr = 21,
  kSetAttr = 22,
  kListUnpack = 23,
  kTupleConstruct = 24,
  kNamedTupleConstruct = 25,
  kListConstruct = 26,
  kDictConstruct = 27,
  kCreateObject = 28,
  kIsInstance = 29,
  kTupleSlice = 30,
  kTupleIndex = 31,
  kRaiseException = 32,
  kDictIndex = 33,
  kUncheckedCast = 34,
  kIs = 35,
  kUninitialized = 36,
  kIsNot = 37,
  kFormat = 38,
  kDevice = 39,
  kDType = 40,
  kDim = 41,
  kNot = 42,
  kToList = 43,
  kNumToTensor = 44,
  kIsCuda = 45,
  kWarn = 47,
};

struct Instruction {
  uint8_t op;  // an Opcode once check_instructions has passed
  uint16_t n;
  int32_t x;
};

// Code of an instruction's name ("OP", "STOREN"), also of those the lite interpreter refuses; -1 when unknown.
int opcode_from_name(std::string_view name);
// Name of a code; "?" when unknown.
const char* opcode_name(int code);
// True when a lite-interpreter file may contain it.
bool is_lite_opcode(int code);
// The operator a promoted instruction stands for ("aten::dim" for DIM); null for others.
const char* promoted_operator(Opcode op);
// DICT_INDEX serves every type of key; the operators differ in nothing else.
const char* dict_index_operator(const Type& key);

struct OperatorRef {
  std::string name;
  std::string overload;
  int64_t num_specified = -1;  // arguments each use pushes; -1: all, or counted by OPN
  int64_t version = -1;        // of the operators a use has the meaning of; -1: the file's

  std::string full_name() const { return overload.empty() ? name : name + "." + overload; }
};

struct BytecodeFunction {
  std::string name;
  std::vector<Instruction> instructions;
  std::vector<OperatorRef> operators;
  std::vector<IValue> constants;
  std::vector<TypePtr> types;
  int64_t register_size = 0;
  bool has_schema = false;
  FunctionSchema schema;
  int64_t source_base = -1;  // instruction i is `source_base + i` to Program::describe_source; -1: nothing is known
};

// How many arguments an operator had when bytecode did not count them (before version 6); 0 when as many as now.
size_t arguments_before_counts(std::string_view full_name);

// Everything about single instructions: known codes; constants, operators, types and registers in range.
// Jumps, nesting and the stack are checked while lifting. Throws kCorruptFile naming function and instruction.
void check_instructions(const BytecodeFunction& function);

// "__torch__.M.forward, instruction 12 (JF 5)": for messages.
std::string describe(const BytecodeFunction& function, size_t instruction);
// Throws kCorruptFile: what is described, and the reason.
[[noreturn, gnu::cold]] void refuse(const BytecodeFunction& function, size_t instruction, const std::string& reason);

}  // namespace wick::lite
