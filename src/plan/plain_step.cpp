// Times of single instructions, and what they work on.
#include "plan/plain_step.h"

#include <algorithm>
#include <exception>
#include <optional>

#include "core/tensor_impl.h"
#include "core/visit_tensors.h"

namespace wick::plan {
namespace {

using runtime::Frame;
using runtime::Instruction;
using runtime::OpCode;

// Of a list, as many as are looked at: a loop may add to a long one in every trip.
constexpr size_t kMaxItems = 64;

double bytes_of(const Tensor& t) { return static_cast<double>(t.numel()) * static_cast<double>(itemsize(t.dtype())); }

std::string name_of(const Instruction& i) {
  if (i.code == OpCode::kCallOp) return i.node->op->schema.full_name();
  switch (i.node->kind) {
    case ir::NodeKind::kCallMethod:
      return "call of " + i.node->name;
    case ir::NodeKind::kCallFunction:
      return i.node->callee ? "call of " + std::string(i.node->callee->own_name()) : "call";
    case ir::NodeKind::kFork:
      return "fork";
    default:
      return "wait";
  }
}

// What an instruction reads.
struct Operands {
  std::vector<IntVec> sizes;
  double bytes = 0;

  void add(const Tensor& t) {
    if (!t.defined()) return;
    sizes.push_back(t.sizes());
    bytes += bytes_of(t);
  }
  std::vector<const IntVec*> pointers() const {
    std::vector<const IntVec*> out;
    for (const IntVec& s : sizes) out.push_back(&s);
    return out;
  }
};

// Other threads may change lists and tensors, once the guard is released.
Operands operands_of(const Frame& frame, const Instruction& i) {
  const runtime::ValueGuard guard(frame.lock(), /*alone=*/false);
  Operands out;
  for (uint32_t k = 0; k < i.in_count; ++k) {
    const IValue& value = frame.value(frame.code().operands[i.in_begin + k]);
    if (value.is_tensor()) out.add(value.to_tensor());
    if (!value.is_list()) continue;
    const std::vector<IValue>& items = value.to_list().items;
    for (size_t n = 0; n < std::min(items.size(), kMaxItems); ++n) {
      if (items[n].is_tensor()) out.add(items[n].to_tensor());
    }
  }
  return out;
}

struct Result {
  IntVec sizes, strides;
  double bytes;
};

// The first tensor that it gave.
std::optional<Result> result_of(Frame& frame, const Instruction& i) {
  const auto of = [](const Tensor& t) { return Result{t.sizes(), t.strides(), bytes_of(t)}; };
  const runtime::ValueGuard guard(frame.lock(), /*alone=*/false);
  for (uint32_t k = 0; k < i.out_count; ++k) {
    const uint32_t r = frame.code().outputs[i.out_begin + k];
    if (r == runtime::kNoRegister) continue;
    const IValue& value = frame.registers()[r];
    const bool is_list = value.is_list() && !value.to_list().items.empty();
    const IValue& first = is_list ? value.to_list().items[0] : value;
    if (first.is_tensor() && first.to_tensor().defined()) return of(first.to_tensor());
    if (first.is_tensor()) break;
  }
  return std::nullopt;
}

bool calls_code(const Instruction& i) {
  using ir::NodeKind;
  if (i.code != OpCode::kNode) return false;
  const NodeKind kind = i.node->kind;
  return kind == NodeKind::kCallMethod || kind == NodeKind::kCallFunction || kind == NodeKind::kFork ||
         kind == NodeKind::kWait;
}

}  // namespace

size_t step_profiled(Frame& frame, size_t pc, Profile& profile) {
  const Instruction& i = frame.code().instructions[pc];
  if (i.code != OpCode::kCallOp && !calls_code(i)) return frame.step(pc);
  const Operands operands = operands_of(frame, i);
  const int64_t start = now_ns();
  const size_t next = frame.step(pc);
  const int64_t duration = now_ns() - start;
  const std::optional<Result> result = result_of(frame, i);
  if (operands.sizes.empty() && !result && !calls_code(i)) return next;
  StepTime step{name_of(i), "", start, duration};
  if (result) {
    step.output = text_of_shape(result->sizes, result->strides);
    step.operations = operations_of(step.name, operands.pointers(), result->sizes);
  }
  step.bytes = operands.bytes + (result ? result->bytes : 0);
  step.is_planned = false;
  step.node = i.node;
  profile.steps.push_back(std::move(step));
  return next;
}

ProfiledRun::~ProfiledRun() {
  for (size_t k = first_; k < profile_.steps.size(); ++k) {
    StepTime& step = profile_.steps[k];
    try {
      if (step.node) step.module = paths_.of(*step.node);
    } catch (const std::exception&) {  // a profile without the name
    }
    step.node = nullptr;
  }
}

}  // namespace wick::plan
