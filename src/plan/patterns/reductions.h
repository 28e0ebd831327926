// The reductions that are one run of the engine for floats (ops/reduce/engine.h).
#pragma once

#include <string_view>

namespace wick::plan {

inline constexpr std::string_view kReductions[] = {
    "aten::sum",    "aten::nansum", "aten::mean",     "aten::nanmean", "aten::prod",
    "aten::amax",   "aten::amin",   "aten::max",      "aten::min",     "aten::argmax",
    "aten::argmin", "aten::var",    "aten::std",      "aten::norm",    "aten::linalg_vector_norm",
    "aten::all",    "aten::any",    "aten::var_mean", "aten::std_mean"};

}  // namespace wick::plan
