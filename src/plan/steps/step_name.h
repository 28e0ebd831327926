// Names of steps, for the profile: "conv 3x3 winograd relu".
//
// A selective build has no profiles, unless its list names wick.profile: then names hold nothing.
#pragma once

#include <string>

#include "core/check.h"

namespace wick::plan {

#ifdef WICK_WITHOUT_PROFILES
inline constexpr bool kHasProfiles = false;
#else
inline constexpr bool kHasProfiles = true;
#endif

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

 private:
  std::string text_;
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
};
using StepName = BasicStepName<kHasProfiles>;

}  // namespace wick::plan
