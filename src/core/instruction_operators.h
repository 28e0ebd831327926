// Operators that bytecode has instructions for. Lists of other makers than 'wick trace' do not name them.
#pragma once

#include <string_view>

namespace wick {

inline constexpr std::string_view kInstructionOperators[] = {
    "prim::TupleIndex",
    "prim::RaiseException",
    "aten::__getitem__.Dict_str",
    "aten::__getitem__.Dict_int",
    "aten::__getitem__.Dict_bool",
    "aten::__getitem__.Dict_float",
    "aten::__getitem__.Dict_complex",
    "aten::__getitem__.Dict_Tensor",
    "aten::__is__",
    "aten::__isnot__",
    "aten::format",
    "prim::device",
    "prim::dtype",
    "aten::dim",
    "aten::__not__",
    "prim::tolist",
    "prim::NumToTensor.Scalar",
    "prim::is_cuda",
    "aten::warn",
};

}  // namespace wick
