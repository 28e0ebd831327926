// Products of narrow factors: bytes, weights of four and eight bits with scales, groups of matrices.
#include <algorithm>

#include "core/dtype_names.h"
#include "core/shapes_only.h"
#include "kernels/weight_only.h"
#include "ops/matmul/matmul.h"
#include "ops/matmul/views.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/join.h"
#include "ops/shape/view.h"
#include "ops/workers.h"

namespace wick::ops {

namespace {

// The dtype two factors are multiplied in when the result may be wider than they are.
DType wide_dtype(DType factor, DType out) {
  if (out == DType::kDouble || factor == DType::kDouble) return DType::kDouble;
  return is_complex(factor) || is_integral(factor, true) ? factor : DType::kFloat;
}

void check_matrix_dims(const Tensor& t, int64_t dims, const char* op, const char* name) {
  WICK_CHECK(t.dim() == dims, kShapeMismatch, op, ": Expected ", name, " to be of dimension ", dims, " but got ",
             t.dim());
}

bool is_byte(DType t) { return t == DType::kByte || t == DType::kChar; }

// Calls fn(byte index, row in the low bits, row in the high bits, column) for every byte of packed weights.
template <class Fn>
void for_packed_bytes(int64_t n, int64_t k, const Fn& fn) {
  int64_t byte = 0;
  for (int64_t start = 0; start < n; start += kernels::kInt4Block) {
    const int64_t size = std::min(kernels::kInt4Block, n - start), half = size / 2;
    const bool full = size == kernels::kInt4Block;
    for (int64_t c = 0; c < k; ++c) {
      for (int64_t d = 0; d < half; ++d) {
        fn(byte++, start + (full ? d : 2 * d), start + (full ? d + half : 2 * d + 1), c);
      }
    }
  }
}

// Runs a product of weights that are widened where they are used: run(first, last) computes its part of `pieces`.
template <class Fn>
void run_widened(const Tensor& x, int64_t n, int64_t pieces, const Fn& run) {
  if (only_shapes()) return;
  workers_for(2.0 * static_cast<double>(x.numel()) * static_cast<double>(n)).each(pieces, run);
}

}  // namespace

Tensor mm_dtype(const Tensor& self, const Tensor& mat2, DType out_dtype) {
  check_same_scalar_type(self, mat2);
  const DType wide = wide_dtype(self.dtype(), out_dtype);
  return to_dtype(mm(to_dtype(self, wide), to_dtype(mat2, wide)), out_dtype);
}
Tensor bmm_dtype(const Tensor& self, const Tensor& mat2, DType out_dtype) {
  check_same_scalar_type(self, mat2);
  const DType wide = wide_dtype(self.dtype(), out_dtype);
  return to_dtype(bmm(to_dtype(self, wide), to_dtype(mat2, wide)), out_dtype);
}
Tensor addmm_dtype(const Tensor& self, const Tensor& mat1, const Tensor& mat2, DType out_dtype, const Scalar& beta,
                   const Scalar& alpha) {
  check_same_scalar_type(mat1, mat2);
  const DType wide = wide_dtype(mat1.dtype(), out_dtype);
  return to_dtype(addmm(to_dtype(self, wide), to_dtype(mat1, wide), to_dtype(mat2, wide), beta, alpha), out_dtype);
}
Tensor baddbmm_dtype(const Tensor& self, const Tensor& batch1, const Tensor& batch2, DType out_dtype,
                     const Scalar& beta, const Scalar& alpha) {
  check_same_scalar_type(batch1, batch2);
  const DType wide = wide_dtype(batch1.dtype(), out_dtype);
  return to_dtype(baddbmm(to_dtype(self, wide), to_dtype(batch1, wide), to_dtype(batch2, wide), beta, alpha),
                  out_dtype);
}

Tensor int_mm(const Tensor& self, const Tensor& mat2) {
  check_matrix_dims(self, 2, "int_mm_out_cpu", "self");
  check_matrix_dims(mat2, 2, "int_mm_out_cpu", "mat2");
  WICK_CHECK(self.size(1) == mat2.size(0), kShapeMismatch,
             "int_mm_out_cpu: self.size(1) needs to match mat2.size(0) but got ", self.size(1), " and ", mat2.size(0));
  WICK_CHECK(is_byte(self.dtype()), kTypeMismatch, "int_mm_out_cpu: Expected self dtype to be int8 or uint8 but got ",
             cpp_name(self.dtype()));
  WICK_CHECK(mat2.dtype() == DType::kChar, kTypeMismatch, "int_mm_out_cpu: Expected mat2 dtype to be int8 but got ",
             cpp_name(mat2.dtype()));
  return mm(to_dtype(self, DType::kInt), to_dtype(mat2, DType::kInt));
}

Tensor weight_int8pack_mm(const Tensor& self, const Tensor& weight, const Tensor& scales) {
  constexpr const char* kName = "_weight_int8pack_mm_cpu : ";
  WICK_CHECK(is_floating(self.dtype()) && self.dtype() != DType::kDouble, kTypeMismatch, kName,
             "expect A to be either 32-bit or 16-bit float tensor.");
  WICK_CHECK(self.dim() == 2, kShapeMismatch, kName, "expect A to be 2D tensor.");
  WICK_CHECK(weight.dtype() == DType::kChar, kTypeMismatch, kName, "expect B to be int8 tensor.");
  WICK_CHECK(weight.dim() == 2 && weight.size(1) == self.size(1), kShapeMismatch, kName,
             "expect B.size(1) == ", self.size(1));
  WICK_CHECK(scales.dim() == 1 && scales.size(0) == weight.size(0), kShapeMismatch, kName,
             "expect scales to be 1d tensor with size ", weight.size(0));
  check_same_scalar_type(self, scales);
  const Tensor x = contiguous(to_dtype(self, DType::kFloat)), bytes = contiguous(weight);
  const Tensor factors = contiguous(to_dtype(scales, DType::kFloat));
  const int64_t rows = x.size(0), k = x.size(1), n = bytes.size(0);
  const Tensor out = Tensor::empty({rows, n}, DType::kFloat);
  const kernels::Int8WeightProduct p{
      x.data_ptr<float>(), rows, n, k, bytes.data_ptr<int8_t>(), factors.data_ptr<float>(), out.data_ptr<float>()};
  constexpr int64_t kColumns = 48;  // of a piece of work
  run_widened(x, n, (n + kColumns - 1) / kColumns, [&](int64_t first, int64_t last) {
    kernels::int8_weight_product(p, first * kColumns, std::min(n, last * kColumns));
  });
  return to_dtype(out, self.dtype());
}

Tensor convert_weight_to_int4pack(const Tensor& weight, int64_t) {
  constexpr const char* kName = "_convert_weight_to_int4pack_cpu : ";
  WICK_CHECK(weight.dim() == 2, kShapeMismatch, kName, "expect weight to be 2D tensor.");
  WICK_CHECK(weight.dtype() == DType::kInt, kTypeMismatch, kName, "expect weight to be kInt.");
  const int64_t n = weight.size(0), k = weight.size(1);
  WICK_CHECK(n % 16 == 0, kShapeMismatch, kName, "expect N to be dividable by 16");
  WICK_CHECK(k % 2 == 0, kShapeMismatch, "_convert_weight_to_int4pack: expect K to be dividable by 2");
  const Tensor rows = contiguous(weight), out = Tensor::empty({n, k / 2}, DType::kByte);
  const int32_t* in = rows.data_ptr<int32_t>();
  uint8_t* to = out.data_ptr<uint8_t>();
  for_packed_bytes(n, k, [&](int64_t byte, int64_t low, int64_t high, int64_t c) {
    to[byte] = static_cast<uint8_t>((in[low * k + c] & 15) | ((in[high * k + c] & 15) << 4));
  });
  return out;
}

Tensor weight_int4pack_mm(const Tensor& self, const Tensor& packed, int64_t group, const Tensor& scales_and_zeros) {
  constexpr const char* kName = "_weight_int4pack_mm_cpu : ";
  WICK_CHECK(is_floating(self.dtype()) && self.dtype() != DType::kDouble, kTypeMismatch, kName,
             "expect A to be either 32-bit or 16-bit float tensor.");
  WICK_CHECK(self.dim() == 2, kShapeMismatch, kName, "expect A to be 2D tensor.");
  WICK_CHECK(packed.dtype() == DType::kByte, kTypeMismatch, kName, "expect B to be uint8 tensor.");
  const int64_t k = self.size(1);
  WICK_CHECK(packed.dim() == 2 && k % 2 == 0 && packed.size(1) == k / 2, kShapeMismatch, kName,
             "expect B.size(1) == K/2, got ", packed.sizes());
  const int64_t n = packed.size(0);
  WICK_CHECK(n % 16 == 0, kShapeMismatch, kName, "expect N to be dividable by 16");
  WICK_CHECK(group == 32 || group == 64 || group == 128 || group == 256, kInvalidArgument, kName,
             "expect qGroupSize to be 32, 64, 128 or 256, got ", group);
  WICK_CHECK(k % group == 0 && scales_and_zeros.dim() == 3 && scales_and_zeros.size(0) == k / group &&
                 scales_and_zeros.size(1) == n && scales_and_zeros.size(2) == 2,
             kShapeMismatch, kName, "expect qScaleAndZeros to be 3d tensor with sizes [", k / group, ", ", n, ", 2]");
  check_same_scalar_type(self, scales_and_zeros);
  const Tensor x = contiguous(to_dtype(self, DType::kFloat)), bytes = contiguous(packed);
  const Tensor params = contiguous(to_dtype(scales_and_zeros, DType::kFloat));
  const int64_t rows = x.size(0);
  const Tensor out = Tensor::empty({rows, n}, DType::kFloat);
  const kernels::Int4WeightProduct p{
      x.data_ptr<float>(),  rows, n, k, group, bytes.data_ptr<uint8_t>(), params.data_ptr<float>(),
      out.data_ptr<float>()};
  run_widened(x, n, kernels::int4_blocks(n),
              [&](int64_t first, int64_t last) { kernels::int4_weight_product(p, first, last); });
  return to_dtype(out, self.dtype());
}

Tensor scaled_mm(const Tensor& self, const Tensor& mat2, const Tensor& scale_a, const Tensor& scale_b,
                 const OptTensor& bias, const OptTensor& scale_result, std::optional<DType> out_dtype, bool) {
  WICK_CHECK(self.dim() == 2, kShapeMismatch, "mat1 must be a matrix");
  WICK_CHECK(mat2.dim() == 2, kShapeMismatch, "mat2 must be a matrix");
  check_multiply(self, mat2);
  const auto scale = [](const Tensor& s, IntSpan lines, const char* name) {
    const Tensor f = to_dtype(s, DType::kFloat);
    if (f.numel() == 1) return reshape(f, {1, 1});
    WICK_CHECK(f.sizes() == lines, kShapeMismatch, "_scaled_mm: expected ", name,
               " to hold one element or to have sizes ", lines, ", but got ", f.sizes());
    return f;
  };
  Tensor out = mm(to_dtype(self, DType::kFloat), to_dtype(mat2, DType::kFloat));
  out = mul(mul(out, scale(scale_a, {self.size(0), 1}, "scale_a")), scale(scale_b, {1, mat2.size(1)}, "scale_b"));
  if (bias && bias->defined()) out = add(out, to_dtype(*bias, DType::kFloat));
  if (scale_result && scale_result->defined()) out = mul(out, scale(*scale_result, {1, 1}, "scale_result"));
  return to_dtype(out, out_dtype.value_or(self.dtype()));
}

namespace {

// The ends of groups, which are as many as matrices of a factor of three dims.
Tensor check_offsets(const Tensor& self, const Tensor& mat2, const OptTensor& offs) {
  WICK_CHECK(offs && offs->defined() && offs->dim() == 1 && offs->dtype() == DType::kInt, kInvalidArgument,
             "Offsets have to be given as a 1D int32 tensor");
  const int64_t groups = offs->numel();
  WICK_CHECK((self.dim() == 2 || self.size(0) == groups) && (mat2.dim() == 2 || mat2.size(0) == groups), kShapeMismatch,
             "matrix batch sizes have to match the number of offsets");
  WICK_CHECK(self.size(-1) == mat2.size(-2), kShapeMismatch, "contraction dimension of self and mat2 must match");
  return contiguous(*offs);
}

// The matrix of a group: of three dims the one of that number, of two the lines from `begin` to `end` along a dim.
Tensor group_of(const Tensor& t, int64_t group, int64_t dim, int64_t begin, int64_t end) {
  return t.dim() == 3 ? select(t, 0, group) : narrow(t, dim, begin, end - begin);
}

}  // namespace

Tensor grouped_mm(const Tensor& self, const Tensor& mat2, const OptTensor& offs, const OptTensor& bias,
                  std::optional<DType> out_dtype) {
  WICK_CHECK((self.dim() == 2 || self.dim() == 3) && (mat2.dim() == 2 || mat2.dim() == 3), kShapeMismatch,
             "_grouped_mm: expected factors of 2 or 3 dimensions, but got ", self.dim(), " and ", mat2.dim());
  WICK_CHECK(!bias || !bias->defined(), kUnsupported, "Bias not supported yet");
  check_same_scalar_type(self, mat2);
  const bool flat_a = self.dim() == 2, flat_b = mat2.dim() == 2;
  const DType dtype = out_dtype.value_or(self.dtype());
  if (!flat_a && !flat_b) {
    WICK_CHECK(!offs || !offs->defined(), kInvalidArgument,
               "Have to provide offsets if there is a 2d matrix, and not otherwise");
    return bmm_dtype(self, mat2, dtype);
  }
  const Tensor ends = check_offsets(self, mat2, offs);
  const int64_t extent = flat_a ? (flat_b ? self.size(1) : self.size(0)) : mat2.size(1);
  TensorList parts;
  int64_t begin = 0;
  for (int64_t g = 0; g < ends.numel(); ++g) {
    const int64_t end = ends.data_ptr<int32_t>()[g];
    WICK_CHECK(end >= begin && end <= extent, kIndexOutOfRange, "_grouped_mm: offset ", end, " is not within [", begin,
               ", ", extent, "]");
    parts.push_back(
        mm_dtype(group_of(self, g, flat_b ? 1 : 0, begin, end), group_of(mat2, g, flat_a ? 0 : 1, begin, end), dtype));
    begin = end;
  }
  if (flat_a && flat_b) {
    return parts.empty() ? Tensor::zeros({0, self.size(0), mat2.size(1)}, dtype) : stack(parts, 0);
  }
  // Rows (or columns) after the last group are not computed.
  if (begin < extent || parts.empty()) {
    parts.push_back(flat_a ? Tensor::zeros({extent - begin, mat2.size(2)}, dtype)
                           : Tensor::zeros({self.size(1), extent - begin}, dtype));
  }
  return concat(parts, flat_a ? 0 : 1);
}

Tensor trilinear(const Tensor& i1, const Tensor& i2, const Tensor& i3, IntSpan expand1, IntSpan expand2,
                 IntSpan expand3, IntSpan sumdim, int64_t unroll_dim) {
  const int64_t rank = i1.dim() + static_cast<int64_t>(expand1.size());
  WICK_CHECK(unroll_dim >= 0 && unroll_dim < rank, kInvalidArgument, "unroll_dim must be in [0,", rank - 1, "]");
  const auto unsqueezed = [](Tensor t, IntSpan dims) {
    IntVec sorted(dims);
    std::sort(sorted.begin(), sorted.end());
    for (int64_t d : sorted) t = unsqueeze(t, d);
    return t;
  };
  const Tensor a = unsqueezed(i1, expand1), b = unsqueezed(i2, expand2), c = unsqueezed(i3, expand3);
  const Tensor all = mul(mul(a, b), c);
  return sumdim.empty() ? all : sum_dims(all, IntVec(sumdim), false, all.dtype());
}

}  // namespace wick::ops
