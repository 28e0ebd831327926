// Namespace torch: that of at, and its own names for dtypes.
#pragma once

// What LibTorch's own headers bring, and applications use without naming it.
#include <atomic>
#include <cassert>
#include <chrono>
#include <cinttypes>
#include <climits>
#include <condition_variable>
#include <deque>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <list>
#include <mutex>
#include <numeric>
#include <set>
#include <shared_mutex>
#include <sstream>
#include <stack>
#include <thread>
#include <typeindex>
#include <unordered_set>
#if __cplusplus >= 201703L
#include <optional>
#include <string_view>
#endif

#include <ATen/ATen.h>

namespace torch {

using namespace at;
namespace detail {
using namespace at::detail;
}

using c10::IValue;
using c10::nullopt;
using c10::optional;
using Dtype = at::ScalarType;

constexpr auto kUInt8 = at::kByte;
constexpr auto kInt8 = at::kChar;
constexpr auto kInt16 = at::kShort;
constexpr auto kInt32 = at::kInt;
constexpr auto kInt64 = at::kLong;
constexpr auto kFloat16 = at::kHalf;
constexpr auto kFloat32 = at::kFloat;
constexpr auto kFloat64 = at::kDouble;
constexpr auto kU8 = kUInt8;
constexpr auto kI8 = kInt8;
constexpr auto kI16 = kInt16;
constexpr auto kI32 = kInt32;
constexpr auto kI64 = kInt64;
constexpr auto kF16 = kFloat16;
constexpr auto kF32 = kFloat32;
constexpr auto kF64 = kFloat64;

// Numbers, or numbers in nested braces: integers become int64, floats the default dtype.
using c10::str;
inline at::Tensor tensor(at::detail::TensorDataContainer data, const at::TensorOptions& options = {}) {
  return data.convert(options);
}

// Autograd is not there: what is computed needs no gradient whatever the mode.
namespace autograd {
using at::Variable;
using c10::AutoGradMode;
using c10::GradMode;
using c10::InferenceMode;
enum class CreationMeta : uint8_t { DEFAULT, IN_CUSTOM_FUNCTION, MULTI_OUTPUT_NODE, NO_GRAD_MODE, INFERENCE_MODE };
struct DifferentiableViewMeta : c10::AutogradMetaInterface {
  bool has_bw_view() const { return false; }
  CreationMeta get_creation_meta() const { return CreationMeta::DEFAULT; }
};
using variable_list = std::vector<at::Tensor>;
using c10::NoGradGuard;
inline at::Tensor make_variable(at::Tensor data, bool requires_grad = false, bool = true) {
  data.set_requires_grad(requires_grad);
  return data;
}
[[noreturn]] inline void no_autograd() {
  TORCH_CHECK(false, "Wick runs models and computes no gradients: autograd is not available");
  throw;
}
// Throw.
inline void backward(const variable_list&, const variable_list& = {}, c10::optional<bool> = c10::nullopt, bool = false,
                     const variable_list& = {}) {
  no_autograd();
}
inline variable_list grad(const variable_list&, const variable_list&, const variable_list& = {},
                          c10::optional<bool> = c10::nullopt, bool = false, bool = false) {
  no_autograd();
}
}  // namespace autograd
using c10::AutoGradMode;
using c10::GradMode;
using c10::InferenceMode;
using c10::NoGradGuard;

namespace indexing = at::indexing;

namespace cuda {
inline bool is_available() { return false; }
inline size_t device_count() { return 0; }
inline bool cudnn_is_available() { return false; }
inline void manual_seed(uint64_t) {}
inline void manual_seed_all(uint64_t) {}
inline void synchronize(int64_t = -1) {}
}  // namespace cuda

namespace mps {
inline bool is_available() { return false; }
}  // namespace mps

}  // namespace torch
