// Models written as lite files: they load again, give the same answers and keep what belongs to them.
#include <cstdio>
#include <filesystem>

#include "api/module_access.h"
#include "core/tensor_impl.h"
#include "unit/frontend/bytecode/answers.h"
#include "wick/save.h"

namespace wick::test {
namespace {

std::shared_ptr<ir::Program> saved_and_loaded(const ir::Program& program, const SaveOptions& options) {
  const Module module = make_module(std::const_pointer_cast<ir::Program>(program.shared_from_this()));
  return load_source(ByteSource::copy_of(save_lite(module, options)));
}

ZipReader saved(const char* file, const SaveOptions& options = {}) {
  return ZipReader(ByteSource::copy_of(save_lite(make_module(load_fixture(file)), options)));
}

class SaveLite : public ::testing::TestWithParam<Fixture> {};

TEST_P(SaveLite, EveryVersionGivesTheSameAnswers) {
  const auto program = load_fixture(GetParam().file);
  // This model gives arguments that are newer than bytecode 5.
  const int64_t oldest = std::string_view(GetParam().cases) == "two/overloads" ? 6 : 4;
  for (int64_t version = oldest; version <= 8; ++version) {
    SaveOptions options;
    options.bytecode_version = version;
    options.stored_state = program->archive != nullptr;
    // A flatbuffer gives no state to copy, and this model's __getstate__ does not undo its __setstate__.
    if (!options.stored_state && std::string_view(GetParam().cases) == "stateful") continue;
    for (bool source : {true, false}) {
      // Names of enum members stand in the source only.
      if (!source && std::string_view(GetParam().cases) == "enums") continue;
      options.source = options.debug_info = source;
      const auto again = saved_and_loaded(*program, options);
      EXPECT_EQ(again->bytecode_version, version);
      EXPECT_EQ(again->extra_files, program->extra_files);
      expect_answers(make_module(again), GetParam().cases);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SaveLite, ::testing::ValuesIn(kFixtures), fixture_name);

TEST(SaveLiteRecords, ErrorsStillNameModulesAndLines) {
  const auto again = saved_and_loaded(*load_fixture("failing.ptl"), {});
  const Tensor x = Tensor::zeros({2, 3});
  try {
    make_module(again).forward({IValue(x), IValue(x)});
    FAIL() << "no error";
  } catch (const Error& e) {
    const std::string message = e.what();
    EXPECT_NE(message.find("top(Failing)::forward.inner(Inner)::forward.aten::matmul"), std::string::npos) << message;
    EXPECT_NE(message.find("return torch.matmul(x, y)"), std::string::npos) << message;
  }
}

TEST(SaveLiteRecords, DebugRecordsCanBeLeftOut) {
  SaveOptions options;
  options.debug_info = false;
  for (const std::string& record : saved("failing.ptl", options).names()) {
    EXPECT_EQ(record.find("debug"), std::string::npos) << record;
  }
}

TEST(SaveLiteRecords, DebugInformationDoesNotNeedTheSource) {
  SaveOptions options;
  options.source = false;
  const ZipReader zip = saved("failing.ptl", options);
  EXPECT_FALSE(zip.has("code/__torch__.py"));
  EXPECT_TRUE(zip.has("code/__torch__.py.debug_pkl"));
  EXPECT_TRUE(zip.has("callstack_debug_map.pkl"));
}

TEST(SaveLiteRecords, SourceIsKeptAndCompressed) {
  const ZipReader before(ByteSource::open_file(lite_path("language.ptl")));
  const ZipReader after = saved("language.ptl");
  EXPECT_EQ(after.read_text("code/__torch__.py"), before.read_text("code/__torch__.py"));
  EXPECT_FALSE(after.is_stored("code/__torch__.py"));
  EXPECT_TRUE(after.is_stored("bytecode.pkl"));
}

TEST(SaveLiteRecords, TensorsShareStorageAsBefore) {
  for (const char* file : {"aliases.ptl", "aliases.ff"}) {
    const auto again = saved_and_loaded(*load_fixture(file), {});
    const ObjectImpl& root = again->root.to_object();
    EXPECT_EQ(root.attr("whole").to_tensor().storage(), root.attr("view").to_tensor().storage()) << file;
    EXPECT_EQ(root.attr("view").to_tensor().storage_offset(), 1) << file;
    EXPECT_EQ(root.attr("quantised").to_tensor().quantizer().scale, 0.5) << file;
    EXPECT_EQ(root.attr("channels").to_tensor().quantizer().axis, 0) << file;
  }
}

TEST(SaveLiteRecords, ValuesSavedTwiceStayOne) {
  const auto program = load_fixture("aliases.ptl");
  ObjectImpl& root = program->root.to_object();
  const IValue list = IValue::list(types::string(), {IValue("a")});
  root.set(root.slot_count(), list);
  root.set(root.slot_count(), list);
  const auto again = saved_and_loaded(*program, {});
  const ObjectImpl& copy = again->root.to_object();
  ASSERT_EQ(copy.slot_count(), root.slot_count());
  EXPECT_TRUE(equal(copy.get(copy.slot_count() - 1), list));
  EXPECT_EQ(copy.get(copy.slot_count() - 1).ref_or_null(), copy.get(copy.slot_count() - 2).ref_or_null());
}

TEST(SaveLiteRecords, AttributesAreSavedAsTheyAreNow) {
  const auto program = load_fixture("counter.ptl");
  const Module module = make_module(program);
  const auto cases = load_saved(lite_path("counter.cases.pt"));
  const auto& first = cases.to_list().items[0].to_tuple().items;
  const IValue one = module.run_method(first[0].to_string(), first[1].to_tuple().items);
  const IValue two =
      make_module(saved_and_loaded(*program, {})).run_method(first[0].to_string(), first[1].to_tuple().items);
  const IValue here = module.run_method(first[0].to_string(), first[1].to_tuple().items);
  expect_close(two, here, "second call");
  EXPECT_FALSE(equal(one, here));
}

TEST(SaveLiteRecords, BundledInputsAreKept) {
  const Module again = make_module(saved_and_loaded(*load_fixture("bundled.ptl"), {}));
  EXPECT_EQ(again.bundled_inputs().size(), 2u);
}

TEST(SaveLiteRecords, ArgumentsNewerThanTheBytecodeAreRefused) {
  SaveOptions options;
  options.bytecode_version = 5;
  const std::string message = message_of(ErrorCode::kUnsupported, [&] { saved("two/overloads.ptl", options); });
  EXPECT_NE(message.find("padding_side"), std::string::npos) << message;
}

TEST(SaveLiteRecords, VersionsThatDoNotExistAreRefused) {
  for (int64_t version : {0, 3, 9}) {
    SaveOptions options;
    options.bytecode_version = version;
    const std::string message = message_of(ErrorCode::kInvalidArgument, [&] { saved("counter.ptl", options); });
    EXPECT_NE(message.find("4 to 8"), std::string::npos) << message;
  }
}

TEST(SaveLiteRecords, FilesAppearWholeOrNotAtAll) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "wick_save_lite";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "model.ptl").string();
  save_lite(make_module(load_fixture("counter.ptl")), path);
  EXPECT_EQ(ZipReader(ByteSource::open_file(path)).root(), "model");
  message_of(ErrorCode::kIo,
             [&] { save_lite(make_module(load_fixture("counter.ptl")), (folder / "no/model.ptl").string()); });
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files += entry.is_regular_file();
  EXPECT_EQ(files, 1u);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace wick::test
