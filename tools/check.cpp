// wick check: whether a model will run here.
#include <cstdio>
#include <fstream>
#include <set>

#include "archive/archive.h"
#include "arguments.h"
#include "commands.h"
#include "core/check.h"
#include "ir/program.h"
#include "wick/wick.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {"check",
          "MODEL",
          "Says whether a model will run here: file problems, and missing operators with where the model uses them.\n"
          "Exit code 0 when it will run, 1 when not.",
          {{"--ops", "LIST.yaml", "check against the operators of a selective build instead of this one"}}};
}

// Reads every record of a zip container and compares its checksum. Other kinds of file have none.
void check_records(const std::string& path) {
  const std::shared_ptr<ByteSource> source = ByteSource::open_file(path);
  const Bytes bytes = source->bytes();
  if (bytes.size() < 4 || bytes[0] != 'P' || bytes[1] != 'K') return;
  const ZipReader zip(source);
  for (const std::string& record : zip.names()) zip.read(record, true);
}

std::string trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

// Operator names of a selective-build list: keys below "operators:", or items of a plain list ("- aten::add.Tensor").
std::set<std::string> read_operator_list(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::kNotFound, "cannot open the operator list " + path);
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);) {
    std::string word = trimmed(line.substr(0, line.find('#')));
    if (word.starts_with("- ")) word = trimmed(word.substr(2));
    if (word.ends_with(':')) word.pop_back();
    if (word.size() >= 2 && (word.front() == '"' || word.front() == '\'')) word = word.substr(1, word.size() - 2);
    if (word.find("::") != std::string::npos && word.find(' ') == std::string::npos) names.insert(word);
  }
  WICK_CHECK(!names.empty(), kInvalidArgument, path,
             " names no operators (expected lines such as 'aten::add.Tensor:')");
  return names;
}

}  // namespace

int command_check(int argc, char** argv) {
  const Arguments arguments(spec(), argc, argv, 1);
  if (arguments.wants_help()) return print_help(spec()), 0;
  const std::string& path = arguments.operand(0);
  check_records(path);
  LoadOptions options;
  options.allow_missing_operators = true;
  const Module module = load(path, options);
  const auto used = ir::operators_used(*module.program());

  std::set<std::string> selected;
  if (arguments.has("--ops")) selected = read_operator_list(arguments.get("--ops"));
  size_t missing = 0;
  for (const auto& [name, use] : used) {
    const bool there = use.op && (selected.empty() || selected.contains(name));
    if (there) continue;
    ++missing;
    std::printf("missing %s\n", name.c_str());
    if (!use.where.empty()) std::printf("  used %zu times, first in %s\n", use.count, use.where.c_str());
  }
  if (missing > 0) {
    std::fprintf(stderr, "wick: %s will not run here: %zu of its %zu operators are missing%s\n", path.c_str(), missing,
                 used.size(), selected.empty() ? " in this build" : "; add them to the operator list");
    return 1;
  }
  std::printf("%s will run here: all %zu operators are there\n", path.c_str(), used.size());
  return 0;
}

}  // namespace wick::tools
