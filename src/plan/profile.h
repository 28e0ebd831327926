// Profiles: how long the steps of plans take.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/build.h"
#include "plan/steps/step_name.h"
#include "wick/tensor.h"

namespace wick::ir {
struct Node;
}

namespace wick::plan {

struct StepTime {
  std::string name;    // "conv 3x3 winograd4 batch_norm relu", "aten::cat"
  std::string output;  // "1x64x56x56 channels last"
  int64_t start_ns = 0, duration_ns = 0;
  std::string_view kind{};         // see Step
  std::string module{};            // see ModulePaths
  double operations = 0;           // multiplications and additions of products; 0 for other steps
  double bytes = 0;                // of what it reads and writes, weights included
  bool is_planned = true;          // false: the interpreter ran it
  const ir::Node* node = nullptr;  // until the run has ended
};

// The step that stands for recording and making a plan.
inline constexpr std::string_view kPlanning = "planning for new shapes";

struct Profile {
  std::vector<StepTime> steps;
  uint32_t regions = 0;
  size_t arena_bytes = 0;   // of all plans used
  size_t packed_bytes = 0;  // weights in kernels' forms
};

// While it lives, plans run on this thread write down their steps.
class ProfileScope {
 public:
  explicit ProfileScope(Profile& profile);
  ~ProfileScope();
  ProfileScope(const ProfileScope&) = delete;
  ProfileScope& operator=(const ProfileScope&) = delete;

 private:
  Profile* before_;
};

int64_t now_ns();
// "1x64x56x56 channels last".
std::string text_of_shape(const IntVec& sizes, const IntVec& strides);
// What a product of these operands computes: a convolution, a dense layer, a product of matrices; 0 for other
// operators.
double operations_of(std::string_view op, const std::vector<const IntVec*>& inputs, const IntVec& output);

// Of this thread; null when there is none.
Profile* thread_profile();
inline Profile* current_profile() { return build::kProfiles ? thread_profile() : nullptr; }

}  // namespace wick::plan
