// Quantized linear layers whose weights are stored as blocks, the zero ones left out; they are computed densely.
#include "ops/quantize/sparse_linear.h"

#include <algorithm>

#include "core/limits.h"
#include "core/tensor_impl.h"
#include "ops/nn/common.h"
#include "ops/quantize/quantize.h"

namespace wick::ops {

namespace {

constexpr int64_t kVersion = 1;
constexpr int kSign = 128;  // stored bytes have no sign

const SparseLinearPacked& sparse_packed(const CustomObject& object) {
  const auto* packed = cast_to<const SparseLinearPacked>(&object);
  WICK_CHECK(packed, kTypeMismatch, "Tried to convert an IValue of type ", object.class_name(),
             " to custom class type ", SparseLinearPacked::kClass);
  return *packed;
}

int64_t blocks_of(int64_t n, int64_t block) { return n / block + (n % block != 0); }

[[noreturn]] void bad_state() {
  fail_with<ErrorCode::kCorruptFile>("the stored state of ", SparseLinearPacked::kClass,
                                     " is not as the class writes it");
}

std::vector<int64_t> integers(const IValue& v) {
  if (!v.is_tensor()) bad_state();
  return param_values<int64_t>(v.to_tensor(), v.to_tensor().numel(), 0);
}

Tensor int32_tensor(const std::vector<int32_t>& values) {
  return Tensor::from_values(Span<int32_t>(values.data(), values.size()));
}

}  // namespace

SparseLinearPacked::SparseLinearPacked(const Tensor& weight, const OptTensor& bias, int64_t out_block, int64_t in_block)
    : weight_(contiguous(weight)), bias_(bias), out_block_(out_block), in_block_(in_block) {
  WICK_CHECK(out_block > 0 && in_block > 0 && out_block <= (1 << 20) && in_block <= (1 << 20), kInvalidArgument,
             "sparse::qlinear: the sizes of a block should be positive, got ", out_block, " and ", in_block);
  dense_ = make_ref<LinearPacked>(weight_, bias);
  WICK_CHECK(dense_->is_int8(), kTypeMismatch, "sparse::qlinear_prepack: the weight should be qint8");
  if (!has(bias_)) bias_ = Tensor::zeros({weight_.size(0)});
}

IValue SparseLinearPacked::get_state() const {
  const int64_t rows = weight_.size(0), depth = weight_.size(1);
  const RowParams params = row_params(weight_, 0, rows);
  const auto* w = static_cast<const int8_t*>(weight_.raw_data());
  std::vector<int32_t> ends{0}, columns;
  std::vector<uint8_t> values;
  for (int64_t r = 0; r < blocks_of(rows, out_block_); ++r) {
    for (int64_t c = 0; c < blocks_of(depth, in_block_); ++c) {
      std::vector<uint8_t> block;
      bool is_zero = true;
      for (int64_t i = r * out_block_; i < (r + 1) * out_block_; ++i) {
        for (int64_t j = c * in_block_; j < (c + 1) * in_block_; ++j) {
          const int zero = params.zeros[static_cast<size_t>(std::min(i, rows - 1))];
          const int value = i < rows && j < depth ? w[i * depth + j] : zero;
          is_zero = is_zero && value == zero;
          block.push_back(static_cast<uint8_t>(value + kSign));
        }
      }
      if (is_zero) continue;
      columns.push_back(static_cast<int32_t>(c));
      values.insert(values.end(), block.begin(), block.end());
    }
    ends.push_back(static_cast<int32_t>(columns.size()));
  }
  const Quantizer& q = weight_.quantizer();
  const bool per_tensor = q.scheme == QScheme::kPerTensorAffine;
  std::vector<float> scales = params.scales;
  std::vector<int8_t> zeros;
  for (int32_t z : params.zeros) zeros.push_back(static_cast<int8_t>(z));
  if (per_tensor) {
    scales.resize(std::min<size_t>(1, scales.size()));
    zeros.resize(std::min<size_t>(1, zeros.size()));
  }
  return IValue::tuple({kVersion, has(bias_) ? IValue(*bias_) : IValue(), out_block_, in_block_,
                        Tensor::from_values(Span<float>(scales.data(), scales.size())),
                        Tensor::from_values(Span<int8_t>(zeros.data(), zeros.size())), per_tensor, int32_tensor(ends),
                        int32_tensor(columns), Tensor::from_values(Span<uint8_t>(values.data(), values.size())), rows,
                        depth});
}

IValue SparseLinearPacked::call(std::string_view method, std::vector<IValue> args) {
  if (method == "__getstate__") return get_state();
  return CustomObject::call(method, std::move(args));
}

namespace {

// What a state holds of a weight: the blocks of `out_block` by `in_block` elements that are not all zero, of each row
// of blocks from left to right.
struct BlockMatrix {
  int64_t rows, depth, out_block, in_block;
  std::vector<int64_t> ends, columns, values;  // blocks up to each row of them; by block; by block and element

  // Checks the numbers of elements.
  bool is_sound() const {
    constexpr int64_t kMost = 1 << 20;
    return out_block >= 1 && out_block <= kMost && in_block >= 1 && in_block <= kMost && rows >= 1 && depth >= 1 &&
           static_cast<int64_t>(ends.size()) == blocks_of(rows, out_block) + 1 &&
           checked_numel({static_cast<int64_t>(columns.size()), out_block, in_block}) ==
               static_cast<int64_t>(values.size());
  }

  // Writes the blocks into a dense matrix. Throws for indices outside of it.
  void fill(int8_t* w) const {
    for (int64_t r = 0; r < blocks_of(rows, out_block); ++r) {
      const int64_t begin = ends[static_cast<size_t>(r)], end = ends[static_cast<size_t>(r) + 1];
      if (begin < 0 || begin > end || end > static_cast<int64_t>(columns.size())) bad_state();
      for (int64_t b = begin; b < end; ++b) fill_block(w, r, b);
    }
  }

 private:
  void fill_block(int8_t* w, int64_t r, int64_t b) const {
    const int64_t c = columns[static_cast<size_t>(b)];
    if (c < 0 || c >= blocks_of(depth, in_block)) bad_state();
    for (int64_t i = 0; i < out_block && r * out_block + i < rows; ++i) {
      for (int64_t j = 0; j < in_block && c * in_block + j < depth; ++j) {
        w[(r * out_block + i) * depth + c * in_block + j] =
            static_cast<int8_t>(values[static_cast<size_t>((b * out_block + i) * in_block + j)] - kSign);
      }
    }
  }
};

// The items of a state, of the types that get_state() gives.
const std::vector<IValue>& state_items(const IValue& state) {
  if (!state.is_tuple() || state.to_tuple().items.size() != 12) bad_state();
  const std::vector<IValue>& s = state.to_tuple().items;
  for (size_t i : {0u, 2u, 3u, 10u, 11u}) {
    if (!s[i].is_int()) bad_state();
  }
  if (!(s[1].is_none() || s[1].is_tensor()) || !s[4].is_tensor() || !s[5].is_tensor() || !s[6].is_bool()) bad_state();
  return s;
}

}  // namespace

Ref<CustomObject> sparse_linear_from_state(IValue state) {
  const std::vector<IValue>& s = state_items(state);
  const BlockMatrix blocks{s[10].to_int(), s[11].to_int(), s[2].to_int(), s[3].to_int(),
                           integers(s[7]), integers(s[8]), integers(s[9])};
  const int64_t rows = blocks.rows, depth = blocks.depth;
  const std::vector<int64_t> zeros = integers(s[5]);
  const bool per_tensor = s[6].to_bool();
  if (!blocks.is_sound() || static_cast<int64_t>(zeros.size()) < (per_tensor ? 1 : rows) ||
      s[4].to_tensor().numel() < (per_tensor ? 1 : rows)) {
    bad_state();
  }
  // The dense matrix may be far larger than what the file holds of it.
  WICK_CHECK(checked_numel({rows, depth}) <= limits::kMaxSparseWeights, kOutOfMemory, "a sparse linear layer of ", rows,
             " by ", depth, " weights is too large");
  const std::vector<double> scales = param_values<double>(s[4].to_tensor(), s[4].to_tensor().numel(), 1);
  Tensor weight = per_tensor ? empty_quantized({rows, depth}, DType::kQInt8, scales[0], zeros[0])
                             : empty_quantized_per_channel({rows, depth}, DType::kQInt8, s[4].to_tensor(),
                                                           to_dtype(s[5].to_tensor(), DType::kLong), 0);
  auto* w = static_cast<int8_t*>(weight.raw_data());
  for (int64_t i = 0; i < rows; ++i) {
    std::fill_n(w + i * depth, depth, static_cast<int8_t>(zeros[per_tensor ? 0 : static_cast<size_t>(i)]));
  }
  blocks.fill(w);
  return make_ref<SparseLinearPacked>(weight, s[1].is_none() ? OptTensor() : OptTensor(s[1].to_tensor()),
                                      blocks.out_block, blocks.in_block);
}

IValue sparse_linear_prepack(const Tensor& weight, const OptTensor& bias, int64_t out_block, int64_t in_block) {
  return IValue(Ref<CustomObject>(make_ref<SparseLinearPacked>(weight, bias, out_block, in_block)));
}
std::tuple<Tensor, OptTensor, IntVec> sparse_linear_unpack(CustomObject& packed) {
  const SparseLinearPacked& p = sparse_packed(packed);
  Tensor weight = p.weight().alias();
  auto q = std::make_shared<Quantizer>(weight.quantizer());
  q->scale = static_cast<float>(q->scale);  // PyTorch keeps it in a float
  weight.impl()->quantizer = std::move(q);
  return {weight, p.bias(), p.block()};
}
Tensor sparse_linear(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point) {
  return sparse_packed(packed).dense().run(x, scale, zero_point, false);
}
Tensor sparse_linear_relu(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point) {
  return sparse_packed(packed).dense().run(x, scale, zero_point, true);
}
Tensor sparse_linear_dynamic(const Tensor& x, CustomObject& packed) {
  return sparse_packed(packed).dense().run_dynamic(x, false);
}
Tensor sparse_linear_relu_dynamic(const Tensor& x, CustomObject& packed) {
  return sparse_packed(packed).dense().run_dynamic(x, true);
}

}  // namespace wick::ops
