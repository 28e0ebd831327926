// Classes, types, functions and constants of TorchScript code, found by name.
#include <gtest/gtest.h>

#include <map>

#include "core/check.h"
#include "frontend/script/importer.h"
#include "wick/error.h"

namespace wick::script {
namespace {

class FakeRecords : public CodeRecords {
 public:
  explicit FakeRecords(std::map<std::string, std::string> records) : records_(std::move(records)) {}
  std::optional<std::string> text(const std::string& record) const override {
    const auto it = records_.find(record);
    return it == records_.end() ? std::nullopt : std::optional(it->second);
  }
  std::optional<IValue> debug(const std::string& record) const override {
    if (record != "code/__torch__.py.debug_pkl") return std::nullopt;
    const IValue source = IValue::tuple({IValue("first\n  second\n"), IValue("model.py"), IValue(10)});
    const IValue range = IValue::tuple({source, IValue(8), IValue(14)});
    return IValue::tuple({IValue::tuple({IValue(0), range, IValue(-1)})});
  }

 private:
  std::map<std::string, std::string> records_;
};

struct Code {
  explicit Code(std::map<std::string, std::string> records)
      : sources(std::make_shared<Sources>(std::make_unique<FakeRecords>(std::move(records)))),
        importer(*program, sources, [] {
          return std::vector<IValue>{IValue(11), IValue("\xc3\xa9")};
        }) {}
  explicit Code(std::string text) : Code(std::map<std::string, std::string>{{"code/__torch__.py", std::move(text)}}) {}

  std::shared_ptr<ir::Program> program = std::make_shared<ir::Program>();
  std::shared_ptr<Sources> sources;
  Importer importer;
};

std::string error_of(const std::string& text, const std::string& name, ErrorCode code = ErrorCode::kCorruptFile) {
  Code c(text);
  try {
    c.importer.class_named(name);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "accepted: " << text.substr(0, 200);
  return {};
}

TEST(ScriptImporter, ModuleClass) {
  Code c(
      "class M(Module):\n"
      "  __parameters__ = [\"weight\", ]\n"
      "  __buffers__ = [\"mean\", ]\n"
      "  __forward_pre_hooks__ = [\"pre\", \"pre\", ]\n"
      "  __forward_hooks__ = [\"post\", ]\n"
      "  weight : Tensor\n"
      "  __annotations__[\"0\"] = __torch__.Sub\n"
      "  mean : Optional[Tensor]\n"
      "  cst : Final[int] = 7\n"
      "  pad : Final[Tuple[int, float]] = (1, 2)\n"
      "  def forward(self: __torch__.M, x: Tensor, n: int=3) -> Tuple[Tensor, List[int]]:\n"
      "    return (x, [n])\n"
      "  def pre(self: __torch__.M, input: Tuple[Tensor]) -> Tuple[Tensor]:\n"
      "    return input\n"
      "  def post(self: __torch__.M, input: Tuple[Tensor], output: Tensor) -> Tensor:\n"
      "    return output\n"
      "class Sub(Module):\n"
      "  __parameters__ = []\n"
      "  training : bool\n");
  const ScriptClass* m = c.importer.class_named("__torch__.M");
  ASSERT_TRUE(m);
  EXPECT_EQ(m->kind, ClassKind::kModule);
  ASSERT_EQ(m->attributes.size(), 3u);
  EXPECT_TRUE(c.importer.program().roles.at("__torch__.M").parameters.contains("weight"));
  EXPECT_TRUE(c.importer.program().roles.at("__torch__.M").buffers.contains("mean"));
  EXPECT_EQ(m->attributes[1].name, "0");
  EXPECT_EQ(m->attributes[1].type->str(), "__torch__.Sub");
  EXPECT_EQ(m->attributes[2].type->str(), "Optional[Tensor]");
  EXPECT_EQ(m->attribute("mean"), 2);
  EXPECT_EQ(m->constant("cst")->value.to_int(), 7);
  EXPECT_TRUE(m->constant("pad")->value.to_tuple().items[1].is_double());
  ASSERT_EQ(m->methods.size(), 3u);
  const ir::Function* forward = m->method("forward");
  EXPECT_EQ(forward->name, "__torch__.M.forward");
  EXPECT_EQ(forward->schema.arguments[2].default_value.to_int(), 3);
  EXPECT_EQ(forward->schema.returns[0].type->str(), "Tuple[Tensor, List[int]]");
  ASSERT_EQ(m->pre_hooks.size(), 2u);
  EXPECT_EQ(m->pre_hooks[1], c.importer.function_named("__torch__.M.pre"));
  EXPECT_EQ(m->hooks[0]->name, "__torch__.M.post");
  EXPECT_EQ((*c.program->classes.find("__torch__.M"))->slot_of("0"), 1);
  EXPECT_EQ(c.importer.class_named("__torch__.Nothing"), nullptr);
  EXPECT_EQ(c.importer.function_named("__torch__.M.nothing"), nullptr);
}

TEST(ScriptImporter, FilesAreReadByQualifier) {
  Code c({{"code/__torch__/a.py", "def f(x: Tensor) -> Tensor:\n  return x\n"},
          {"code/__torch__/a/___torch_mangle_3.py", "class B:\n  x : __torch__.a.C\n"},
          {"code/__torch__/torch/classes/quantized.py", "this is not read"}});
  EXPECT_EQ(c.importer.function_named("__torch__.a.f")->name, "__torch__.a.f");
  EXPECT_EQ(c.importer.function_named("__torch__.b.f"), nullptr);
  EXPECT_EQ(c.importer.type_named("__torch__.a.___torch_mangle_3.B")->str(), "__torch__.a.___torch_mangle_3.B");
  EXPECT_TRUE(c.importer.type_named("__torch__.torch.classes.quantized.LinearPackedParamsBase"));
  EXPECT_EQ(c.importer.class_named("__torch__.torch.classes.quantized.LinearPackedParamsBase"), nullptr);
  EXPECT_THROW(c.importer.class_named("__torch__.a.___torch_mangle_3.B"), Error);  // there is no C
}

TEST(ScriptImporter, NamedTuplesAndEnums) {
  Code c(
      "class P(NamedTuple):\n"
      "  x : Tensor\n"
      "  y : Optional[int] = None\n"
      "  z : List[float] = [1, 2.5]\n"
      "class Color(Enum):\n"
      "  RED = 1\n"
      "  BLUE = 2\n"
      "class Q(NamedTuple):\n"
      "  p : __torch__.P\n"
      "  c : __torch__.Color = __torch__.Color.BLUE\n");
  const ScriptClass* p = c.importer.class_named("__torch__.P");
  EXPECT_EQ(p->fields.size(), 3u);
  EXPECT_FALSE(p->fields[0].default_value);
  EXPECT_TRUE(p->fields[1].default_value->is_none());
  EXPECT_EQ(p->fields[2].default_value->to_list().items[0].to_double(), 1.0);
  EXPECT_EQ(p->type->fields()[2], "z");
  const TypePtr q = c.importer.type_named("__torch__.Q");
  EXPECT_EQ(q->element(0).get(), p->type.get());
  EXPECT_TRUE(q->element(1)->is(TypeKind::kEnum));
  EXPECT_EQ(c.importer.class_of(*q)->fields[1].default_value->to_enum().name, "BLUE");
  EXPECT_EQ(c.importer.class_named("__torch__.Color")->constant("RED")->value.to_enum().value.to_int(), 1);
}

TEST(ScriptImporter, Interfaces) {
  Code c(
      "class I(ModuleInterface):\n"
      "  def forward(self, x: Tensor) -> Tensor:\n"
      "    pass\n"
      "class A(Module):\n"
      "  def forward(self: __torch__.A, x: Tensor, n: int=1) -> Tensor:\n"
      "    return x\n"
      "class B(Module):\n"
      "  def forward(self: __torch__.B, x: int) -> Tensor:\n"
      "    return x\n"
      "class C:\n"
      "  def forward(self: __torch__.C, x: Tensor) -> Tensor:\n"
      "    return x\n");
  const auto type = [&](const char* name) { return c.importer.type_named(cat("__torch__.", name)); };
  EXPECT_TRUE(type("I")->is(TypeKind::kInterface));
  EXPECT_TRUE(c.importer.implements(*type("A"), *type("I")));
  EXPECT_FALSE(c.importer.implements(*type("B"), *type("I")));
  EXPECT_FALSE(c.importer.implements(*type("C"), *type("I")));
  EXPECT_EQ(c.importer.class_named("__torch__.I")->interface_method("forward")->arguments.size(), 2u);
}

TEST(ScriptImporter, ClassesMayReferToEachOther) {
  Code c(
      "class A:\n  b : Optional[__torch__.B]\n  def f(self: __torch__.A, x: __torch__.B) -> __torch__.A:\n    return "
      "self\n"
      "class B:\n  a : __torch__.A\n");
  EXPECT_EQ(c.importer.class_named("__torch__.A")->attributes[0].type->str(), "Optional[__torch__.B]");
  EXPECT_EQ(c.importer.class_named("__torch__.B")->attributes[0].type->str(), "__torch__.A");
}

TEST(ScriptImporter, QuantizedModulesOfOldFiles) {
  const std::string text = "class Linear(Module):\n  _packed_params : Tensor\n";
  Code c({{"code/__torch__/torch/nn/quantized/modules/linear/___torch_mangle_12.py", text},
          {"code/__torch__/torch/nn/modules/linear.py", text}});
  EXPECT_EQ(c.importer.class_named("__torch__.torch.nn.quantized.modules.linear.___torch_mangle_12.Linear")
                ->attributes[0]
                .type->str(),
            "__torch__.torch.classes.quantized.LinearPackedParamsBase");
  EXPECT_EQ(c.importer.class_named("__torch__.torch.nn.modules.linear.Linear")->attributes[0].type->str(), "Tensor");
}

TEST(ScriptImporter, Types) {
  const auto parsed = [](const std::string& type) {
    Code c("class A:\n  x : " + type + "\n");
    return c.importer.class_named("__torch__.A")->attributes[0].type->str();
  };
  EXPECT_EQ(parsed("Dict[str, List[Tuple[int, Tensor]]]"), "Dict[str, List[Tuple[int, Tensor]]]");
  EXPECT_EQ(parsed("Tuple[()]"), "Tuple[()]");
  EXPECT_EQ(parsed("Union[int, NoneType]"), "Optional[int]");
  EXPECT_EQ(parsed("Union[int, str, int]"), "Union[int, str]");
  EXPECT_EQ(parsed("Optional[Optional[Device]]"), "Optional[Device]");
  EXPECT_EQ(parsed("Future[number]"), "Future[number]");
  EXPECT_EQ(parsed("NoneType"), "NoneType");
  EXPECT_EQ(parsed("__torch__.A"), "__torch__.A");
}

TEST(ScriptImporter, Constants) {
  Code c("def f(x: int=CONSTANTS.c0, y: str=CONSTANTS.c1, z: float=-inf, c: complex=1.+2.j) -> int:\n  return x\n");
  const FunctionSchema& schema = c.importer.function_named("__torch__.f")->schema;
  EXPECT_EQ(schema.arguments[0].default_value.to_int(), 11);
  EXPECT_EQ(schema.arguments[1].default_value.to_string(), "\xc3\xa9");
  EXPECT_LT(schema.arguments[2].default_value.to_double(), -1e300);
  EXPECT_EQ(schema.arguments[3].default_value.to_complex().imag(), 2.0);
  Code bad("def f(x: int=CONSTANTS.c2) -> int:\n  return x\n");
  EXPECT_THROW(bad.importer.function_named("__torch__.f"), Error);
}

TEST(ScriptImporter, ConstantsThatNeedConstantsAreRefused) {
  auto program = std::make_shared<ir::Program>();
  auto sources = std::make_shared<Sources>(std::make_unique<FakeRecords>(std::map<std::string, std::string>{}));
  Importer* self = nullptr;
  Importer importer(*program, sources, [&] { return std::vector<IValue>{self->constant(0)}; });
  self = &importer;
  EXPECT_THROW(importer.read_constants(), Error);
}

TEST(ScriptImporter, DescribesWhereCodeStands) {
  Code c("\n\nclass A:\n  x : int\n");
  ASSERT_TRUE(c.importer.class_named("__torch__.A"));
  EXPECT_EQ(c.sources->describe(14), "  code/__torch__.py:4: x : int\n  model.py:12: second");
  EXPECT_EQ(c.sources->describe(int64_t{1} << 32), "");
  EXPECT_EQ(c.sources->describe(-1), "");
}

TEST(ScriptImporter, RefusesWhatIsNoClass) {
  EXPECT_NE(error_of("class A:\n  x : Foo\n", "__torch__.A").find("code/__torch__.py:2: Unknown type name 'Foo'"),
            std::string::npos);
  error_of("class A:\n  x : int\n  x : int\n", "__torch__.A");
  error_of("class A(Base):\n  x : int\n", "__torch__.A");
  error_of("class A:\n  return 1\n", "__torch__.A");
  error_of("class A:\n  a.b = 1\n", "__torch__.A");
  error_of("class A:\n  a = f(1)\n", "__torch__.A");
  error_of("class A:\n  def f() -> int:\n    return 1\n", "__torch__.A");
  error_of("class A:\n  def f(self, x, x):\n    return 1\n", "__torch__.A");
  error_of("class A:\n  def f(self):\n    return 1\n  def f(self):\n    return 2\n", "__torch__.A");
  error_of("class A(Module):\n  __forward_hooks__ = [\"h\"]\n", "__torch__.A");
  error_of("class A(Module):\n  __parameters__ = [h]\n", "__torch__.A");
  error_of("class A(Enum):\n  X = 1\n  Y = \"a\"\n", "__torch__.A");
  error_of("class A(Enum):\n  pass\n", "__torch__.A");
  error_of("class A(NamedTuple):\n  x : __torch__.A\n", "__torch__.A");
  error_of("class A(NamedTuple):\n  x : __torch__.B\nclass B(NamedTuple):\n  x : List[__torch__.A]\n", "__torch__.A");
  error_of("class A(Interface):\n  x : int\n", "__torch__.A");
  error_of("class A:\n  x : List[int, int]\n", "__torch__.A");
  error_of("class A:\n  x : List[1]\n", "__torch__.A");
  error_of("class A:\n  x : Dict[str]\n", "__torch__.A");
}

TEST(ScriptImporter, NestingOfTypesIsBounded) {
  std::string type = "int";
  for (int i = 0; i < 100; ++i) type = "List[" + type + "]";
  error_of("class A:\n  x : " + type + "\n", "__torch__.A", ErrorCode::kLimitExceeded);
  std::string text = "class T0(NamedTuple):\n  x : int\n";
  for (int i = 1; i < 200; ++i) text += cat("class T", i, "(NamedTuple):\n  x : __torch__.T", i - 1, "\n");
  error_of(text, "__torch__.T199", ErrorCode::kLimitExceeded);
  text = "class T0(NamedTuple):\n  x : int\n";
  for (int i = 1; i < 40; ++i) {
    text += cat("class T", i, "(NamedTuple):\n  x : __torch__.T", i - 1, "\n  y : __torch__.T", i - 1, "\n");
  }
  error_of(text, "__torch__.T39", ErrorCode::kLimitExceeded);
}

}  // namespace
}  // namespace wick::script
