// The commands of `wick` on small models, and files of inputs, with changes in their records: each ends with its work
// done or an Error, and leaves a whole file or none.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "arguments.h"
#include "commands.h"
#include "fuzz/bounds.h"
#include "fuzz/edited_model.h"
#include "wick/save.h"

namespace {

namespace fs = std::filesystem;

// While it lives, what is printed goes nowhere.
class Silence {
 public:
  Silence() : before_(dup(STDOUT_FILENO)) { redirect(open("/dev/null", O_WRONLY)); }
  ~Silence() { redirect(before_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  static void redirect(int fd) {
    std::fflush(stdout);
    dup2(fd, STDOUT_FILENO);
    close(fd);
  }
  int before_;
};

// A folder of this process, removed at its end.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("wick_fuzz_" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

using Command = int (*)(int, char**);
struct Use {
  const char* name;
  Command command;
  std::vector<std::string> words;  // MODEL, OTHER (the model unchanged), INPUT and OUT stand for files
  bool writes;
};

const std::vector<Use>& uses() {
  using namespace wick::tools;
  static const std::vector<Use> all = {
      {"info", command_info, {"MODEL"}, false},
      {"info", command_info, {"MODEL", "--json"}, false},
      {"info", command_info, {"MODEL", "--opnames"}, false},
      {"info", command_info, {"MODEL", "--graph"}, false},
      {"check", command_check, {"MODEL"}, false},
      {"convert", command_convert, {"MODEL", "OUT.ptl"}, true},
      {"convert", command_convert, {"MODEL", "OUT.pt"}, true},
      {"convert", command_convert, {"MODEL", "OUT.ptl", "--bytecode-version", "5"}, true},
      {"optimize", command_optimize, {"MODEL", "OUT.ptl"}, true},
      {"quantize", command_quantize, {"MODEL", "OUT.ptl", "--dynamic"}, true},
      {"quantize", command_quantize, {"MODEL", "OUT.ptl", "--float16"}, true},
      {"explain", command_explain, {"MODEL", "MODEL"}, false},
      {"trace", command_trace, {"MODEL", "--output", "OUT.yaml"}, false},
      {"run", command_run, {"MODEL", "--bundled", "0"}, false},
  };
  return all;
}

// Uses that an input asks for behind its model: an input that ends there has one of uses().
const std::vector<Use>& later_uses() {
  using namespace wick::tools;
  static const std::vector<Use> all = {
      {"quantize", command_quantize, {"MODEL", "OUT.ptl", "--static", "--calibrate", "INPUT"}, true},
      {"quantize", command_quantize, {"MODEL", "OUT.pt", "--static", "--calibrate", "bundled", "--no-report"}, true},
      {"bundle", command_bundle, {"MODEL", "OUT.ptl", "--input", "INPUT"}, true},
      {"bundle", command_bundle, {"MODEL", "OUT.pt", "--randn", "2,3;4"}, true},
      {"compare", command_compare, {"MODEL", "OTHER", "--input", "INPUT"}, false},
      {"compare", command_compare, {"OTHER", "MODEL", "--bundled", "0", "--json"}, false},
      {"profile", command_profile, {"MODEL", "--input", "INPUT", "--iter", "1"}, false},
      {"profile", command_profile, {"MODEL", "--input-dims", "2,3", "--iter", "1", "--json"}, false},
      {"run", command_run, {"MODEL", "--input", "INPUT"}, false},
      {"check", command_check, {"MODEL", "--verbose"}, false},
  };
  return all;
}

// The arguments of a call of the model as torch.save would write them, with changes.
std::vector<uint8_t> edited_input(const wick::fuzz::BaseModel& base, wick::fuzz::ByteFeed& feed) {
  using namespace wick;
  IValue arguments = IValue::tuple({Tensor::zeros({2, 3})});
  const std::vector<fuzz::ModelCall> calls = fuzz::calls_of(base);
  if (!calls.empty()) arguments = IValue::tuple(calls[feed.below(calls.size())].arguments);
  const ZipReader zip(ByteSource::copy_of(save_tensors(arguments)));
  ZipWriter edited(zip.root());
  for (const std::string& name : zip.names()) {
    std::string text = zip.read_text(name);
    for (size_t edits = feed.below(4); edits > 0 && !feed.empty(); --edits) fuzz::edit_record(text, name, feed);
    edited.add(name, Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
  }
  return edited.finish();
}

// Paths for the words that stand for files.
struct Files {
  std::string model, other, input;
};

std::vector<std::string> words_of(const Use& use, const Folder& folder, const Files& files, std::string& out) {
  std::vector<std::string> words{use.name};
  for (const std::string& word : use.words) {
    if (word == "MODEL") {
      words.push_back(files.model);
    } else if (word == "OTHER") {
      words.push_back(files.other);
    } else if (word == "INPUT") {
      words.push_back(files.input);
    } else if (word.starts_with("OUT")) {
      words.push_back(out = folder.file(word.c_str()));
    } else {
      words.push_back(word);
    }
  }
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Folder folder;
  wick::fuzz::ByteFeed feed(data, size);
  const Use* chosen = &uses()[feed.below(uses().size())];
  const wick::fuzz::EditedModel model = wick::fuzz::edited_model(feed);
  if (const size_t later = feed.below(later_uses().size() + 1); later > 0) chosen = &later_uses()[later - 1];
  const Use& use = *chosen;
  const Files files{folder.file(model.base->name.ends_with(".ptl") ? "model.ptl" : "model.pt"),
                    wick::cat(WICK_TEST_DATA, "/", model.base->name), folder.file("input.pt")};
  wick::write_file(files.model, model.bytes);
  wick::write_file(files.input, edited_input(*model.base, feed));
  std::string out;
  std::vector<std::string> words = words_of(use, folder, files, out);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  std::error_code ignored;
  if (!out.empty()) fs::remove(out, ignored);
  int code = 1;
  const Silence silence;
  const bool ended = wick::fuzz::run_bounded(use.name, [&] {
    try {
      code = use.command(static_cast<int>(argv.size()) - 1, argv.data() + 1);
    } catch (const wick::tools::UsageError&) {
    }
  });
  if (!use.writes) return 0;
  const bool is_there = fs::exists(out);
  if (is_there != (ended && code == 0)) {
    std::fprintf(stderr, "%s %s a file\n", use.name, is_there ? "failed and left" : "ended and left not");
    std::abort();
  }
  if (is_there) {
    try {
      wick::load(out);
    } catch (const wick::Error& e) {
      std::fprintf(stderr, "%s wrote what does not load: %s\n", use.name, e.what());
      std::abort();
    }
  }
  return 0;
}
