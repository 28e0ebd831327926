// Overloads that PyTorch defines in TorchScript, built from other operators.
#include "frontend/script/match_scripted.h"

#include <unordered_map>

#include "frontend/script/match_call.h"

namespace wick::script {

namespace {

using Inputs = std::vector<ir::Value*>;

struct Entry {
  const char* schema;
  ir::Value* (*emit)(Emitter& emitter, const Inputs& in);
};

ir::Value* first(Emitter&, const Inputs& in) { return in[0]; }

// op(b, a) for a call (a, b).
template <const char* kName>
ir::Value* swapped(Emitter& e, const Inputs& in) {
  return call_one(e, kName, {in[1], in[0]});
}

ir::Value* subtract(Emitter& e, const Inputs& in) {
  return call_one(e, "aten::add", {call_one(e, "aten::neg", {in[1]}), in[0]});
}
ir::Value* divide(Emitter& e, const Inputs& in) {
  return call_one(e, "aten::mul", {call_one(e, "aten::reciprocal", {in[1]}), in[0]});
}
ir::Value* floor_divide(Emitter& e, const Inputs& in) { return call_one(e, "aten::floor_divide", {in[0], in[1]}); }
ir::Value* dim(Emitter& e, const Inputs& in) { return call_one(e, "aten::dim", {in[0]}); }
ir::Value* numpy_t(Emitter& e, const Inputs& in) { return call_one(e, "aten::numpy_T", {in[0]}); }
ir::Value* matrix_h(Emitter& e, const Inputs& in) { return call_one(e, "aten::matrix_H", {in[0]}); }
ir::Value* m_t(Emitter& e, const Inputs& in) { return call_one(e, "aten::mT", {in[0]}); }
ir::Value* m_h(Emitter& e, const Inputs& in) { return call_one(e, "aten::mH", {in[0]}); }
ir::Value* sizes(Emitter& e, const Inputs& in) { return call_one(e, "aten::size", {in[0]}); }
ir::Value* nothing(Emitter& e, const Inputs&) { return e.none(); }
ir::Value* device(Emitter& e, const Inputs& in) { return e.op("aten::device", {in[0]}); }
ir::Value* to_dtype(Emitter& e, const Inputs& in) { return call_one(e, "aten::to", {in[0], in[1], in[2], in[3]}); }

ir::Value* assert_that(Emitter& e, const Inputs& in) {
  ir::Value* condition = in[0]->type->is(TypeKind::kTensor) ? e.op("aten::Bool.Tensor", {in[0]}) : in[0];
  ir::Node* node = e.node(ir::NodeKind::kIf, {condition});
  e.graph().add_block(node);
  ir::Block* const outer = e.block;
  e.block = e.graph().add_block(node);
  ir::Value* text = e.op("aten::add.str", {e.constant(IValue("AssertionError: ")), in[1]});
  e.op("prim::RaiseException", {text, e.none()});
  e.block = outer;
  return e.none();
}

ir::Value* list_with_default(Emitter& e, const Inputs& in) {
  ir::Value* more = e.op("aten::gt.int", {e.op("aten::len.t", {in[1]}), e.op("aten::len.t", {in[0]})});
  assert_that(e, {more, e.constant(IValue(""))});
  return in[0];
}

ir::Value* contains_text(Emitter& e, const Inputs& in) {
  ir::Value* length = e.op("aten::len.str", {in[0]});
  ir::Value* at = e.op("aten::find", {in[0], in[1], e.constant(IValue(int64_t{0})), length});
  return e.op("aten::ne.int", {at, e.constant(IValue(int64_t{-1}))});
}

constexpr char kMul[] = "aten::mul", kAdd[] = "aten::add", kNe[] = "aten::ne", kEq[] = "aten::eq", kLt[] = "aten::lt",
               kLe[] = "aten::le", kGt[] = "aten::gt", kGe[] = "aten::ge";

constexpr Entry kEntries[] = {
    {"aten::mul(float a, Tensor b) -> Tensor", swapped<kMul>},
    {"aten::add(float a, Tensor b) -> Tensor", swapped<kAdd>},
    {"aten::ne(float a, Tensor b) -> Tensor", swapped<kNe>},
    {"aten::eq(float a, Tensor b) -> Tensor", swapped<kEq>},
    {"aten::sub(float a, Tensor b) -> Tensor", subtract},
    {"aten::div(float a, Tensor b) -> Tensor", divide},
    {"aten::mul(int a, Tensor b) -> Tensor", swapped<kMul>},
    {"aten::add(int a, Tensor b) -> Tensor", swapped<kAdd>},
    {"aten::ne(int a, Tensor b) -> Tensor", swapped<kNe>},
    {"aten::eq(int a, Tensor b) -> Tensor", swapped<kEq>},
    {"aten::sub(int a, Tensor b) -> Tensor", subtract},
    {"aten::div(int a, Tensor b) -> Tensor", divide},
    {"aten::mul(complex a, Tensor b) -> Tensor", swapped<kMul>},
    {"aten::add(complex a, Tensor b) -> Tensor", swapped<kAdd>},
    {"aten::ne(complex a, Tensor b) -> Tensor", swapped<kNe>},
    {"aten::eq(complex a, Tensor b) -> Tensor", swapped<kEq>},
    {"aten::sub(complex a, Tensor b) -> Tensor", subtract},
    {"aten::div(complex a, Tensor b) -> Tensor", divide},
    {"aten::lt(float a, Tensor b) -> Tensor", swapped<kGt>},
    {"aten::le(float a, Tensor b) -> Tensor", swapped<kGe>},
    {"aten::gt(float a, Tensor b) -> Tensor", swapped<kLt>},
    {"aten::ge(float a, Tensor b) -> Tensor", swapped<kLe>},
    {"aten::lt(int a, Tensor b) -> Tensor", swapped<kGt>},
    {"aten::le(int a, Tensor b) -> Tensor", swapped<kGe>},
    {"aten::gt(int a, Tensor b) -> Tensor", swapped<kLt>},
    {"aten::ge(int a, Tensor b) -> Tensor", swapped<kLe>},
    {"aten::_single(float[1] x) -> float[]", first},
    {"aten::_pair(float[2] x) -> float[]", first},
    {"aten::_triple(float[3] x) -> float[]", first},
    {"aten::_quadruple(float[4] x) -> float[]", first},
    {"aten::_single(int[1] x) -> int[]", first},
    {"aten::_pair(int[2] x) -> int[]", first},
    {"aten::_triple(int[3] x) -> int[]", first},
    {"aten::_quadruple(int[4] x) -> int[]", first},
    {"aten::floordiv(Tensor self, Scalar other) -> Tensor", floor_divide},
    {"aten::floordiv(Tensor self, Tensor other) -> Tensor", floor_divide},
    {"prim::ndim(Tensor a) -> int", dim},
    {"prim::T(Tensor a) -> Tensor", numpy_t},
    {"prim::H(Tensor a) -> Tensor", matrix_h},
    {"prim::mT(Tensor a) -> Tensor", m_t},
    {"prim::mH(Tensor a) -> Tensor", m_h},
    {"prim::shape(Tensor a) -> int[]", sizes},
    {"aten::_assert_int_or_pair(int[] vals, str name, str message) -> NoneType", nothing},
    {"aten::list_with_default(int[] out_size, int[] defaults) -> int[]", list_with_default},
    {"aten::_assert(bool condition, str message) -> NoneType", assert_that},
    {"aten::device(str type) -> Device", device},
    {"aten::type(Tensor self, int dtype, bool non_blocking=False, bool copy=False) -> Tensor", to_dtype},
    {"aten::_assert(Tensor condition, str message) -> NoneType", assert_that},
    {"aten::__contains__(str self, str key) -> bool", contains_text},
};

}  // namespace

const std::vector<ScriptedOverload>& scripted_overloads(std::string_view name) {
  using Table = std::unordered_map<std::string, std::vector<ScriptedOverload>>;
  static const Table* const table = [] {
    auto* out = new Table;
    for (const Entry& entry : kEntries) {
      FunctionSchema schema = parse_schema(entry.schema);
      std::vector<ScriptedOverload>& list = (*out)[schema.name];
      list.push_back({std::move(schema), entry.emit});
    }
    return out;
  }();
  static const auto* const none = new std::vector<ScriptedOverload>;
  const auto it = table->find(std::string(name));
  return it == table->end() ? *none : it->second;
}

}  // namespace wick::script
