// Failed allocations in the commands of `wick`: they end, and leave whole files or none.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>

#include "allocation/every_allocation.h"
#include "allocation/folder.h"
#include "commands.h"
#include "core/parallel.h"
#include "output.h"

namespace wick::test {
namespace {

// While it lives, what is printed goes nowhere.
class Silence {
 public:
  Silence() : before_(::dup(STDOUT_FILENO)) { redirect(::open("/dev/null", O_WRONLY)); }
  ~Silence() { redirect(before_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  static void redirect(int fd) {
    std::fflush(stdout);
    ::dup2(fd, STDOUT_FILENO);
    ::close(fd);
  }
  int before_;
};

struct Use {
  const char* name;
  int (*command)(int, char**);
  std::vector<std::string> words;  // OUT... are files it writes
};

class ToolsAllocation : public ::testing::TestWithParam<Use> {
 protected:
  void SetUp() override {
    set_num_threads(1);
    setenv("SOURCE_DATE_EPOCH", "1700000000", 1);  // of the pages
  }
  void TearDown() override { set_num_threads(0); }
};

TEST_P(ToolsAllocation, EndsAndLeavesWholeFilesOrNone) {
  const Use& use = GetParam();
  const Folder folder;
  std::string name = use.name;
  std::vector<std::string> words, outs;
  for (const std::string& word : use.words) {
    name += " " + word;
    words.push_back(word.starts_with("OUT") ? folder.file(word) : word);
    if (word.starts_with("OUT")) outs.push_back(words.back());
  }
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  tools::take_output_options(argv);
  const auto reset = [&] {
    for (const std::string& out : outs) write_text(out, "an older file");
  };
  reset();
  int code = 0;
  std::map<std::string, std::string> whole;  // what a run that ends writes
  // The times in a profile's page differ from run to run.
  const bool has_times = name.find("profile") != name.npos;
  const auto result = [&] {
    std::string out = std::to_string(code);
    for (const std::string& file : outs) {
      const std::string text = text_of(file);
      EXPECT_NE(text, "an older file");
      whole.emplace(file, text);
      out += has_times ? text.substr(0, 20) : text;
    }
    return out;
  };
  const auto check_failed = [&] {
    EXPECT_EQ(folder.count(), outs.size());
    // It may fail after it has written: each file is the old one or the new one.
    for (const std::string& file : outs) {
      const std::string text = text_of(file);
      const bool is_new = text == whole[file] || (has_times && text.ends_with("</html>\n"));
      EXPECT_TRUE(text == "an older file" || is_new) << file;
    }
  };
  const auto action = [&] {
    const Silence silence;
    code = use.command(static_cast<int>(argv.size()), argv.data());
  };
  fail_every_allocation(
      name,
      {.action = action, .result = result, .reset = reset, .check_failed = check_failed, .may_throw_bad_alloc = true});
}

std::string data(const char* file) { return std::string(WICK_TEST_DATA) + "/" + file; }

std::vector<Use> uses() {
  using namespace wick::tools;
  const std::string tree = data("script/tree.pt"), bundled = data("lite/bundled.ptl"), lite = data("lite/counter.ptl"),
                    picture = data("script/old/picture_1_7.pt"), tagger = data("script/old/tagger_1_7.pt");
  return {
      {"info", command_info, {tree}},
      {"info", command_info, {lite, "--json"}},
      {"info", command_info, {tree, "--graph"}},
      {"info", command_info, {tree, "--opnames"}},
      {"check", command_check, {tree}},
      {"run", command_run, {bundled, "--bundled", "0", "--output", "OUT.pt"}},
      {"convert", command_convert, {tree, "OUT.ptl"}},
      {"convert", command_convert, {lite, "OUT.pt"}},
      {"bundle", command_bundle, {tree, "OUT.pt", "--randn", "3,4"}},
      {"optimize", command_optimize, {tree, "OUT.ptl"}},
      {"quantize", command_quantize, {picture, "OUT.ptl", "--float16", "--html", "OUT.html"}},
      {"quantize", command_quantize, {tagger, "OUT.ptl", "--dynamic"}},
      {"trace", command_trace, {bundled, "--output", "OUT.yaml"}},
      {"explain", command_explain, {tree, tree, "--html", "OUT.html"}},
      {"compare", command_compare, {tree, tree, "--input-dims", "3,4", "--iter", "1"}},
      {"profile", command_profile, {tree, "--input-dims", "3,4", "--iter", "1", "--html", "OUT.html"}},
      {"bench", command_bench, {tree, "--input-dims", "3,4", "--iter", "1", "--warmup", "1"}},
  };
}

INSTANTIATE_TEST_SUITE_P(Commands, ToolsAllocation, ::testing::ValuesIn(uses()), [](const auto& info) {
  return std::string(info.param.name) + "_" + std::to_string(info.index);
});

}  // namespace
}  // namespace wick::test
