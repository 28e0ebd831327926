// Collects the times of steps and of interpreted regions.
#include "plan/profile.h"

#include <algorithm>
#include <chrono>

#include "plan/memory/layout.h"

namespace wick::plan {
namespace {

thread_local Profile* t_profile = nullptr;

}  // namespace

ProfileScope::ProfileScope(Profile& profile) : before_(t_profile) { t_profile = &profile; }
ProfileScope::~ProfileScope() { t_profile = before_; }

int64_t now_ns() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

std::string text_of_shape(const IntVec& sizes, const IntVec& strides) {
  std::string out;
  for (int64_t size : sizes) out += (out.empty() ? "" : "x") + std::to_string(size);
  return out + (is_channels_last(sizes, strides) && !is_contiguous(sizes, strides) ? " channels last" : "");
}

double operations_of(std::string_view op, const std::vector<const IntVec*>& inputs, const IntVec& output) {
  const auto product = [](const IntVec& sizes) {
    double count = 1;
    for (int64_t size : sizes) count *= static_cast<double>(size);
    return count;
  };
  if (inputs.size() < 2) return 0;
  const IntVec& a = *inputs[0];
  const IntVec& b = *inputs[1];
  if (op.find("conv") != std::string_view::npos && b.size() > 2) {
    const bool transposed = op.find("transpose") != std::string_view::npos;
    return 2 * product(transposed ? a : output) * product(b) / static_cast<double>(std::max<int64_t>(1, b[0]));
  }
  if (op == "aten::linear" && !b.empty()) return 2 * product(output) * static_cast<double>(b.back());
  if ((op == "aten::matmul" || op == "aten::mm" || op == "aten::bmm" || op == "aten::mv") && !a.empty()) {
    return 2 * product(output) * static_cast<double>(a.back());
  }
  if ((op == "aten::addmm" || op == "aten::baddbmm" || op == "aten::addmv") && !b.empty()) {
    return 2 * product(output) * static_cast<double>(b.back());
  }
  return 0;
}

Profile* thread_profile() { return t_profile; }

}  // namespace wick::plan
