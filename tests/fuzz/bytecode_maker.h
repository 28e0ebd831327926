// Bytecode functions made at random whose stack and jumps are in order; their types may not be.
#pragma once

#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/bytecode/lift.h"

namespace wick::fuzz {

class BytecodeMaker {
 public:
  explicit BytecodeMaker(uint64_t seed) : random_(seed) {}

  lite::BytecodeFunction make() {
    f_ = {};
    f_.name = "__torch__.M.forward";
    f_.constants = {IValue(0),
                    IValue(3),
                    IValue(true),
                    IValue(),
                    IValue("key"),
                    IValue(1.5),
                    IValue::int_list({1, 2}),
                    IValue::tuple({IValue(1), IValue("a")}),
                    IValue::tuple({}),
                    IValue(Tensor::zeros({2}))};
    f_.types = {parse_type("List[int]"),
                parse_type("List[Tensor]"),
                parse_type("Dict[str, Tensor]"),
                parse_type("Dict[int, Any]"),
                parse_type("__torch__.P[NamedTuple, [[a, Tensor], [b, int]]]"),
                parse_type("__torch__.C"),
                parse_type("Tuple[int, Tensor]"),
                parse_type("Optional[int]")};
    registers_.clear();
    next_ = 0;
    const size_t arguments = 1 + below(3);
    f_.has_schema = below(4) != 0;
    static const char* const kTypes[] = {
        "Tensor", "Any",  "List[Tensor]",      "Optional[Tensor]", "Tuple[int, Tensor]",
        "int",    "bool", "Dict[str, Tensor]", "Tuple[]"};
    for (size_t i = 0; f_.has_schema && i < arguments; ++i) {
      Argument& argument = f_.schema.arguments.emplace_back();
      argument.name = "x";
      argument.type = parse_type(kTypes[below(std::size(kTypes))]);
    }
    f_.schema.returns.resize(f_.has_schema ? 1 + below(2) : 0);
    for (Argument& a : f_.schema.returns) a.type = types::any();
    store(arguments, true);
    statements(3 + below(10), 0);
    for (size_t i = 0; i < std::max<size_t>(1, f_.schema.returns.size()); ++i) push();
    add("RET");
    f_.register_size = next_;
    return std::move(f_);
  }

 private:
  size_t below(size_t n) { return random_() % n; }
  bool one_in(size_t n) { return below(n) == 0; }

  size_t add(const char* op, int64_t x = 0, size_t n = 0) {
    f_.instructions.push_back(
        {static_cast<uint8_t>(lite::opcode_from_name(op)), static_cast<uint16_t>(n), static_cast<int32_t>(x)});
    return f_.instructions.size() - 1;
  }
  void operation(const std::string& full_name, int64_t given) {
    const size_t dot = full_name.find('.');
    f_.operators.push_back(
        {full_name.substr(0, dot), dot == std::string::npos ? "" : full_name.substr(dot + 1), given});
    add("OP", static_cast<int64_t>(f_.operators.size()) - 1);
  }
  void cast() { operation("prim::unchecked_cast", 1); }

  // A value on the stack: a constant or what a register holds.
  void push(bool certainly_any = false) {
    if (!registers_.empty() && !one_in(3)) {
      auto it = registers_.begin();
      std::advance(it, below(registers_.size()));
      add(one_in(3) ? "MOVE" : "LOAD", *it);
    } else {
      add("LOADC", static_cast<int64_t>(below(f_.constants.size())));
    }
    if (certainly_any || one_in(3)) cast();
  }
  void push_constant(size_t index) { add("LOADC", static_cast<int64_t>(index)); }

  // What is on top of the stack goes to registers or away.
  void store(size_t count, bool at_once = false) {
    if (count == 1 && !at_once && one_in(3)) {
      add("DROP");
    } else if (count == 1 && !registers_.empty() && one_in(3)) {
      add("STORE", *registers_.begin());
    } else if (count == 1 && !(at_once && one_in(2))) {
      add("STORE", new_register());
    } else {
      const int64_t first = next_ + 1;
      add("STOREN", first, count);
      for (size_t i = 0; i < count; ++i) new_register();
    }
    if (!registers_.empty() && one_in(8)) {
      add("DROPR", *registers_.rbegin());
      registers_.erase(std::prev(registers_.end()));
    }
  }
  int64_t new_register() {
    registers_.insert(++next_);
    return next_;
  }

  void statements(size_t count, size_t depth) {
    for (size_t i = 0; i < count; ++i) statement(depth);
  }

  void statement(size_t depth) {
    switch (below(depth < 3 ? 13 : 11)) {
      case 0: {
        static const std::pair<const char*, size_t> kOperators[] = {
            {"aten::relu", 1},          {"aten::add.Tensor", 2}, {"aten::add.Tensor", 3},
            {"aten::append.t", 2},      {"aten::len.t", 1},      {"aten::__getitem__.t", 2},
            {"aten::keys.str", 1},      {"aten::size", 1},       {"aten::__contains__.str_list", 2},
            {"prim::EnumValue.int", 1}, {"aten::item", 1},       {"aten::Bool.int", 1}};
        const auto& [name, given] = kOperators[below(std::size(kOperators))];
        const Operator* op = find_operator(name);
        for (size_t k = 0; k < given; ++k) push(!one_in(4));
        operation(name, static_cast<int64_t>(given));
        if (op == nullptr || !op->schema.returns.empty()) leave();
        return;
      }
      case 1:
        push();
        return store(1);
      case 2: {  // a tuple made, and perhaps taken apart
        const size_t count = below(4);
        for (size_t k = 0; k < count; ++k) push();
        add("TUPLE_CONSTRUCT", static_cast<int64_t>(count));
        if (one_in(2)) return leave();
        if (one_in(3)) cast();
        return unpack(count);
      }
      case 3:  // a tuple of unknown size
        push(true);
        return unpack(below(4));
      case 4: {
        const size_t count = below(4);
        push(!one_in(4));
        add("LIST_UNPACK", static_cast<int64_t>(count));
        return count == 0 ? void() : store(count);
      }
      case 5: {
        const size_t count = below(3);
        const bool dict = one_in(2);
        for (size_t k = 0; k < count * (dict ? 2 : 1); ++k) push(!one_in(3));
        add(dict ? "DICT_CONSTRUCT" : "LIST_CONSTRUCT", static_cast<int64_t>(below(2) + (dict ? 2 : 0)),
            count * (dict ? 2 : 1));
        return leave();
      }
      case 6:
        push();
        push();
        add("NAMED_TUPLE_CONSTRUCT", 4, 2);
        return leave();
      case 7: {
        static const std::pair<const char*, size_t> kInstructions[] = {
            {"TUPLE_INDEX", 2}, {"DICT_INDEX", 2}, {"__IS__", 2},        {"__ISNOT__", 2}, {"DIM", 1},
            {"DTYPE", 1},       {"__NOT__", 1},    {"NUM_TO_TENSOR", 1}, {"TO_LIST", 3},   {"UN_INITIALIZED", 0}};
        const auto& [name, given] = kInstructions[below(std::size(kInstructions))];
        for (size_t k = 0; k < given; ++k) push(!one_in(3));
        add(name);
        return leave();
      }
      case 8: {
        const size_t count = below(3);
        for (size_t k = 0; k < count; ++k) push(!one_in(4));
        f_.operators.push_back({"aten::format", "", -1});
        add("OPN", static_cast<int64_t>(f_.operators.size()) - 1, count);
        return leave();
      }
      case 9:
        push(!one_in(3));
        if (one_in(2)) {
          add("GET_ATTR", static_cast<int64_t>(below(3)));
          return leave();
        }
        push();
        add("SET_ATTR", static_cast<int64_t>(below(3)));
        return;
      case 10:
        push(!one_in(4));
        if (one_in(2)) {
          add("ISINSTANCE", static_cast<int64_t>(below(6)), 1 + below(2));
        } else {
          add("TUPLE_SLICE", static_cast<int64_t>(below(2)), below(3));
        }
        return leave();
      case 11:
        return branch(depth);
      default:
        return loop(depth);
    }
  }

  // A result on the stack is used on the spot or stored.
  void leave() {
    if (one_in(4)) cast();
    store(1);
  }

  void unpack(size_t count) {
    operation("prim::TupleUnpack", 1);
    if (count == 0) return void(add("STOREN"));
    store(count);
  }

  void condition() {
    if (one_in(2)) return push_constant(2);
    push(true);
  }

  void branch(size_t depth) {
    condition();
    const size_t results = below(3);
    const size_t test = add("JF");
    const std::set<int64_t> before = registers_;
    const auto side = [&] {
      registers_ = before;
      statements(below(4), depth + 1);
      for (size_t k = 0; k < results; ++k) one_in(4) ? push_unpacked() : push();
    };
    side();
    const std::set<int64_t> first = registers_;
    const size_t leave = add("JMP");
    set_jump(test);
    side();
    set_jump(leave);
    std::set<int64_t> both;
    for (int64_t reg : registers_) {
      if (first.contains(reg) && before.contains(reg)) both.insert(reg);
    }
    registers_ = both;
    if (results != 0) store(results);
  }

  // The item of a tuple of one, which stays on the stack.
  void push_unpacked() {
    push(true);
    operation("prim::TupleUnpack", 1);
    if (one_in(2)) cast();
  }

  void loop(size_t depth) {
    const size_t carried = below(3);
    push_constant(0);
    one_in(2) ? push_constant(1) : push(true);
    condition();
    for (size_t k = 0; k < carried; ++k) push();
    const size_t head = add("LOOP", 0, 2 + carried);
    const std::set<int64_t> before = registers_;
    store(1 + carried);
    statements(below(4), depth + 1);
    condition();
    for (size_t k = 0; k < carried; ++k) push();
    const size_t back = add("JMP");
    f_.instructions[back].x = static_cast<int32_t>(head) - static_cast<int32_t>(back);
    set_jump(head);
    std::set<int64_t> still;
    for (int64_t reg : registers_) {
      if (before.contains(reg)) still.insert(reg);
    }
    registers_ = still;
    if (carried != 0) store(carried);
  }

  void set_jump(size_t from) {
    f_.instructions[from].x = static_cast<int32_t>(f_.instructions.size()) - static_cast<int32_t>(from);
  }

  std::mt19937_64 random_;
  lite::BytecodeFunction f_;
  std::set<int64_t> registers_;  // that hold a value on every path
  int64_t next_ = 0;
};

}  // namespace wick::fuzz
