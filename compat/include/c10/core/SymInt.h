// c10::SymInt: here always a plain number.
#pragma once

#include <c10/util/ArrayRef.h>
#include <c10/util/intrusive_ptr.h>

namespace c10 {

class SymInt {
 public:
  SymInt() = default;
  SymInt(int64_t v) : value_(v) {}
  int64_t expect_int() const { return value_; }
  int64_t guard_int(const char*, int64_t) const { return value_; }
  int64_t as_int_unchecked() const { return value_; }
  bool is_symbolic() const { return false; }
  operator int64_t() const { return value_; }

 private:
  int64_t value_ = 0;
};
// Where a program asks for symbolic sizes it gets a number: 0.
class SymIntNodeImpl : public intrusive_ptr_target {
 public:
  SymInt toSymInt() { return SymInt(0); }
};
using SymIntArrayRef = ArrayRef<SymInt>;

}  // namespace c10
