// Recording for shapes alone: a first run computes no elements twice.
#include "plan/record/record.h"

#include <gtest/gtest.h>

#include "unit/frontend/script/run.h"

namespace wick::script {
namespace {

Tensor ones(const IntVec& sizes) {
  Tensor t = Tensor::empty(sizes);
  std::fill_n(t.data<float>(), t.numel(), 1.0F);
  return t;
}

// The body follows two lines that make t, whose elements no recording computes.
void expect_shapes_alone(const std::string& body, const IntVec& sizes, std::vector<IValue> more = {}) {
  SCOPED_TRACE(body);
  std::string parameters = "x: Tensor";
  for (size_t k = 0; k < more.size(); ++k) parameters += ", p" + std::to_string(k) + ": Tensor";
  const std::string text = "def f(" + parameters + ") -> Tensor:\n  t = torch.mul(x, 2.)\n" + body;
  std::vector<IValue> args{IValue(ones(sizes))};
  args.insert(args.end(), more.begin(), more.end());
  Text plain(text), recorded(text);
  const Tensor want = plain.run("f", args).to_tensor();

  const ir::Function& function = recorded.function("f");
  const Ref<const runtime::Code> code = runtime::compile(function);
  runtime::Frame frame(*recorded.executor, function, *code, 0);
  frame.set_arguments(std::move(args));
  const plan::Recording recording = plan::record(frame, 0, plan::Inlined{nullptr, &function, {}, {}, {}});
  ASSERT_TRUE(recording.trace);
  EXPECT_FALSE(recording.has_elements);
  ASSERT_EQ(frame.code().instructions[recording.next].code, runtime::OpCode::kReturn);
  const Tensor got = frame.result(recording.next).to_tensor();
  EXPECT_EQ(got.dtype(), want.dtype());
  EXPECT_EQ(got.sizes(), want.sizes());
  EXPECT_EQ(got.strides(), want.strides());
}

TEST(PlanRecord, LayersOfTransformers) {
  const std::vector<IValue> attention{ones({36, 12}), ones({36}), ones({12, 12}), ones({12})};
  expect_shapes_alone(
      "  y, w = torch._native_multi_head_attention(t, t, t, 12, 3, p0, p1, p2, p3, None, False)\n"
      "  return torch.add(y, t)\n",
      {2, 5, 12}, attention);
  expect_shapes_alone(
      "  y, w = torch._native_multi_head_attention(t, t, t, 12, 3, p0, p1, p2, p3)\n"
      "  return torch.matmul(w, y)\n",
      {2, 5, 12}, attention);
  std::vector<IValue> layer = attention;
  for (int k = 0; k < 4; ++k) layer.emplace_back(ones({12}));
  for (const IntVec& sizes : {IntVec{24, 12}, IntVec{24}, IntVec{12, 24}, IntVec{12}}) layer.emplace_back(ones(sizes));
  for (const char* flags : {"True, True", "False, False"}) {
    expect_shapes_alone("  return torch._transformer_encoder_layer_fwd(t, 12, 3, p0, p1, p2, p3, " +
                            std::string(flags) + ", 1e-5, p4, p5, p6, p7, p8, p9, p10, p11)\n",
                        {2, 5, 12}, layer);
  }
}

TEST(PlanRecord, MasksAndComparisons) {
  expect_shapes_alone("  return torch.masked_fill(t, torch.gt(t, 1.), 0.)\n", {3, 4});
  expect_shapes_alone("  return torch.where(torch.logical_not(torch.le(t, 1.)), t, torch.neg(t))\n", {3, 4});
  expect_shapes_alone("  return torch.eq(torch.maximum(t, x), torch.minimum(t, x))\n", {3, 4});
}

TEST(PlanRecord, Reductions) {
  for (const char* body :
       {"  return torch.var(t, [1], True, True)\n", "  return torch.amax(t, [-1], True)\n", "  return torch.max(t)\n",
        "  return torch.argmax(t, 1)\n", "  return torch.logsumexp(t, [0])\n", "  return torch.cumsum(t, 1)\n",
        "  v, i = torch.max(t, 1, True)\n  return torch.add(v, i)\n",
        "  v, i = torch.topk(t, 2, 1)\n  return torch.sub(v, i)\n",
        "  return torch.linalg_vector_norm(t, 2, [1], True)\n"}) {
    expect_shapes_alone(body, {3, 4});
  }
}

TEST(PlanRecord, ImagesAndSequences) {
  for (const char* body :
       {"  return torch.adaptive_max_pool2d(t, [2, 2])[0]\n", "  return torch.upsample_nearest2d(t, [9, 7])\n",
        "  return torch.instance_norm(t, None, None, None, None, True, 0.1, 1e-5, False)\n",
        "  return torch.pixel_unshuffle(t, 2)\n", "  return torch.glu(t, 1)\n",
        "  return torch.roll(torch.flip(t, [2]), [1, 2], [2, 3])\n", "  return torch.to(t, 6)\n",
        "  return torch.einsum(\"nchw,nkhw->nck\", [t, t])\n", "  return torch.repeat(t, [1, 2, 1, 1])\n",
        "  return torch.im2col(t, [3, 3], [1, 1], [1, 1], [1, 1])\n", "  return torch.triu(t, 1)\n"}) {
    expect_shapes_alone(body, {1, 4, 6, 6});
  }
}

TEST(PlanRecord, Indices) {
  expect_shapes_alone("  return torch.index(t, [torch.argmax(t, 1)])\n", {3, 4});
  expect_shapes_alone("  return torch.index_put_(torch.clone(t), [torch.argmax(t, 1)], torch.neg(t))\n", {3, 4});
}

// What depends on elements is computed: an index picks what the recorded program picks.
TEST(PlanRecord, ElementsWhereTheyAreNeeded) {
  const std::string text =
      "def f(x: Tensor) -> Tensor:\n  t = torch.mul(x, 2.)\n"
      "  return torch.gather(t, 1, torch.argmax(t, 1, True))\n";
  Text recorded(text);
  const ir::Function& function = recorded.function("f");
  const Ref<const runtime::Code> code = runtime::compile(function);
  runtime::Frame frame(*recorded.executor, function, *code, 0);
  frame.set_arguments({IValue(ones({3, 4}))});
  const plan::Recording recording = plan::record(frame, 0, plan::Inlined{nullptr, &function, {}, {}, {}});
  EXPECT_TRUE(recording.has_elements);
  EXPECT_EQ(frame.result(recording.next).to_tensor().data<float>()[0], 2.0F);
}

}  // namespace
}  // namespace wick::script
