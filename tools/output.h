// What a command prints and how: --json, --quiet, --verbose, colors.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"
#include "json.h"

namespace wick::tools {

// The options of every command that are about its output.
struct Output {
  bool json = false;     // one JSON object on standard output, and nothing else
  bool quiet = false;    // nothing but errors and warnings
  bool verbose = false;  // what a command otherwise leaves out
};
const Output& output();

// For the help of every command.
const std::vector<OptionSpec>& output_options();
// Takes the options out of the words of a command line.
void take_output_options(std::vector<char*>& words);

// Text for people on standard output; nothing with --json or --quiet.
[[gnu::format(printf, 1, 2)]] void say(const char* format, ...);
// "note: ..." on standard error; nothing with --quiet.
void note(const std::string& text);
// The whole of a command's JSON.
void print_json(const Json& json);

// Whether standard error, or output, is a terminal whose lines can be written over (TERM is not "dumb").
bool is_terminal(bool error_output);
// The text in a color where standard error, or output, is such a terminal and NO_COLOR is not set.
enum class Color { kRed, kYellow, kGreen, kDim };
std::string colored(const std::string& text, Color color, bool on_error_output = false);

// Bytes of a file; 0 when there is none.
size_t file_bytes(const std::string& path);

}  // namespace wick::tools
