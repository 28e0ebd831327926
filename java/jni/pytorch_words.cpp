// The library's failures in the words of PyTorch's classes.
#include "pytorch_words.h"

#include <charconv>
#include <string_view>

namespace wick::java {
namespace {

// The first occurrence of one text becomes another; false when there is none.
bool replace(std::string& message, std::string_view from, std::string_view to) {
  const size_t at = message.find(from);
  if (at == message.npos) return false;
  message.replace(at, from.size(), to);
  return true;
}

// Takes `text`, then a number, off the front.
bool take(std::string_view& rest, std::string_view text, int64_t& number) {
  if (!rest.starts_with(text)) return false;
  rest.remove_prefix(text.size());
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc()) return false;
  rest.remove_prefix(static_cast<size_t>(end - rest.data()));
  return true;
}

std::string unreadable(const std::string& message, uint64_t size) {
  constexpr uint64_t kShortestZip = 22;
  const auto says = [&](std::string_view text) { return message.find(text) != message.npos; };
  const bool is_damaged = says("damaged zip archive");
  const bool has_directory = is_damaged && !says("the end of the directory is missing");
  if (!is_damaged && !says("not a PyTorch model") && !says(" is empty")) return message;
  return std::string("PytorchStreamReader failed reading zip archive: ") +
         (has_directory         ? "invalid header or archive is corrupted. "
          : size < kShortestZip ? "not a ZIP archive. "
                                : "failed finding central directory. ") +
         message;
}

// "the archive has no record 'bytecode.pkl'"
void say_missing_record(std::string& message) {
  constexpr std::string_view kHead = "the archive has no record '";
  const size_t at = message.find(kHead);
  const size_t end = at == message.npos ? at : message.find('\'', at + kHead.size());
  if (end == message.npos) return;
  const std::string name = message.substr(at + kHead.size(), end - at - kHead.size());
  message.replace(at, end + 1 - at, "PytorchStreamReader failed locating file " + name + ": file not found");
}

// "... version 11, but the versions supported for reading are 1 to 10. The model was ..."
std::string of_other_version(std::string message) {
  constexpr std::string_view kHead = "Attempted to read a PyTorch file with version ";
  const size_t at = message.find(kHead);
  if (at == message.npos) return message;
  std::string_view rest = std::string_view(message).substr(at);
  int64_t version = 0, oldest = 0, newest = 0;
  if (!take(rest, kHead, version) || !take(rest, ", but the versions supported for reading are ", oldest) ||
      !take(rest, " to ", newest)) {
    return message;
  }
  message.erase(at + kHead.size());
  message += std::to_string(version);
  message += version > newest
                 ? ", but the maximum supported version for reading is " + std::to_string(newest) +
                       ". The version of your PyTorch installation may be too old, please upgrade PyTorch to latest "
                       "version to mitigate this issue."
                 : ", but the minimum supported version for reading is " + std::to_string(oldest) +
                       ". Your PyTorch script module file is too old. Please regenerate it with latest version of "
                       "PyTorch to mitigate this issue.";
  return message;
}

}  // namespace

Error loading_in_pytorch_words(const Error& error, uint64_t size) {
  std::string message = error.message();
  switch (error.code()) {
    case ErrorCode::kCorruptFile:
      message = unreadable(message, size);
      [[fallthrough]];
    case ErrorCode::kNotFound:
      say_missing_record(message);
      break;
    case ErrorCode::kUnsupported:
      if (message.find("the file cannot be run: it is ") != message.npos) {
        message = "PytorchStreamReader failed locating file bytecode.pkl: file not found. " + message;
      }
      break;
    case ErrorCode::kUnsupportedVersion:
      message = of_other_version(std::move(message));
      break;
    case ErrorCode::kMissingOperator:
      replace(message, "]. The model needs them and this build does not have them.",
              "]. Please check if the operator library is included in the build. If built with selected ops, check if "
              "these ops are in the list.");
      break;
    default:
      break;
  }
  return {error.code(), std::move(message)};
}

// "forward() Expected a value of type 'int' for argument 'n' but instead found type 'str'. Position: 1 Value: 'a'
// Declaration: forward(int n) -> int"
Error calling_in_pytorch_words(const Error& error, const Module& module, const std::string& method) {
  std::string message = error.message();
  const std::string head = method + "() ", tail = " Declaration: " + method + "(";
  const size_t declaration = message.rfind(tail);
  if (error.code() != ErrorCode::kInvalidArgument || !message.starts_with(head) || declaration == message.npos) {
    return error;
  }
  const IValue root = module.attr("");
  if (!root.is_object()) return error;
  const size_t arguments = declaration + tail.size();
  message.insert(arguments,
                 root.to_object().cls->name + (message.compare(arguments, 1, ")") == 0 ? " self" : " self, "));
  std::string_view rest = std::string_view(message).substr(head.size());
  int64_t most = 0, given = 0;
  if (take(rest, "expected at most ", most) && take(rest, " argument(s) but received ", given)) {
    const std::string declared = message.substr(declaration);
    message = "Expected at most " + std::to_string(most + 1) + " argument(s) for operator '" + method +
              "', but received " + std::to_string(given + 1) + " argument(s)." + declared;
  } else if (rest.starts_with("Expected a value of type ")) {
    message[declaration] = '\n';
    const size_t position = message.find(" Position: ");
    const size_t value = message.find(" Value: ", position);
    if (value < declaration) message[position] = message[value] = '\n';
  }
  return {error.code(), std::move(message)};
}

}  // namespace wick::java
