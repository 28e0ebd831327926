// Operators that keep scale and zero point, as their traits say: what they do with quantized tensors, and what the
// static quantizer makes of them.
#include <gtest/gtest.h>

#include <map>

#include "api/module_access.h"
#include "core/operator.h"
#include "core/schema.h"
#include "ir/program.h"
#include "ops/quantize/quantize.h"
#include "unit/frontend/script/run.h"
#include "wick/quantize.h"

namespace wick::quantize {
namespace {

Tensor ramp(IntSpan sizes) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = 0.05f * static_cast<float>(i % 101) - 2;
  return t;
}

Tensor quantized(IntSpan sizes) { return ops::quantize_per_tensor(ramp(sizes), 0.05, 60, DType::kQUInt8); }

IValue ints(IntVec values) { return IValue::int_list(std::move(values)); }

// What comes after the tensor, for every operator with the trait.
std::map<std::string, std::vector<IValue>> arguments() {
  std::map<std::string, std::vector<IValue>> out;
  const IValue none, off(false);
  out["aten::adaptive_avg_pool2d"] = {ints({2, 2})};
  out["aten::avg_pool2d"] = {ints({2, 2}), ints({2, 2}), ints({0, 0}), off, IValue(true), none};
  out["aten::channel_shuffle"] = {IValue(2)};
  out["aten::chunk"] = {IValue(2), IValue(1)};
  out["aten::clamp"] = {IValue(-1), IValue(1)};
  out["aten::clone"] = {none};
  out["aten::constant_pad_nd"] = {ints({1, 1}), IValue(0)};
  out["aten::contiguous"] = {IValue(0)};
  out["aten::dropout"] = {IValue(0.5), off};
  out["aten::flatten.using_ints"] = {IValue(1), IValue(-1)};
  out["aten::hardtanh"] = {IValue(-1), IValue(1)};
  out["aten::max_pool1d"] = {ints({2}), ints({2}), ints({0}), ints({1}), off};
  out["aten::max_pool2d"] = {ints({2, 2}), ints({2, 2}), ints({0, 0}), ints({1, 1}), off};
  out["aten::mean"] = {none};
  out["aten::mean.dim"] = {ints({2, 3}), off, none};
  out["aten::pad"] = {ints({1, 1}), IValue(std::string("constant")), none};
  out["aten::permute"] = {ints({0, 2, 3, 1})};
  out["aten::pixel_shuffle"] = {IValue(2)};
  out["aten::relu"] = {};
  out["aten::relu6"] = {};
  out["aten::reshape"] = {ints({-1})};
  out["aten::select.int"] = {IValue(1), IValue(2)};
  out["aten::slice.Tensor"] = {IValue(1), IValue(1), IValue(3), IValue(1)};
  out["aten::split"] = {ints({1, 3}), IValue(1)};
  out["aten::split.Tensor"] = {IValue(2), IValue(1)};
  out["aten::split.sizes"] = {ints({1, 3}), IValue(1)};
  out["aten::squeeze"] = {};
  out["aten::squeeze.dim"] = {IValue(0)};
  out["aten::squeeze.dims"] = {ints({0})};
  out["aten::transpose.int"] = {IValue(1), IValue(2)};
  out["aten::unsqueeze"] = {IValue(0)};
  out["aten::upsample_bilinear2d"] = {ints({8, 8}), off, none, none};
  out["aten::upsample_bilinear2d.vec"] = {ints({8, 8}), off, none};
  out["aten::upsample_nearest2d"] = {ints({8, 8}), none, none};
  out["aten::upsample_nearest2d.vec"] = {ints({8, 8}), none};
  out["aten::view"] = {ints({-1})};
  out["quantized::max_pool2d"] = {ints({2, 2}), ints({2, 2}), ints({0, 0}), ints({1, 1}), off};
  return out;
}

std::vector<Tensor> tensors_in(const IValue& result) {
  if (result.is_tensor()) return {result.to_tensor()};
  std::vector<Tensor> out;
  for (const IValue& item : result.to_list().items) out.push_back(item.to_tensor());
  return out;
}

TEST(QuantizedTraits, OperatorsThatKeepQparamsKeepThem) {
  const std::map<std::string, std::vector<IValue>> calls = arguments();
  size_t count = 0;
  for (const std::string_view text : all_operator_schemas()) {
    const std::string name(schema_full_name(text));
    if (!find_operator(name)->has(traits::keeps_qparams)) continue;
    const auto it = calls.find(name);
    ASSERT_NE(it, calls.end()) << name << " is not tried";
    std::vector<IValue> args{quantized(name == "aten::max_pool1d" ? IntVec{1, 4, 6} : IntVec{1, 4, 6, 6})};
    args.insert(args.end(), it->second.begin(), it->second.end());
    for (const Tensor& t : tensors_in(call_operator(name, std::move(args))[0])) {
      ASSERT_TRUE(t.is_quantized()) << name;
      EXPECT_EQ(ops::q_scale(t), 0.05) << name;
      EXPECT_EQ(ops::q_zero_point(t), 60) << name;
    }
    ++count;
  }
  EXPECT_EQ(count, calls.size());
}

// Between two layers nothing is dequantized.
TEST(QuantizedTraits, TheStaticQuantizerKeepsTheirIntegers) {
  for (const char* between :
       {"    b = torch.view(a, [2, 8])\n", "    b = torch.clamp(a, -1., 1.)\n", "    b = torch.relu6(a)\n",
        "    p, q, = torch.split(a, [3, 5], 1)\n    b = torch.cat([q, p], 1)\n"}) {
    const std::string code = std::string(
                                 "class M(Module):\n"
                                 "  __parameters__ = []\n"
                                 "  __buffers__ = []\n"
                                 "  training : bool\n"
                                 "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                                 "    a = torch.linear(x, CONSTANTS.c0, None)\n") +
                             between + "    return torch.linear(b, CONSTANTS.c0, None)\n";
    script::Text text(code, {ramp({8, 8})});
    const Quantized result = quantize_static(script::module_of(text), {{ramp({2, 8})}});
    size_t dequantized = 0;
    for (const ir::Node* node : program_of(result.module)->find_method("forward")->graph.body()->nodes) {
      dequantized += node->op_name.starts_with("aten::dequantize") ? 1 : 0;
    }
    EXPECT_EQ(dequantized, 1u) << between;
  }
}

}  // namespace
}  // namespace wick::quantize
