// Errors: every failure of the library is thrown as wick::Error.
#pragma once

#include <exception>
#include <string>

namespace wick {

enum class ErrorCode {
  kInvalidArgument,     // a caller's argument is wrong (count, type, value)
  kNotFound,            // a file, record, method or attribute does not exist
  kIo,                  // the operating system refused to read or write
  kCorruptFile,         // the bytes are not a well-formed model or archive
  kUnsupportedVersion,  // a well-formed file of a version this build cannot run
  kMissingOperator,     // the model needs an operator this build does not have
  kUnsupported,         // a dtype, layout or feature that is not available
  kTypeMismatch,        // a value has another type than the operation needs
  kShapeMismatch,       // tensor sizes do not fit the operation
  kIndexOutOfRange,     // an index or dimension is outside its range
  kModelException,      // the model itself raised an exception
  kOutOfMemory,         // an allocation failed or its size overflows
  kLimitExceeded,       // a documented limit (recursion, depth, size) was reached
  kCancelled,           // a Cancellation stopped the load or run
  kDeadlineExceeded,    // a load or run took longer than its time limit
  kInternal,            // a defect in Wick
};

// Stable lower-case name of a code, e.g. "corrupt_file".
const char* to_string(ErrorCode code);

// What every function of the library throws when it fails. what() says what was expected, what was found and where,
// with the module path and source line of the model where they are known; code() is for programs. After a failed run
// a model may be run again; tensors and attributes that it had written before the failure stay written.
//
//   try {
//     result = module.forward({image});
//   } catch (const wick::Error& e) {
//     std::fprintf(stderr, "%s: %s\n", wick::to_string(e.code()), e.what());
//   }
//
// Threads: a value; it may be passed to another thread by std::exception_ptr.
class Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}
  ErrorCode code() const noexcept { return code_; }
  const char* what() const noexcept override { return message_.c_str(); }
  const std::string& message() const noexcept { return message_; }
  // Appends a line of context (where in the model it happened) to the message.
  void add_context(const std::string& line) { message_ += "\n" + line; }

 private:
  ErrorCode code_;
  std::string message_;
};

}  // namespace wick
