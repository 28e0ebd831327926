// The order in which PyTorch tries the overloads of an operator, where the operator table has another.
// From PyTorch 1.13 with the overloads added up to 2.14; "-" is the overload without a name. Overloads with an
// out argument are not listed: no call that fits one fits another.
#include <algorithm>
#include <iterator>

#include "frontend/script/match_overloads.h"

namespace wick::script {

namespace {

struct Order {
  std::string_view name;
  std::string_view overloads;
};

// Sorted by name.
constexpr Order kOrders[] = {
    {"aten::__and__", "Scalar Tensor bool int"},
    {"aten::__contains__", "int_list str_list str int bool float complex Tensor float_list"},
    {"aten::__getitem__", "t str Dict_str Dict_int Dict_bool Dict_float Dict_complex Dict_Tensor"},
    {"aten::__interpolate", "scale_list size_list_scale_list - size_list"},
    {"aten::__upsample_bilinear", "- size_list scale_list size_list_scale_list"},
    {"aten::_upsample_nearest_exact3d", "vec -"},
    {"aten::add",
     "Tensor Scalar t str int complex float int_complex complex_int float_complex complex_float "
     "int_float float_int -"},
    {"aten::any", "dim - dims str int float bool"},
    {"aten::as_tensor", "float int bool complex - list"},
    {"aten::bernoulli_", "Tensor float"},
    {"aten::count", "- int float bool Tensor str"},
    {"aten::cumulative_trapezoid", "x dx"},
    {"aten::dequantize", "self tensors tensor list any"},
    {"aten::dict",
     "- str Dict_str int Dict_int bool Dict_bool float Dict_float complex Dict_complex Tensor "
     "Dict_Tensor"},
    {"aten::divide_", "Tensor Tensor_mode Scalar_mode Scalar"},
    {"aten::eq",
     "Tensor Scalar int_list device bool enum int complex float int_float float_int float_complex "
     "complex_float - str float_list Tensor_list bool_list str_list"},
    {"aten::eq_", "Scalar Tensor"},
    {"aten::float_power_", "Tensor Scalar"},
    {"aten::floor_divide_", "Scalar Tensor"},
    {"aten::ge_", "Scalar Tensor"},
    {"aten::greater_", "Scalar Tensor"},
    {"aten::greater_equal_", "Scalar Tensor"},
    {"aten::gt_", "Scalar Tensor"},
    {"aten::index", "Tensor Tensor_hacked_twin str list_int list_float list_bool list_Tensor list_str"},
    {"aten::le_", "Scalar Tensor"},
    {"aten::len", "t Tensor str Dict_str Dict_int Dict_bool Dict_float Dict_complex Dict_Tensor any"},
    {"aten::lerp", "Scalar Tensor"},
    {"aten::lerp_", "Scalar Tensor"},
    {"aten::less_", "Scalar Tensor"},
    {"aten::less_equal_", "Scalar Tensor"},
    {"aten::linalg_matrix_rank", "- tol_tensor atol_rtol_tensor atol_rtol_float"},
    {"aten::linspace", "Tensor_Tensor Tensor_Scalar Scalar_Tensor -"},
    {"aten::list", "- t"},
    {"aten::logspace", "Tensor_Tensor Tensor_Scalar Scalar_Tensor -"},
    {"aten::lt_", "Scalar Tensor"},
    {"aten::moveaxis", "intlist int"},
    {"aten::movedim", "intlist int"},
    {"aten::mul",
     "Tensor Scalar left_t right_ int complex float int_complex complex_int float_complex "
     "complex_float int_float float_int -"},
    {"aten::ne",
     "Tensor Scalar int_list device bool enum int complex float int_float float_int float_complex "
     "complex_float - str float_list Tensor_list bool_list str_list"},
    {"aten::ne_", "Scalar Tensor"},
    {"aten::norm", "Scalar ScalarOpt_dim ScalarOpt_dim_dtype ScalarOpt_dtype"},
    {"aten::not_equal_", "Scalar Tensor"},
    {"aten::random", "from to -"},
    {"aten::random_", "from to -"},
    {"aten::range", "step -"},
    {"aten::scatter", "value src reduce value_reduce"},
    {"aten::set_", "source_Tensor - source_Tensor_storage_offset"},
    {"aten::size", "int -"},
    {"aten::sort", "- stable int float Tensor bool str any"},
    {"aten::sorted", "int float Tensor bool str any"},
    {"aten::special_xlog1py", "- other_scalar self_scalar"},
    {"aten::special_xlogy", "- other_scalar self_scalar"},
    {"aten::special_zeta", "- other_scalar self_scalar"},
    {"aten::split", "Tensor sizes str -"},
    {"aten::squeeze_", "- dim dims"},
    {"aten::stride", "int -"},
    {"aten::sum", "dim_IntList - int float complex bool"},
    {"aten::sym_stride", "int -"},
    {"aten::tensor", "float int bool complex -"},
    {"aten::trapezoid", "x dx"},
    {"aten::trapz", "x dx"},
    {"aten::upsample_bicubic2d", "vec -"},
    {"aten::upsample_bilinear2d", "vec -"},
    {"aten::upsample_linear1d", "vec -"},
    {"aten::upsample_nearest1d", "vec -"},
    {"aten::upsample_nearest2d", "vec -"},
    {"aten::upsample_nearest3d", "vec -"},
    {"aten::upsample_trilinear3d", "vec -"},
    {"aten::where", "self ScalarOther ScalarSelf - Scalar"},
    {"prim::infer_squeeze_size", "dim -"},
};

}  // namespace

std::string_view overload_order(std::string_view name) {
  const auto* end = std::end(kOrders);
  const auto* it = std::lower_bound(std::begin(kOrders), end, name,
                                    [](const Order& order, std::string_view n) { return order.name < n; });
  return it != end && it->name == name ? it->overloads : std::string_view();
}

}  // namespace wick::script
