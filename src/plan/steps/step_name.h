// Names of steps, for the profile: "conv 3x3 winograd relu", and how many operations they stand for.
//
// A selective build has no profiles, unless its list names wick.profile: then names hold nothing.
#pragma once

#include <string>

#include "config/build.h"
#include "core/check.h"

namespace wick::plan {

template <bool kHasText>
class BasicStepName {
 public:
  BasicStepName() = default;
  BasicStepName(const char* text) : text_(text) {}
  template <class... Parts>
  explicit BasicStepName(const Parts&... parts) : text_(cat(parts...)) {}
  template <class... Parts>
  void add(const Parts&... parts) {
    text_ += cat(parts...);
  }
  const std::string& text() const { return text_; }
  // Multiplications and additions, those counted that the mathematics asks for, whatever the method.
  BasicStepName with_operations(double count) && {
    operations_ = count;
    return std::move(*this);
  }
  double operations() const { return operations_; }

 private:
  std::string text_;
  double operations_ = 0;
};
template <>
class BasicStepName<false> {
 public:
  BasicStepName() = default;
  BasicStepName(const char*) {}
  template <class... Parts>
  explicit BasicStepName(const Parts&...) {}
  template <class... Parts>
  void add(const Parts&...) {}
  std::string_view text() const { return {}; }
  BasicStepName with_operations(double) && { return {}; }
  double operations() const { return 0; }
};
using StepName = BasicStepName<build::kProfiles>;

}  // namespace wick::plan
