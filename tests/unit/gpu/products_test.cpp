// Products in matrices of subgroups, as plain code on a device without them, and what a device with them gets;
// attention as one dispatch.
#include <cstring>

#include "unit/gpu/compare.h"

namespace wick::gpu {
namespace {

struct Product {
  std::string body;
  std::vector<IValue> constants;
  Tensor input;
};

std::vector<Product> products() {
  std::vector<Product> out;
  const auto add = [&](const std::string& body, std::vector<IValue> constants, Tensor input) {
    out.push_back({function(body), std::move(constants), std::move(input)});
  };
  const std::string conv = "  y = torch.conv2d(x, CONSTANTS.c0, None)\n";
  // Any strides of the input; several taps; strides, paddings and dilations; more than one image; a sum that follows.
  add("  return torch.relu(torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1, [2, 2], [3, 3], [1, 1], 1))\n",
      {waves({16, 3, 7, 7}), waves({16})}, waves({1, 3, 19, 21}));
  add(conv + "  return torch.conv2d(y, CONSTANTS.c1, CONSTANTS.c2, [1, 2], [1, 2], [1, 2], 1)\n",
      {waves({20, 4, 1, 1}), waves({40, 20, 3, 3}), waves({40})}, waves({2, 4, 9, 11}));
  add(conv + "  return torch.relu(torch.add(torch.conv2d(y, CONSTANTS.c1, None, [1, 1], [1, 1]), y))\n",
      {waves({24, 4, 1, 1}), waves({24, 24, 3, 3})}, waves({1, 4, 10, 9}));
  add(conv + "  return torch.hardswish(torch.conv2d(y, CONSTANTS.c1, CONSTANTS.c2))\n",
      {waves({36, 4, 1, 1}), waves({132, 36, 1, 1}), waves({132})}, waves({1, 4, 12, 12}));
  // Few pixels and long sums: split.
  add(conv + "  return torch.relu(torch.conv2d(y, CONSTANTS.c1, CONSTANTS.c2, [1, 1], [1, 1]))\n",
      {waves({256, 4, 1, 1}), waves({40, 256, 3, 3}, 0.11F), waves({40})}, waves({1, 4, 5, 5}));
  // Places in a concatenation, one of them not at a whole unit.
  add("  a = torch.conv2d(x, CONSTANTS.c0, None)\n  b = torch.conv2d(x, CONSTANTS.c1, None)\n"
      "  c = torch.conv2d(x, CONSTANTS.c2, None)\n  return torch.cat([a, b, c], 1)\n",
      {waves({8, 8, 1, 1}), waves({6, 8, 1, 1}), waves({16, 8, 1, 1})}, waves({1, 8, 6, 5}));
  // Dense layers.
  add("  return torch.gelu(torch.linear(x, CONSTANTS.c0, CONSTANTS.c1))\n", {waves({52, 68}), waves({52})},
      waves({37, 68}));
  add("  return torch.add(torch.linear(x, CONSTANTS.c0, CONSTANTS.c1), x)\n", {waves({24, 24}), waves({24})},
      waves({2, 9, 24}));
  return out;
}

TEST(GpuProducts, MatricesEqualTheProcessor) {
  const DevicePtr on = device(true, nullptr, true);
  NEEDS_DEVICE(on);
  for (const Product& p : products()) {
    const Outcome out = run_text(on, p.body, p.constants, {IValue(p.input)});
    EXPECT_LE(out.worst, 2e-5) << p.body;
    EXPECT_GE(out.count("(gemm_matrix)"), 1u) << p.body;
  }
}

// Every tile that fits less and less shared memory and workgroups; none at last.
TEST(GpuProducts, MatricesOfSmallWorkgroups) {
  const std::string body = function("  return torch.linear(x, CONSTANTS.c0, CONSTANTS.c1)\n");
  const std::vector<IValue> constants{waves({96, 72}), waves({96})};
  bool used = false, declined = false;
  for (const auto& [invocations, bytes] : {std::pair(128u, 32768u), {32u, 8192u}}) {
    Limits low;
    low.max_invocations = invocations;
    low.max_shared_bytes = bytes;
    const DevicePtr on = device(true, &low, true);
    NEEDS_DEVICE(on);
    const Outcome out = run_text(on, body, constants, {IValue(waves({40, 72}))});
    EXPECT_LE(out.worst, 2e-5) << bytes;
    (out.count("(gemm_matrix)") > 0 ? used : declined) = true;
  }
  EXPECT_TRUE(used);
  EXPECT_TRUE(declined);
}

// The instructions of SPIR-V, by number.
std::vector<std::vector<uint32_t>> instructions(const std::vector<uint32_t>& code) {
  std::vector<std::vector<uint32_t>> out;
  for (size_t at = 5; at < code.size(); at += code[at] >> 16) {
    if (code[at] >> 16 == 0 || at + (code[at] >> 16) > code.size()) {
      ADD_FAILURE() << "an instruction is cut off";
      break;
    }
    out.emplace_back(code.begin() + static_cast<std::ptrdiff_t>(at),
                     code.begin() + static_cast<std::ptrdiff_t>(at + (code[at] >> 16)));
    out.back()[0] &= 0xffff;
  }
  return out;
}

TEST(GpuProducts, CodeForDevicesWithMatrices) {
  const ShaderLibrary library;
  std::vector<uint32_t> orders;  // of the elements of what is loaded
  for (const Shader shader : {Shader::k_gemm_matrix, Shader::k_attention_matrix}) {
    const std::vector<uint32_t> after = khr_matrices(library.code_of(shader, true));
    size_t products = 0, extensions = 0;
    std::vector<uint32_t> uses, numbers(after[3], UINT32_MAX);
    for (const std::vector<uint32_t>& i : instructions(after)) {
      EXPECT_FALSE(i[0] >= 5358 && i[0] <= 5362) << i[0];  // of SPV_NV_cooperative_matrix
      if (i[0] == 17) {
        EXPECT_NE(i[1], 5357u);
      }
      if (i[0] == 10)
        extensions += std::strcmp(reinterpret_cast<const char*>(&i[1]), "SPV_KHR_cooperative_matrix") == 0;
      if (i[0] == 43) numbers[i[2]] = i[3];  // constants
      if (i[0] == 4456) uses.push_back(numbers.at(i.at(6)));
      products += i[0] == 4459;
      if (i[0] == 4457) orders.push_back(numbers.at(i[4]));
      if (i[0] == 4458) {
        EXPECT_EQ(numbers.at(i[3]), 0u);  // row by row
      }
    }
    std::sort(uses.begin(), uses.end());
    EXPECT_EQ(uses, (std::vector<uint32_t>{0, 1, 2}));
    EXPECT_EQ(extensions, 1u);
    EXPECT_GE(products, 1u);
  }
  // Keys are columns.
  EXPECT_EQ(std::count(orders.begin(), orders.end(), 1u), 1);
  EXPECT_EQ(std::count(orders.begin(), orders.end(), 0u), static_cast<std::ptrdiff_t>(orders.size() - 1));
  // Code without matrices stays what it is but for three numbers; broken code is an error.
  const std::span<const uint32_t> plain = library.code_of(Shader::k_copy, false);
  EXPECT_EQ(khr_matrices(plain).size(), plain.size() + 12);
  EXPECT_THROW(khr_matrices(plain.first(6)), Error);
  EXPECT_THROW(khr_matrices(plain.first(4)), Error);
}

struct Attention {
  IntVec queries, keys;
  bool causal;
};

void expect_one_dispatch(const DevicePtr& on, const Attention& c, const std::string& shader) {
  const std::string flag = c.causal ? "True" : "False";
  const std::string body =
      "def f(q: Tensor, k: Tensor, v: Tensor) -> Tensor:\n"
      "  return torch.scaled_dot_product_attention(q, k, v, None, 0., " +
      flag + ")\n";
  const Outcome out =
      run_text(on, body, {}, {IValue(waves(c.queries)), IValue(waves(c.keys, 0.21F)), IValue(waves(c.keys, 0.3F))});
  EXPECT_LE(out.worst, 5e-5) << c.queries[0] << " " << c.keys[1];
  EXPECT_EQ(out.count(shader), 1u);
  EXPECT_EQ(out.counts.stretches, 1u);
}

TEST(GpuAttention, IsOneDispatch) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  for (const Attention& c :
       {Attention{{2, 3, 37, 64}, {2, 3, 37, 64}, false}, Attention{{1, 2, 5, 32}, {1, 2, 70, 32}, false},
        Attention{{3, 41, 20}, {3, 41, 20}, true}, Attention{{1, 1, 33, 128}, {1, 1, 33, 128}, true}}) {
    expect_one_dispatch(on, c, "(attention)");
  }
}

TEST(GpuAttention, InMatrices) {
  const DevicePtr on = device(true, nullptr, true);
  NEEDS_DEVICE(on);
  for (const Attention& c :
       {Attention{{2, 3, 37, 64}, {2, 3, 37, 64}, false}, Attention{{1, 2, 5, 32}, {1, 2, 70, 32}, false},
        Attention{{3, 41, 16}, {3, 150, 16}, true}, Attention{{1, 1, 33, 96}, {1, 1, 33, 96}, true}}) {
    expect_one_dispatch(on, c, "(attention_matrix)");
  }
  // Too many keys for the shared memory of a workgroup.
  expect_one_dispatch(on, {{1, 9, 32}, {1, 900, 32}, false}, "(attention)");
}

// Heads of a width that is no multiple of four, and workgroups too small: as products.
TEST(GpuAttention, AsProductsWhereItDoesNotFit) {
  const std::string body = "def f(q: Tensor) -> Tensor:\n  return torch.scaled_dot_product_attention(q, q, q)\n";
  Limits low;
  low.max_shared_bytes = 4096;
  for (const bool small : {false, true}) {
    const DevicePtr on = device(true, small ? &low : nullptr);
    NEEDS_DEVICE(on);
    const Outcome out = run_text(on, body, {}, {IValue(waves({2, 9, small ? 64 : 6}))});
    EXPECT_LE(out.worst, 2e-5);
    EXPECT_EQ(out.count("(attention)"), 0u);
    EXPECT_EQ(out.count("(softmax)"), 1u);
  }
}

TEST(GpuAttention, NanAndInfinity) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  const std::string body =
      "def f(q: Tensor, v: Tensor) -> Tensor:\n  return torch.scaled_dot_product_attention(q, q, v)\n";
  Tensor q = waves({2, 40, 16}), v = waves({2, 40, 16}, 0.2F);
  q.data<float>()[3] = NAN;
  v.data<float>()[900] = INFINITY;
  EXPECT_LE(run_text(on, body, {}, {IValue(q), IValue(v)}).worst, 2e-5);
}

}  // namespace
}  // namespace wick::gpu
