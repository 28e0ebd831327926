// Bounds on everything that a thread does with Wick.
#pragma once

#include <memory>

#include "wick/options.h"

namespace wick {

// While it lives, what its thread does (loads, calls of modules with their hooks, optimizing, quantizing) is one piece
// of work within these bounds, besides bounds of its own: kCancelled, kDeadlineExceeded or kLimitExceeded when they are
// reached. Scopes nest; the inner one ends first.
//
//   const wick::BoundedScope bounds("the request", {.timeout = std::chrono::seconds(2)});
//   wick::IValue result = wick::load(path)({image});
//
// Threads: destroyed by the thread that made it. Throws kUnsupported in selective builds without WICK_LIMITS.
class BoundedScope {
 public:
  // `what` is named in errors ("the request took longer than ..."); it must outlive the scope.
  BoundedScope(const char* what, const RunOptions& options);
  ~BoundedScope();
  BoundedScope(const BoundedScope&) = delete;
  BoundedScope& operator=(const BoundedScope&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wick
