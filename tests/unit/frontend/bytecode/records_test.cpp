// Containers with a record replaced: what each problem is called.
#include "api/module_access.h"
#include "archive/writer.h"
#include "frontend/bytecode/decode.h"
#include "unit/frontend/bytecode/fixtures.h"

namespace wick::test {
namespace {

// The fixture with one record replaced, or dropped when `content` is null.
Ref<ByteSource> with_record(const std::string& file, const std::string& record, const std::string* content) {
  const ZipReader zip(ByteSource::open_file(lite_path(file)));
  ZipWriter writer("archive");
  for (const std::string& name : zip.names()) {
    const std::string text = name == record && content ? *content : zip.read_text(name);
    if (name != record || content) {
      writer.add(name, Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
    }
  }
  return ByteSource::copy_of(writer.finish());
}

std::string message(ErrorCode code, const std::string& file, const std::string& record, const std::string* content) {
  LoadOptions options;
  options.allow_missing_operators = true;
  return message_of(code, [&] { load_source(with_record(file, record, content), options); });
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(LiteRecords, ARewrittenFileStillLoads) {
  LoadOptions options;
  options.allow_missing_operators = true;
  const std::string same = "3\n";
  EXPECT_TRUE(load_source(with_record("counter.ptl", "version", &same), options)->root.is_object());
}

TEST(LiteRecords, VersionsOutOfRangeAreNamed) {
  std::string version = "11\n";
  const std::string newer = message(ErrorCode::kUnsupportedVersion, "counter.ptl", "version", &version);
  EXPECT_TRUE(has(newer, "Attempted to read a PyTorch file with version 11")) << newer;
  version = "soon";
  message(ErrorCode::kCorruptFile, "counter.ptl", "version", &version);
  message(ErrorCode::kCorruptFile, "counter.ptl", "version", nullptr);
}

TEST(LiteRecords, BytecodeVersionsOutOfRangeAreNamed) {
  std::string pickle = ZipReader(ByteSource::open_file(lite_path("counter.ptl"))).read_text("bytecode.pkl");
  ASSERT_EQ(pickle.substr(2, 2), std::string("K\x08"));
  pickle[3] = 12;
  const std::string text = message(ErrorCode::kUnsupportedVersion, "counter.ptl", "bytecode.pkl", &pickle);
  EXPECT_TRUE(has(text, "The model version must be between 3 and 9 but the model version is 12")) << text;
  EXPECT_TRUE(has(text, "newer PyTorch")) << text;
}

TEST(LiteRecords, OldFilesTruncateIntegerDivision) {
  LoadOptions options;
  options.allow_missing_operators = true;
  const std::string old = "3\n";
  const Module before = make_module(load_source(with_record("old_ops.ptl", ".data/version", &old), options));
  const Module now = make_module(load_source(ByteSource::open_file(lite_path("old_ops.ptl")), options));
  auto ints = [] { return Tensor::from_values(Span<int64_t>(std::vector<int64_t>{7, -7, 4})); };
  const IValue two = IValue(Tensor::from_values(Span<int64_t>(std::vector<int64_t>{2, 2, 2})));
  EXPECT_EQ(before.forward({IValue(ints()), two}).to_tensor().dtype(), DType::kLong);
  EXPECT_EQ(before.forward({IValue(ints()), two}).to_tensor().data<int64_t>()[1], -3);
  EXPECT_EQ(now.forward({IValue(ints()), two}).to_tensor().dtype(), DType::kFloat);
  EXPECT_EQ(before.run_method("in_place", {IValue(ints()), two}).to_tensor().data<int64_t>()[0], 3);
  EXPECT_EQ(before.run_method("scalar", {IValue(ints()), IValue(2.0)}).to_tensor().data<float>()[0], 3.5f);
  const Tensor x = Tensor::zeros({2});
  EXPECT_EQ(before.run_method("activation", {IValue(x)}).to_tensor().data<float>()[0], 0.0f);
}

TEST(LiteRecords, BadPicklesAreNamed) {
  std::string pickle = "\x80\x02K\x08.";
  std::string text = message(ErrorCode::kCorruptFile, "counter.ptl", "bytecode.pkl", &pickle);
  EXPECT_TRUE(has(text, "bytecode.pkl")) << text;
  pickle = std::string("\x80\x02]\x2e", 4);
  text = message(ErrorCode::kCorruptFile, "counter.ptl", "data.pkl", &pickle);
  EXPECT_TRUE(has(text, "data.pkl")) << text;
  pickle.clear();
  message(ErrorCode::kCorruptFile, "counter.ptl", "data.pkl", &pickle);
  EXPECT_TRUE(
      has(message_of(ErrorCode::kNotFound, [&] { load_source(with_record("counter.ptl", "data.pkl", nullptr)); }),
          "data.pkl"));
}

TEST(LiteRecords, BadDebugRecordsDoNotMatter) {
  const std::string junk = "junk";
  LoadOptions options;
  options.allow_missing_operators = true;
  auto program = load_source(with_record("failing.ptl", "callstack_debug_map.pkl", &junk), options);
  for (const ir::Node* node : program->find_method("forward")->graph.body()->nodes) {
    EXPECT_EQ(program->describe_source(node->source), "");
  }
}

// One code table, used by very many methods for two bytes each.
TEST(LiteRecords, SharedPartsDoNotMultiply) {
  std::vector<IValue> instructions(20000, IValue::tuple({IValue("DROP"), IValue(0), IValue(0)}));
  auto entry = [](const char* label, IValue value) { return IValue::tuple({IValue(label), std::move(value)}); };
  const IValue code = IValue::tuple({entry("instructions", IValue::tuple(instructions)),
                                     entry("operators", IValue::tuple({})), entry("constants", IValue::tuple({})),
                                     entry("types", IValue::tuple({})), entry("register_size", IValue(1))});
  std::vector<IValue> methods = {IValue(8)};
  for (int i = 0; i < 20000; ++i) methods.push_back(IValue::tuple({IValue("f"), code, IValue::tuple({})}));
  lite::NamedTypes named;
  const std::string text = message_of(
      ErrorCode::kCorruptFile, [&] { lite::decode_bytecode(IValue::tuple(std::move(methods)), 200000, 8, named); });
  EXPECT_TRUE(has(text, "share more code")) << text;
}

// A pair of pairs of pairs ... is small in memory and huge as a type.
TEST(LiteRecords, ConstantsThatShareTheirPartsAreTypedQuickly) {
  IValue value = IValue(1);
  for (int i = 0; i < 60; ++i) value = IValue::tuple({value, value});
  lite::BytecodeFunction f = bytecode({{"STOREN", {1, 2}}, {"LOADC", {0, 0}}, {"RET", {0, 0}}});
  f.constants = {value};
  EXPECT_TRUE(lift(f)->graph.body()->results[0]->type->is(TypeKind::kAnyTuple));
}

}  // namespace
}  // namespace wick::test
