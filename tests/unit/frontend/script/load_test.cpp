// TorchScript files: fixtures of tests/data/script, and the source that lite-interpreter files carry beside bytecode.
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "api/module_access.h"
#include "api/restore.h"
#include "archive/writer.h"
#include "core/tensor_impl.h"
#include "frontend/script/torchscript.h"
#include "unit/frontend/bytecode/answers.h"

namespace wick::test {
namespace {

std::string script_path(const std::string& file) { return std::string(WICK_TEST_DATA) + "/script/" + file; }

void expect_script_answers(const Module& module, const std::string& cases) {
  const IValue all = load_saved(script_path(cases + ".cases.pt"));
  for (const IValue& entry : all.to_list().items) {
    const std::vector<IValue>& parts = entry.to_tuple().items;
    const std::string& method = parts.at(0).to_string();
    const std::vector<IValue>& args = parts.at(1).to_tuple().items;
    expect_close(method.empty() ? module(args) : module.run_method(method, args), parts.at(2), cases + " " + method);
  }
}

class ScriptFixtures : public ::testing::TestWithParam<Fixture> {};

TEST_P(ScriptFixtures, GivesPyTorchsAnswers) {
  for (const char* folder : {"", "two/"}) {
    const std::string file = GetParam().file;
    if (*folder && (file.starts_with("old_v") || file.starts_with("format_") || file == "roles.pt")) continue;
    const Module module = load(script_path(folder + file));
    EXPECT_EQ(program_of(module)->kind, ir::FileKind::kTorchScript);
    for (const auto& function : program_of(module)->functions) ir::verify(*function);
    expect_script_answers(module, std::string(folder) + GetParam().cases);
  }
}

constexpr Fixture kScripts[] = {
    {"hooks.pt", "hooks"},
    {"inner_hooks.pt", "inner_hooks"},
    {"tree.pt", "tree"},
    {"tree_cuda.pt", "tree"},
    {"tree_training.pt", "tree_training"},
    {"tree_frozen.pt", "tree_frozen"},
    {"words.pt", "words"},
    {"traced.pt", "traced"},
    {"old.pt", "old"},
    {"old_v3.pt", "old_v3"},
    {"roles.pt", "roles"},
    {"format_6.pt", "format_6"},
    {"format_7.pt", "format_7"},
    {"format_8.pt", "format_8"},
    {"format_9.pt", "format_9"},
};
INSTANTIATE_TEST_SUITE_P(All, ScriptFixtures, ::testing::ValuesIn(kScripts), [](const auto& info) {
  const std::string file = info.param.file;
  return file.substr(0, file.find('.'));
});

// Files that PyTorch 1.4 to 1.7 wrote (formats 1 to 5), with the answers of the release that wrote them.
TEST(ScriptLoad, FilesOfOldReleases) {
  std::map<std::string, int> releases;
  std::set<int64_t> formats;
  for (const auto& entry : std::filesystem::directory_iterator(script_path("old"))) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".pt") || name.ends_with(".cases.pt")) continue;
    SCOPED_TRACE(name);
    const std::string stem = name.substr(0, name.size() - 3);
    const Module module = load(entry.path().string());
    for (const auto& function : program_of(module)->functions) ir::verify(*function);
    formats.insert(program_of(module)->operator_version);
    expect_script_answers(module, "old/" + stem);
    ++releases[stem.substr(stem.size() - 3)];
  }
  EXPECT_EQ(releases, (std::map<std::string, int>{{"1_4", 8}, {"1_5", 8}, {"1_6", 8}, {"1_7", 8}}));
  EXPECT_EQ(formats, (std::set<int64_t>{1, 2, 3, 4, 5}));
}

// A .ptl holds its source too.
TEST(ScriptLoad, SourceOfLiteFiles) {
  for (const Fixture& fixture : kFixtures) {
    const std::string file = fixture.file;
    if (!file.ends_with(".ptl")) continue;
    const ZipReader zip(ByteSource::open_file(lite_path(file)));
    if (!zip.has("constants.pkl") || zip.names().size() < 4) continue;
    bool has_code = false;
    for (const std::string& record : zip.names()) has_code = has_code || record.starts_with("code/");
    if (!has_code) continue;
    SCOPED_TRACE(file);
    const Module module = make_module(load_torchscript(zip, {}, Restorer({}, 0).run_set_state()));
    for (const auto& function : program_of(module)->functions) ir::verify(*function);
    expect_answers(module, fixture.cases);
  }
}

TEST(ScriptLoad, HooksAreNoMethods) {
  const Module module = load(script_path("hooks.pt"));
  ASSERT_EQ(module.methods().size(), 1u);
  EXPECT_EQ(module.methods()[0].name, "forward");
  EXPECT_EQ(program_of(module)->pre_hooks.size(), 1u);
  EXPECT_EQ(program_of(module)->hooks.size(), 2u);
}

TEST(ScriptLoad, TreesShareWeights) {
  const Module module = load(script_path("tree.pt"));
  EXPECT_EQ(module.attr("sequence.0.weight").to_tensor().storage(), module.attr("again.weight").to_tensor().storage());
  EXPECT_EQ(module.attr("blocks.1.linear.weight").to_tensor().sizes(), (IntVec{4, 4}));
  EXPECT_EQ(module.extra_files().at("labels.txt"), "one\ntwo\n");
  EXPECT_TRUE(module.has_method("count"));
}

TEST(ScriptLoad, TheFileSaysWhatIsAParameterAndWhatABuffer) {
  const auto names = [](const std::vector<std::pair<std::string, Tensor>>& tensors) {
    std::vector<std::string> out;
    for (const auto& [name, tensor] : tensors) out.push_back(name);
    return out;
  };
  const Module module = load(script_path("roles.pt"));
  EXPECT_EQ(names(module.named_parameters()), (std::vector<std::string>{"learns", "fixed"}));
  EXPECT_EQ(names(module.named_buffers()), (std::vector<std::string>{"count"}));
  // PyTorch 1.4 names parameters only.
  const Module old = load(script_path("old/picture_1_4.pt"));
  EXPECT_EQ(names(old.named_parameters()).size(), 12u);
  EXPECT_EQ(old.named_buffers().size(), 0u);
}

TEST(ScriptLoad, WeightsAreNotCopied) {
  const Module module = load(script_path("tree.pt"));
  const Tensor weight = module.attr("again.weight").to_tensor();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(weight.raw_data()) % 64, 0u);
  EXPECT_EQ(weight.device(), Device{});
  EXPECT_EQ(load(script_path("tree_cuda.pt")).attr("again.weight").to_tensor().device(), Device{});
}

TEST(ScriptLoad, TrainAndEval) {
  Module module = load(script_path("tree_training.pt"));
  EXPECT_TRUE(module.attr("blocks.0.drop.training").to_bool());
  module.eval();
  EXPECT_FALSE(module.attr("training").to_bool());
  EXPECT_FALSE(module.attr("blocks.0.drop.training").to_bool());
  module.train();
  EXPECT_TRUE(module.attr("sequence.1.training").to_bool());
  Module frozen = load(script_path("tree_frozen.pt"));
  frozen.eval();
}

TEST(ScriptLoad, ErrorsNameFileAndLineOfTheModelsCode) {
  const Module module = load(script_path("words.pt"));
  const auto message = [&](int64_t rows) {
    try {
      module.run_method("fail", {IValue(Tensor::zeros({rows}))});
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string raised = message(4), wrong = message(2);
  EXPECT_NE(raised.find("too many rows: 4"), std::string::npos) << raised;
  EXPECT_NE(raised.find("code/__torch__.py:"), std::string::npos) << raised;
  EXPECT_NE(wrong.find("shape '[7]' is invalid for input of size 2"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("torch.view(x, [7])"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("make.py:"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("return x.view(7)"), std::string::npos) << wrong;
}

// A file with some records replaced; an empty text takes the record out.
std::vector<uint8_t> edited(const std::string& file, const std::map<std::string, std::string>& records) {
  const ZipReader zip(ByteSource::open_file(script_path(file)));
  ZipWriter writer("archive");
  std::map<std::string, std::string> all;
  for (const std::string& name : zip.names()) all[name] = zip.read_text(name);
  for (const auto& [name, text] : records) all[name] = text;
  for (const auto& [name, text] : all) {
    if (!text.empty()) writer.add(name, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
  return writer.finish();
}

std::string code_of(const std::string& file) {
  return ZipReader(ByteSource::open_file(script_path(file))).read_text("code/__torch__.py");
}

std::string error_with(const std::map<std::string, std::string>& records, ErrorCode code) {
  const std::vector<uint8_t> bytes = edited("hooks.pt", records);
  return message_of(code, [&] { load(bytes); });
}

TEST(ScriptLoad, RefusesFilesThatDoNotFitTheirCode) {
  std::string code = code_of("hooks.pt");
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string out = code;
    out.replace(out.find(from), from.size(), to);
    return std::map<std::string, std::string>{{"code/__torch__.py", out}};
  };
  EXPECT_NE(error_with(replaced("training : bool", "training : int"), ErrorCode::kCorruptFile).find("'training'"),
            std::string::npos);
  EXPECT_NE(error_with(replaced("training : bool", "extra : bool"), ErrorCode::kCorruptFile).find("'extra'"),
            std::string::npos);
  error_with(replaced("class Hooked", "class Other"), ErrorCode::kCorruptFile);
  error_with({{"code/__torch__.py", code.substr(0, code.size() / 2)}}, ErrorCode::kCorruptFile);
  error_with({{"code/__torch__.py", ""}}, ErrorCode::kCorruptFile);
  error_with({{"version", "11\n"}}, ErrorCode::kUnsupportedVersion);
  error_with({{"data.pkl", "\x80\x02K\x01."}}, ErrorCode::kCorruptFile);
}

TEST(ScriptLoad, MissingOperatorsAreAllNamedBeforeRunning) {
  std::string code = code_of("hooks.pt");
  code.replace(code.find("torch.add(x, 1)"), 15, "torch.no_such_op(ops.custom.other(x), 1)");
  const std::string message = error_with({{"code/__torch__.py", code}}, ErrorCode::kMissingOperator);
  EXPECT_NE(message.find("aten::no_such_op"), std::string::npos) << message;
  EXPECT_NE(message.find("custom::other"), std::string::npos) << message;
  EXPECT_NE(message.find("code/__torch__.py:10"), std::string::npos) << message;
}

TEST(ScriptLoad, DamagedFiles) {
  std::mt19937 random(3);
  LoadOptions options;
  options.allow_missing_operators = true;
  for (const char* file : {"words.pt", "tree.pt", "two/words.pt"}) {
    const auto source = ByteSource::open_file(script_path(file));
    const std::vector<uint8_t> good(source->bytes().begin(), source->bytes().end());
    for (int round = 0; round < 300; ++round) {
      std::vector<uint8_t> bad = good;
      for (size_t k = 0; k < 1 + random() % 3; ++k)
        bad[random() % bad.size()] ^= static_cast<uint8_t>(1u << random() % 8);
      if (round % 10 == 0) bad.resize(random() % bad.size());
      try {
        load(bad, options);
      } catch (const Error& e) {
        EXPECT_NE(e.code(), ErrorCode::kInternal) << e.what();
      }
    }
  }
}

}  // namespace
}  // namespace wick::test
