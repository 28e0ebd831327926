// TorchScript modules made from the bytes of an input: values of any type, lists that hold themselves, values shared
// and nested, attributes that change, branches and loops.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "archive/writer.h"
#include "core/check.h"
#include "fuzz/feed.h"

namespace wick::fuzz {

class ProgramMaker {
 public:
  // With `forks`, tasks are forked that use what their parent uses, and waited for or not.
  explicit ProgramMaker(ByteFeed& feed, bool forks = false) : feed_(feed), forks_(forks) {}

  // The source of a module __torch__.M with the attributes that module_file stores.
  std::string source() {
    code_ =
        "class M(Module):\n"
        "  __parameters__ = []\n"
        "  __buffers__ = []\n"
        "  training : bool\n"
        "  kept : Any\n"
        "  items : List[Any]\n"
        "  table : Dict[str, Any]\n"
        "  count : int\n";
    if (forks_ || feed_.one_in(2)) method("step", "x: Any", "Any", {{"x", "Any"}});
    has_step_ = code_.find("def step") != std::string::npos;
    method("forward", "x: Tensor, n: int, a: Any", "Any", {{"x", "Tensor"}, {"n", "int"}, {"a", "Any"}});
    return code_;
  }

 private:
  struct Variable {
    std::string name, type;
  };
  static constexpr const char* kTypes[] = {
      "Tensor",         "int", "Any",          "List[Any]",        "Any",  "bool", "Tuple[Any, Any]",
      "Dict[str, Any]", "str", "List[Tensor]", "Optional[Tensor]", "float"};

  void method(const char* name, const char* arguments, const char* result, std::vector<Variable> variables) {
    code_ += cat("  def ", name, "(self: __torch__.M, ", arguments, ") -> ", result, ":\n");
    variables_ = std::move(variables);
    define("l", "List[Any]", "annotate(List[Any], [x, 1, \"a\"])", 2);
    define("d", "Dict[str, Any]", "annotate(Dict[str, Any], {\"k\": x, \"a\": 1})", 2);
    block(2, 4 + feed_.below(14), 0);
    line(2, cat("return ", expression("Any", 0)));
  }

  void line(size_t indent, const std::string& text) { code_ += std::string(indent * 2, ' ') + text + "\n"; }
  void define(const std::string& name, const std::string& type, const std::string& value, size_t indent) {
    line(indent, cat(name, " = ", value));
    variables_.push_back({name, type});
  }
  std::string fresh() { return cat("v", next_++); }

  // A variable of the type, or nothing.
  std::string variable(std::string_view type) {
    std::vector<const std::string*> fitting;
    for (const Variable& v : variables_) {
      if (v.type == type) fitting.push_back(&v.name);
    }
    return fitting.empty() ? std::string() : *fitting[feed_.below(fitting.size())];
  }

  void block(size_t indent, size_t statements, size_t depth) {
    for (size_t i = 0; i < statements; ++i) statement(indent, depth);
    line(indent, cat("z", next_++, " = 0"));  // no block is empty
  }

  void statement(size_t indent, size_t depth) {
    constexpr size_t kMostDepth = 3;
    if (forks_ && depth < kMostDepth && feed_.below(3) == 0) return fork(indent, depth);
    switch (feed_.below(depth < kMostDepth ? 13 : 10)) {
      case 0:
      case 1:
      case 2: {
        const std::string type = feed_.pick(kTypes);
        const std::string value = expression(type, 0);
        return define(fresh(), type, value, indent);
      }
      case 3:
        return line(indent,
                    cat("_", next_++, " = torch.append(", expression("List[Any]", 1), ", ", expression("Any", 1), ")"));
      case 4:
        return line(indent, cat("torch._set_item(", expression("Dict[str, Any]", 1), ", ", expression("str", 1), ", ",
                                expression("Any", 1), ")"));
      case 5:
        return line(indent,
                    cat("torch._set_item(", list_to_index(), ", ",
                        index([&](std::string_view t) { return expression(t, 1); }), ", ", expression("Any", 1), ")"));
      case 6: {
        static constexpr std::pair<const char*, const char*> kAttributes[] = {
            {"kept", "Any"}, {"items", "List[Any]"}, {"table", "Dict[str, Any]"}, {"count", "int"}};
        const auto& [name, type] = feed_.pick(kAttributes);
        return line(indent, cat("self.", name, " = ", expression(type, 0)));
      }
      case 7: {  // written in place
        const std::string tensor = variable("Tensor");
        if (tensor.empty()) return;
        return line(indent, cat("_", next_++, " = torch.", feed_.one_in(2) ? "mul_" : "add_", "(", tensor, ", ",
                                expression("int", 1), ")"));
      }
      case 8: {  // a variable changes
        const std::string type = feed_.pick(kTypes);
        const std::string name = variable(type);
        if (name.empty()) return;
        return line(indent, cat(name, " = ", expression(type, 0)));
      }
      case 9: {  // a value nested once more, around itself twice
        const std::string name = variable("Any");
        if (name.empty()) return;
        return line(indent, cat(name, " = annotate(Any, (", name, ", ", feed_.one_in(2) ? name : "1", "))"));
      }
      case 10:
        return branch(indent, depth);
      case 11:
        return loop(indent, depth);
      default:
        return refined(indent, depth);
    }
  }

  // A new task, or waiting for one that was forked.
  void fork(size_t indent, size_t depth) {
    const std::string known = variable("Future");
    if (!known.empty() && feed_.one_in(2)) return define(fresh(), "Any", cat("torch.wait(", known, ")"), indent);
    const std::string task = fresh();
    line(indent, cat("def __", task, "():"));
    forks_ = has_step_ && feed_.one_in(4);  // tasks fork tasks now and then
    inner(indent + 1, depth);
    line(indent + 1, cat("return ", expression("Any", 1)));
    forks_ = true;
    line(indent, cat(task, " = fork(__", task, ")"));
    variables_.push_back({task, "Future"});
  }

  void inner(size_t indent, size_t depth) {
    const size_t outside = variables_.size();
    block(indent, 1 + feed_.below(4), depth + 1);
    variables_.resize(outside);
  }

  void branch(size_t indent, size_t depth) {
    line(indent, cat("if ", expression("bool", 1), ":"));
    inner(indent + 1, depth);
    line(indent, "else:");
    inner(indent + 1, depth);
  }

  void loop(size_t indent, size_t depth) {
    const std::string index = fresh();
    line(indent, cat("for ", index, " in range(",
                     feed_.one_in(4) ? expression("int", 1) : std::to_string(feed_.below(40)), "):"));
    variables_.push_back({index, "int"});
    inner(indent + 1, depth);
    variables_.pop_back();
  }

  // A value of any type used as what it is found to be.
  void refined(size_t indent, size_t depth) {
    const std::string name = fresh();
    const std::string type = feed_.one_in(2) ? "Tensor" : "List[Any]";
    define(name, "Any", expression("Any", 1), indent);
    line(indent, cat("if isinstance(", name, ", ", type, "):"));
    const std::string cast = fresh();
    define(cast, type, cat("unchecked_cast(", type, ", ", name, ")"), indent + 1);
    inner(indent + 1, depth);
    variables_.pop_back();
    line(indent, "else:");
    inner(indent + 1, depth);
  }

  std::string number() {
    static constexpr const char* kValues[] = {
        "0", "1", "2", "3", "-1", "7", "100", "2147483648", "-9223372036854775807"};
    return feed_.pick(kValues);
  }

  std::string expression(std::string_view type, size_t depth) {
    constexpr size_t kMostDepth = 3;
    if (depth >= kMostDepth || !feed_.one_in(3)) {
      const std::string name = variable(type);
      if (!name.empty() && !feed_.one_in(8)) return name;
    }
    const bool simple = depth >= kMostDepth;
    const auto of = [&](std::string_view t) { return expression(t, depth + 1); };
    if (type == "Tensor") return simple ? "torch.zeros([2])" : tensor(of);
    if (type == "int") {
      switch (simple ? 0 : feed_.below(6)) {
        case 0:
          return number();
        case 1:
          return cat("torch.len(", of("List[Any]"), ")");
        case 2:
          return cat("torch.add(", of("int"), ", ", of("int"), ")");
        case 3:
          return cat("torch.mul(", of("int"), ", ", of("int"), ")");
        case 4:
          return "self.count";
        default:
          return cat("torch.dim(", of("Tensor"), ")");
      }
    }
    if (type == "bool") {
      switch (simple ? 0 : feed_.below(4)) {
        case 0:
          return feed_.one_in(2) ? "True" : "False";
        case 1:
          return cat("torch.lt(", of("int"), ", ", of("int"), ")");
        case 2:
          return cat("torch.__is__(", of("Any"), ", None)");
        default:
          return cat("torch.__contains__(", of("Dict[str, Any]"), ", ", of("str"), ")");
      }
    }
    if (type == "str") {
      if (simple || feed_.one_in(2)) return feed_.one_in(2) ? "\"k\"" : "\"a\"";
      return cat("torch.format(\"{}\", ", of(feed_.one_in(2) ? "Any" : "int"), ")");
    }
    if (type == "float") return feed_.one_in(2) ? "0.5" : cat("float(", number(), ")");
    if (type == "List[Any]") {
      if (simple || feed_.one_in(3)) return "annotate(List[Any], [])";
      if (feed_.one_in(3)) return "self.items";
      return cat("annotate(List[Any], [", of("Any"), ", ", of("Any"), "])");
    }
    if (type == "Dict[str, Any]") {
      return simple || feed_.one_in(2) ? "annotate(Dict[str, Any], {})" : "self.table";
    }
    if (type == "Tuple[Any, Any]") return cat("annotate(Tuple[Any, Any], (", of("Any"), ", ", of("Any"), "))");
    if (type == "List[Tensor]") return cat("annotate(List[Tensor], [", of("Tensor"), ", ", of("Tensor"), "])");
    if (type == "Optional[Tensor]") {
      return cat("annotate(Optional[Tensor], ", simple || feed_.one_in(2) ? "None" : of("Tensor"), ")");
    }
    return any(simple, of);
  }

  template <class Of>
  std::string tensor(const Of& of) {
    switch (feed_.below(9)) {
      case 0:
        return cat("torch.add(", of("Tensor"), ", ", of("Tensor"), ")");
      case 1:
        return cat("torch.mul(", of("Tensor"), ", ", of("int"), ")");
      case 2:
        return cat("torch.relu(", of("Tensor"), ")");
      case 3:
        return cat("torch.reshape(", of("Tensor"), ", [-1])");
      case 4:
        return cat("torch.select(", of("Tensor"), ", 0, ", index(of), ")");
      case 5:
        return cat("torch.cat(", of("List[Tensor]"), ", 0)");
      case 6:
        return cat("torch.matmul(", of("Tensor"), ", ", of("Tensor"), ")");
      case 7:
        return cat("torch.slice(", of("Tensor"), ", 0, 0, ", of("int"), ", 1)");
      default:
        return "torch.ones([2, 2])";
    }
  }

  // Mostly such that they fit, so that the program goes on.
  std::string list_to_index() { return feed_.one_in(8) ? expression("List[Any]", 2) : "l"; }
  template <class Of>
  std::string index(const Of& of) {
    static constexpr const char* kFitting[] = {"0", "1", "-1", "2"};
    return feed_.one_in(8) ? of("int") : feed_.pick(kFitting);
  }

  template <class Of>
  std::string any(bool simple, const Of& of) {
    switch (simple ? 0 : feed_.below(8)) {
      case 0:
        return cat("annotate(Any, ", feed_.one_in(2) ? "None" : number(), ")");
      case 1:
        return "self.kept";
      case 2:
        return cat("(", list_to_index(), ")[", index(of), "]");
      case 3:
        return cat("(", feed_.one_in(8) ? of("Dict[str, Any]") : "d", ")[", feed_.one_in(8) ? of("str") : "\"k\"", "]");
      case 4:
        return cat("(", of("Tuple[Any, Any]"), ")[", feed_.one_in(2) ? "1" : "0", "]");
      case 5:
        return has_step_ ? cat("(self).step(", of("Any"), ", )") : cat("annotate(Any, ", of("str"), ")");
      default: {
        const std::string type = feed_.pick(kTypes);
        return type == "Any" ? cat("annotate(Any, ", of("Tensor"), ")") : cat("annotate(Any, ", of(type), ")");
      }
    }
  }

  ByteFeed& feed_;
  bool forks_;
  std::string code_;
  std::vector<Variable> variables_;
  size_t next_ = 0;
  bool has_step_ = false;
};

// A file with the source; the module's attributes are None, an empty list, an empty dict and 0.
inline std::vector<uint8_t> module_file(const std::string& source) {
  const auto text = [](std::string_view s) {
    const auto size = static_cast<uint32_t>(s.size());
    return "X" + std::string(reinterpret_cast<const char*>(&size), 4) + std::string(s);
  };
  const std::string data =
      "\x80\x02"
      "c__torch__\nM\n)\x81}(" +
      text("training") + "\x89" + text("kept") + "N" + text("items") + "]" + text("table") + "}" + text("count") +
      std::string("K\0", 2) + "ub.";
  const auto bytes = [](const std::string& s) { return Bytes(reinterpret_cast<const uint8_t*>(s.data()), s.size()); };
  ZipWriter zip("m");
  zip.add("data.pkl", bytes(data));
  zip.add("code/__torch__.py", bytes(source));
  zip.add("constants.pkl", bytes("\x80\x02)."));
  zip.add("version", bytes("10\n"));
  return zip.finish();
}

}  // namespace wick::fuzz
