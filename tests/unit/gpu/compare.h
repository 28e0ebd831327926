// What tests of the GPU backend share: a device, and a program's results on it beside the processor's.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "gpu/target.h"
#include "plan/profile.h"
#include "unit/frontend/script/run.h"

namespace wick::gpu {

using script::Text;

inline Tensor waves(IntVec sizes, float step = 0.37F) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = std::sin(step * static_cast<float>(i) + 0.1F);
  return t;
}

inline Tensor positive(IntVec sizes) {
  Tensor t = waves(std::move(sizes));
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = std::abs(t.data<float>()[i]) + 0.5F;
  return t;
}

// Null: there is no Vulkan here; the reason is printed once.
inline DevicePtr device(bool validate = true, const Limits* lower = nullptr, bool emulate_matrices = false) {
  Settings settings;
  settings.validate = validate;
  settings.lower = lower;
  settings.emulate_matrices = emulate_matrices;
  try {
    return Device::open(settings);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kUnsupported) << e.what();
    if (!validate) return nullptr;
    return device(false, lower, emulate_matrices);
  }
}
#define NEEDS_DEVICE(d) \
  if (!(d)) GTEST_SKIP() << "no Vulkan device"

// Largest difference, as a part of the largest value; infinite where one is NaN or infinite and the other is another.
inline double difference(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.sizes(), b.sizes());
  EXPECT_EQ(a.strides(), b.strides());
  if (!(a.sizes() == b.sizes())) return INFINITY;
  const Tensor x = a.contiguous(), y = b.contiguous();
  double largest = 1e-6, worst = 0;
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double u = x.data<float>()[i], v = y.data<float>()[i];
    if (std::isnan(u) && std::isnan(v)) continue;
    if (u == v) continue;
    if (!std::isfinite(u) || !std::isfinite(v)) return INFINITY;
    largest = std::max(largest, std::abs(u));
    worst = std::max(worst, std::abs(u - v));
  }
  return worst / largest;
}

struct Outcome {
  double worst = 0;
  GpuTarget::Counts counts;
  size_t calls = 0;                // operators that ran on the processor
  std::vector<std::string> names;  // of dispatches
  size_t count(const std::string& part) const {
    return static_cast<size_t>(std::count_if(
        names.begin(), names.end(), [&](const std::string& name) { return name.find(part) != std::string::npos; }));
  }
};

inline Outcome run_text(const DevicePtr& on, const std::string& text, const std::vector<IValue>& constants,
                        const std::vector<IValue>& inputs, bool half = false) {
  Text plain(text, constants), gpu(text, constants);
  const IValue want = plain.executor->run(plain.function("f"), inputs);
  auto target = std::make_shared<GpuTarget>(on, half);
  gpu.planner.set_target(target, false);
  Outcome out;
  for (int k = 0; k < 2; ++k) {
    plan::Profile profile;
    IValue got;
    {
      const plan::ProfileScope scope(profile);
      got = gpu.planner.run(gpu.function("f"), inputs);
    }
    out.calls = 0;
    out.names.clear();
    for (const plan::StepTime& s : profile.steps) {
      out.calls += s.kind != "gpu";
      if (s.kind == "gpu") out.names.push_back(s.name);
    }
    std::vector<IValue> a{want}, b{got};
    if (want.is_tuple()) {
      a = want.to_tuple().items;
      b = got.to_tuple().items;
    }
    EXPECT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i)
      out.worst = std::max(out.worst, difference(a[i].to_tensor(), b[i].to_tensor()));
  }
  out.counts = target->counts();
  for (const std::string& message : on->complaints()) ADD_FAILURE() << message;
  return out;
}

inline std::string function(const std::string& body) { return "def f(x: Tensor) -> Tensor:\n" + body; }

}  // namespace wick::gpu
