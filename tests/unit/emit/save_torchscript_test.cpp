// Models written as TorchScript: the source that came along, or source printed from the IR.
#include "api/module_access.h"
#include "unit/frontend/bytecode/answers.h"
#include "wick/save.h"

namespace wick::test {
namespace {

std::vector<uint8_t> bytes_of(const char* file, bool keep_source) {
  const auto program = load_fixture(file);
  if (!keep_source) program->archive = nullptr;
  SaveOptions options;
  options.stored_state = keep_source;
  return save_torchscript(make_module(program), options);
}

TEST(SaveTorchScript, SourceIsKeptAsItIs) {
  const ZipReader before(ByteSource::open_file(lite_path("language.ptl")));
  const ZipReader after(ByteSource::copy_of(bytes_of("language.ptl", true)));
  EXPECT_EQ(after.read_text("code/__torch__.py"), before.read_text("code/__torch__.py"));
  EXPECT_FALSE(after.has("bytecode.pkl"));
  EXPECT_FALSE(after.has("mobile_debug_handles.pkl"));
  EXPECT_TRUE(after.has("constants.pkl"));
}

TEST(SaveTorchScript, GivenFilesAreStored) {
  const Module module = load(bytes_of("language.ptl", true));
  SaveOptions options;
  options.extra_files = {{"labels.txt", "cat\ndog"}};
  const Module again = load(save_torchscript(module, options));
  EXPECT_EQ(again.extra_files().at("labels.txt"), "cat\ndog");
  options.extra_files = {{"labels.txt", "bird"}};
  EXPECT_EQ(load(save_torchscript(again, options)).extra_files().at("labels.txt"), "bird");
  EXPECT_EQ(load(save_lite(again)).extra_files().at("labels.txt"), "cat\ndog");
}

class SaveScript : public ::testing::TestWithParam<Fixture> {};

TEST_P(SaveScript, KeptSourceGivesTheSameAnswers) {
  const std::string_view file = GetParam().file;
  if (!file.ends_with(".ptl") || file == "control_flow_v3.ptl") return;
  expect_answers(load(bytes_of(GetParam().file, true)), GetParam().cases);
}

TEST_P(SaveScript, PrintedSourceGivesTheSameAnswers) {
  const std::string_view cases = GetParam().cases;
  // These models' __getstate__ does not undo __setstate__; this file has no signatures.
  if (cases == "stateful" || std::string_view(GetParam().file) == "control_flow_v3.ptl") return;
  expect_answers(load(bytes_of(GetParam().file, false)), GetParam().cases);
}

INSTANTIATE_TEST_SUITE_P(All, SaveScript, ::testing::ValuesIn(kFixtures), fixture_name);

TEST(SaveTorchScript, PrintedSourceReadsAsTorchScript) {
  const ZipReader zip(ByteSource::copy_of(bytes_of("control_flow.ptl", false)));
  const std::string text = zip.read_text("code/__torch__.py");
  EXPECT_NE(text.find("class ControlFlow(Module):"), std::string::npos) << text;
  EXPECT_NE(text.find("  training : bool"), std::string::npos) << text;
  EXPECT_NE(text.find("for _"), std::string::npos) << text;
  EXPECT_NE(text.find("while "), std::string::npos) << text;
}

TEST(SaveTorchScript, LiteFilesFromSourceGiveTheSameAnswers) {
  for (const char* name : {"arithmetic", "control_flow", "containers", "classes", "language", "bundled", "defaults"}) {
    const Module source = load(bytes_of((std::string(name) + ".ptl").c_str(), true));
    ASSERT_EQ(program_of(source)->kind, ir::FileKind::kTorchScript);
    for (int64_t version = 4; version <= 8; ++version) {
      SaveOptions options;
      options.bytecode_version = version;
      const Module again = load(save_lite(source, options));
      EXPECT_EQ(program_of(again)->kind, ir::FileKind::kLite);
      expect_answers(again, name);
    }
  }
}

TEST(SaveTorchScript, ErrorsOfLiteFilesFromSourceNameModulesAndLines) {
  const Module source = load(bytes_of("failing.ptl", true));
  const Module again = load(save_lite(source));
  const Tensor x = Tensor::zeros({2, 3});
  const std::string message = [&] {
    try {
      again.forward({IValue(x), IValue(x)});
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  }();
  EXPECT_NE(message.find("top(Failing)::forward.inner(Inner)::forward.aten::matmul"), std::string::npos) << message;
  EXPECT_NE(message.find("return torch.matmul(x, y)"), std::string::npos) << message;
}

}  // namespace
}  // namespace wick::test
