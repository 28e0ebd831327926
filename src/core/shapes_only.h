// Running operators for the shapes of their results alone.
#pragma once

namespace wick {

inline constinit thread_local bool t_shapes_only = false;

// Whether operators on this thread may leave the elements of their results unset: only dtypes, sizes, strides and what
// is refused matter. Operators need not look at it; large ones do, so that nothing is computed in vain, and
// parallel_for calls nothing.
inline bool only_shapes() { return t_shapes_only; }

// Makes it so as long as it lives.
class ShapesOnly {
 public:
  explicit ShapesOnly(bool on) : before_(t_shapes_only) { t_shapes_only = on; }
  ~ShapesOnly() { t_shapes_only = before_; }
  ShapesOnly(const ShapesOnly&) = delete;
  ShapesOnly& operator=(const ShapesOnly&) = delete;

 private:
  const bool before_;
};

}  // namespace wick
