// The operator list of tensor creation.
#include "ops/families.h"
#include "ops/shape/creation.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
       empty_sized, uninitialized),
    OP("aten::empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", empty_out,
       uninitialized),
    OP("aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None) -> Tensor",
       empty_strided_op, uninitialized),
    OP("aten::empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, Layout? layout=None, "
       "Device? device=None, bool? pin_memory=None) -> Tensor",
       empty_permuted, uninitialized),
    OP("aten::empty_strided.out(SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)", empty_strided_out,
       uninitialized),
    OP("aten::zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None) -> Tensor",
       zeros, deterministic),
    OP("aten::zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", zeros_out, deterministic),
    OP("aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None) -> Tensor",
       ones, deterministic),
    OP("aten::ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", ones_out, deterministic),
    OP("aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None) -> Tensor",
       full, deterministic),
    OP("aten::full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)", full_out, deterministic),
    OP("aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
       empty_like_op, uninitialized),
    OP("aten::empty_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
       empty_like_out, uninitialized),
    OP("aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
       zeros_like, deterministic),
    OP("aten::zeros_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
       zeros_like_out, deterministic),
    OP("aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
       ones_like, deterministic),
    OP("aten::ones_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
       ones_like_out, deterministic),
    OP("aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
       full_like, deterministic),
    OP("aten::full_like.out(Tensor self, Scalar fill_value, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
       "Tensor(a!)",
       full_like_out, deterministic),
    OP("aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None) -> Tensor",
       new_empty, uninitialized),
    OP("aten::new_empty.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", new_empty_out,
       uninitialized),
    OP("aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       new_empty_strided, uninitialized),
    OP("aten::new_empty_strided.out(Tensor self, SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)",
       new_empty_strided_out, uninitialized),
    OP("aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None) -> Tensor",
       new_zeros, deterministic),
    OP("aten::new_zeros.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", new_zeros_out,
       deterministic),
    OP("aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None) -> Tensor",
       new_ones, deterministic),
    OP("aten::new_ones.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", new_ones_out, deterministic),
    OP("aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       new_full, deterministic),
    OP("aten::new_full.out(Tensor self, SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)",
       new_full_out, deterministic),
    OP("aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None) -> Tensor",
       scalar_tensor, deterministic),
    OP("aten::scalar_tensor.out(Scalar s, *, Tensor(a!) out) -> Tensor(a!)", scalar_tensor_out, deterministic),
    OP("aten::eye(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None) -> Tensor",
       eye, deterministic),
    OP("aten::eye.m(int n, int m, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None) -> Tensor",
       eye_m, deterministic),
    OP("aten::eye.out(int n, *, Tensor(a!) out) -> Tensor(a!)", eye_out, deterministic),
    OP("aten::eye.m_out(int n, int m, *, Tensor(a!) out) -> Tensor(a!)", eye_m_out, deterministic),
    OP("aten::tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None) -> Tensor",
       tril_indices, deterministic),
    OP("aten::tril_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!)", tril_indices_out,
       deterministic),
    OP("aten::triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None) -> Tensor",
       triu_indices, deterministic),
    OP("aten::triu_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!)", triu_indices_out,
       deterministic),
    OP("aten::_shape_as_tensor(Tensor self) -> Tensor", shape_as_tensor, deterministic),
    OP("aten::_dim_arange(Tensor like, int dim) -> Tensor", dim_arange, deterministic),
    OP("aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor", vander, deterministic),
    OP("aten::linalg_vander(Tensor x, *, int? N=None) -> Tensor", linalg_vander, deterministic),
    OP("aten::arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None) -> Tensor",
       arange, deterministic),
    OP("aten::arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None) -> Tensor",
       arange_start, deterministic),
    OP("aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       arange_step, deterministic),
    OP("aten::arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)", arange_out, deterministic),
    OP("aten::arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)",
       arange_step_out, deterministic),
    OP("aten::range(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
       "bool? pin_memory=None) -> Tensor",
       range, deterministic),
    OP("aten::range.step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, "
       "Device? device=None, bool? pin_memory=None) -> Tensor",
       range_step, deterministic),
    OP("aten::range.out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)", range_step_out,
       deterministic),
    OP("aten::range.out_(Scalar start, Scalar end, *, Tensor(a!) out) -> Tensor(a!)", range_out, deterministic),
    OP("aten::linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None) -> Tensor",
       linspace, deterministic),
    OP("aten::linspace.out(Scalar start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!)", linspace_out,
       deterministic),
    OP("aten::logspace(Scalar start, Scalar end, int steps, float base=10., *, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       logspace, deterministic),
    OP("aten::logspace.out(Scalar start, Scalar end, int steps, float base=10., *, Tensor(a!) out) -> Tensor(a!)",
       logspace_out, deterministic),
    OP("aten::linspace.Tensor_Tensor(Tensor start, Tensor end, int steps, *, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       linspace_tensors, deterministic),
    OP("aten::linspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, *, Tensor(a!) out) -> Tensor(a!)",
       linspace_tensors_out, deterministic),
    OP("aten::linspace.Tensor_Scalar(Tensor start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       linspace_from_tensor, deterministic),
    OP("aten::linspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!)",
       linspace_from_tensor_out, deterministic),
    OP("aten::linspace.Scalar_Tensor(Scalar start, Tensor end, int steps, *, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       linspace_to_tensor, deterministic),
    OP("aten::linspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, *, Tensor(a!) out) -> Tensor(a!)",
       linspace_to_tensor_out, deterministic),
    OP("aten::logspace.Tensor_Tensor(Tensor start, Tensor end, int steps, float base=10., *, ScalarType? dtype=None, "
       "Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       logspace_tensors, deterministic),
    OP("aten::logspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, float base=10., *, Tensor(a!) out) -> "
       "Tensor(a!)",
       logspace_tensors_out, deterministic),
    OP("aten::logspace.Tensor_Scalar(Tensor start, Scalar end, int steps, float base=10., *, ScalarType? dtype=None, "
       "Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       logspace_from_tensor, deterministic),
    OP("aten::logspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, float base=10., *, Tensor(a!) out) -> "
       "Tensor(a!)",
       logspace_from_tensor_out, deterministic),
    OP("aten::logspace.Scalar_Tensor(Scalar start, Tensor end, int steps, float base=10., *, ScalarType? dtype=None, "
       "Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       logspace_to_tensor, deterministic),
    OP("aten::logspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, float base=10., *, Tensor(a!) out) -> "
       "Tensor(a!)",
       logspace_to_tensor_out, deterministic),
    OP("aten::tensor(t[] data, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor",
       tensor_from_list, deterministic),
    OP("aten::tensor.int(int t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor",
       tensor_from_number, deterministic),
    OP("aten::as_tensor.int(int t, *, ScalarType? dtype=None, Device? device=None) -> Tensor", as_tensor_number,
       deterministic),
    OP("aten::tensor.float(float t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> "
       "Tensor",
       tensor_from_number, deterministic),
    OP("aten::as_tensor.float(float t, *, ScalarType? dtype=None, Device? device=None) -> Tensor", as_tensor_number,
       deterministic),
    OP("aten::tensor.bool(bool t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor",
       tensor_from_number, deterministic),
    OP("aten::as_tensor.bool(bool t, *, ScalarType? dtype=None, Device? device=None) -> Tensor", as_tensor_number,
       deterministic),
    OP("aten::tensor.complex(complex t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) "
       "-> Tensor",
       tensor_from_number, deterministic),
    OP("aten::as_tensor.complex(complex t, *, ScalarType? dtype=None, Device? device=None) -> Tensor", as_tensor_number,
       deterministic),
    OP("aten::as_tensor(Tensor(a) data, *, ScalarType? dtype=None, Device? device=None) -> Tensor(b|a)", as_tensor,
       deterministic),
    OP("aten::as_tensor.list(t[] data, *, ScalarType? dtype=None, Device? device=None) -> Tensor", as_tensor_list,
       deterministic),
    OP("aten::bartlett_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None) -> Tensor",
       bartlett_window, deterministic),
    OP("aten::bartlett_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       bartlett_window_periodic, deterministic),
    OP("aten::bartlett_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)", bartlett_window_out,
       deterministic),
    OP("aten::bartlett_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!)",
       bartlett_window_periodic_out, deterministic),
    OP("aten::blackman_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None) -> Tensor",
       blackman_window, deterministic),
    OP("aten::blackman_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       blackman_window_periodic, deterministic),
    OP("aten::blackman_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)", blackman_window_out,
       deterministic),
    OP("aten::blackman_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!)",
       blackman_window_periodic_out, deterministic),
    OP("aten::hann_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
       "bool? pin_memory=None) -> Tensor",
       hann_window, deterministic),
    OP("aten::hann_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       hann_window_periodic, deterministic),
    OP("aten::hann_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)", hann_window_out, deterministic),
    OP("aten::hann_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!)",
       hann_window_periodic_out, deterministic),
    OP("aten::hamming_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None) -> Tensor",
       hamming_window, deterministic),
    OP("aten::hamming_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       hamming_window_periodic, deterministic),
    OP("aten::hamming_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)", hamming_window_out,
       deterministic),
    OP("aten::hamming_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!)",
       hamming_window_periodic_out, deterministic),
    OP("aten::hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, ScalarType? "
       "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       hamming_window_alpha, deterministic),
    OP("aten::hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha, float beta, *, "
       "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       hamming_window_alpha_beta, deterministic),
    OP("aten::hamming_window.periodic_alpha_out(int window_length, bool periodic, float alpha, *, Tensor(a!) out) "
       "-> Tensor(a!)",
       hamming_window_alpha_out, deterministic),
    OP("aten::hamming_window.periodic_alpha_beta_out(int window_length, bool periodic, float alpha, float beta, *, "
       "Tensor(a!) out) -> Tensor(a!)",
       hamming_window_alpha_beta_out, deterministic),
    OP("aten::kaiser_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
       "bool? pin_memory=None) -> Tensor",
       kaiser_window, deterministic),
    OP("aten::kaiser_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       kaiser_window_periodic, deterministic),
    OP("aten::kaiser_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)", kaiser_window_out, deterministic),
    OP("aten::kaiser_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!)",
       kaiser_window_periodic_out, deterministic),
    OP("aten::kaiser_window.beta(int window_length, bool periodic, float beta, *, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       kaiser_window_beta, deterministic),
    OP("aten::kaiser_window.beta_out(int window_length, bool periodic, float beta, *, Tensor(a!) out) -> Tensor(a!)",
       kaiser_window_beta_out, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kCreationOps, kEntries)

}  // namespace wick
