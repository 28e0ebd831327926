// Everything that a module's const members may do at once: runs of changing shapes on plans that are made and dropped
// meanwhile, bounded and cancelled runs, attributes that runs write, profiles, saving, and the number of threads.
#include <gtest/gtest.h>

#include <string>

#include "unit/runtime/shared_module.h"
#include "wick/async.h"
#include "wick/profile.h"
#include "wick/save.h"

namespace wick {
namespace {

using script::at_once;
using script::filled_with;

constexpr const char* kModel =
    "class M(Module):\n"
    "  __parameters__ = []\n"
    "  __buffers__ = []\n"
    "  training : bool\n"
    "  weight : Tensor\n"
    "  runs : Tensor\n"
    "  seen : int\n"
    "  def branch(self: __torch__.M, x: Tensor) -> Tensor:\n"
    "    return torch.relu(torch.conv2d(x, self.weight, None, [1, 1], [1, 1]))\n"
    "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
    "    a = fork((self).branch, x)\n"
    "    b = torch.max_pool2d((self).branch(x, ), [3, 3], [1, 1], [1, 1])\n"
    "    self.seen = torch.add(self.seen, 1)\n"
    "    self.runs = torch.add(self.runs, 1.)\n"
    "    return torch.sum(torch.add(torch.wait(a), b))\n";

Module shared_module(script::Text& text) {
  text.program->kind = ir::FileKind::kTorchScript;
  auto root = make_ref<ObjectImpl>();
  root->cls = text.importer.class_named("__torch__.M")->info;
  root->set(0, IValue(false));
  root->set(1, filled_with(0.5F, {4, 3, 3, 3}));
  root->set(2, filled_with(0, {1}));
  root->set(3, IValue(int64_t{0}));
  text.program->root = IValue(root);
  for (const char* name : {"M.branch", "M.forward"}) text.function(name);
  return make_module(text.program);
}

Tensor image(int64_t k) { return filled_with(static_cast<float>(k % 3), {1 + k % 2, 3, 6 + k % 5, 7 + k % 4}); }

float sum_of(const IValue& result) { return static_cast<float>(result.to_tensor().item().to_double()); }

TEST(ModuleThreads, DoEverythingAtOnce) {
  for (const Precision precision : {Precision::kAuto, Precision::kFloat16}) {
    script::Text text(kModel);
    Module module = shared_module(text);
    module.set_precision(precision);
    constexpr int64_t kImages = 60;
    std::vector<float> expected;
    for (int64_t k = 0; k < kImages; ++k) expected.push_back(sum_of(module.forward({image(k)})));

    at_once(6, [&](int thread) {
      for (int64_t k = 0; k < kImages; ++k) {
        const float right = expected[static_cast<size_t>(k)], near = 1e-2F * right + 1e-3F;
        switch ((k + thread) % 8) {
          case 0: {
            const Cancellation stop;
            const AsyncRun run = run_async(module, {image(k)}, {.cancellation = stop});
            stop.cancel();
            try {
              ASSERT_NEAR(sum_of(run.get()), right, near);
            } catch (const Error& e) {
              ASSERT_EQ(e.code(), ErrorCode::kCancelled) << e.what();
            }
            break;
          }
          case 1:
            try {
              module.forward({image(k)}, {.max_memory = 2000, .max_operations = 5});
            } catch (const Error& e) {
              ASSERT_EQ(e.code(), ErrorCode::kLimitExceeded) << e.what();
            }
            break;
          case 2:
            ASSERT_FALSE(profile(module, {image(k)}).steps.empty());
            break;
          case 3:
            ASSERT_GT(sum_of(module.attr("runs")), 0);
            ASSERT_GT(module.attr("seen").to_int(), 0);
            break;
          case 4:
            ASSERT_FALSE(save_torchscript(module).empty());
            break;
          case 5:
            set_num_threads(static_cast<int>(1 + k % 4));
            [[fallthrough]];
          default: {
            const Module copy = module;  // NOLINT: copies come and go on all threads
            ASSERT_NEAR(sum_of(copy.forward({image(k)}, {.max_threads = static_cast<int>(k % 3)})), right, near);
          }
        }
      }
    });
    set_num_threads(0);
    EXPECT_GE(module.attr("seen").to_int(), kImages);
  }
}

}  // namespace
}  // namespace wick
