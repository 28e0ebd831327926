// Guards of autograd and dispatch. Wick computes no gradients: grad mode and inference mode are remembered, for
// programs that ask, and change nothing else.
#pragma once

namespace c10 {

struct GradMode {
  static bool is_enabled();
  static void set_enabled(bool on);  // of this thread
};
struct AutoGradMode {
  explicit AutoGradMode(bool on) : before_(GradMode::is_enabled()) { GradMode::set_enabled(on); }
  AutoGradMode(const AutoGradMode&) = delete;
  AutoGradMode& operator=(const AutoGradMode&) = delete;
  ~AutoGradMode() { GradMode::set_enabled(before_); }

 private:
  bool before_;
};
struct NoGradGuard : AutoGradMode {
  NoGradGuard() : AutoGradMode(false) {}
};
struct AutoFwGradMode {
  explicit AutoFwGradMode(bool) {}
};

struct InferenceMode {
  explicit InferenceMode(bool on = true);
  InferenceMode(const InferenceMode&) = delete;
  InferenceMode& operator=(const InferenceMode&) = delete;
  ~InferenceMode();
  static bool is_enabled();

 private:
  bool before_;
  bool grad_before_;
};

}  // namespace c10

namespace at {
using c10::AutoGradMode;
using c10::GradMode;
using c10::InferenceMode;
using c10::NoGradGuard;
struct AutoNonVariableTypeMode {
  explicit AutoNonVariableTypeMode(bool = true) {}
  ~AutoNonVariableTypeMode() {}
};
struct AutoDispatchBelowAutograd {
  AutoDispatchBelowAutograd() {}
  ~AutoDispatchBelowAutograd() {}
};
struct AutoDispatchBelowADInplaceOrView {
  AutoDispatchBelowADInplaceOrView() {}
  ~AutoDispatchBelowADInplaceOrView() {}
};
}  // namespace at
