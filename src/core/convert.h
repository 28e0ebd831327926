// Conversion of runs of elements from dtype to dtype, which copies and fills are made of.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/selection.h"

namespace wick {

// n elements, the strides in bytes.
using ConvertFn = void (*)(char* dst, int64_t ds, const char* src, int64_t ss, int64_t n);

// Null when one of the dtypes is rare, or not in a selective build.
ConvertFn converter(DType dst, DType src);
// Of elements of one size, whose bits stay.
ConvertFn mover(size_t size);

// Whether a build has the dtypes that are converted element by element, through complex doubles.
inline constexpr bool kConvertsRare = selects_dtype(DType::kUInt16) || selects_dtype(DType::kUInt32) ||
                                      selects_dtype(DType::kUInt64) || selects_dtype(DType::kFloat8_e5m2) ||
                                      selects_dtype(DType::kFloat8_e4m3fn) || selects_dtype(DType::kFloat8_e5m2fnuz) ||
                                      selects_dtype(DType::kFloat8_e4m3fnuz) || selects_dtype(DType::kComplexHalf);
void convert_rare(char* dst, int64_t ds, DType dst_dtype, const char* src, int64_t ss, DType src_dtype, int64_t n);

// In a selective build: one of the dtypes is not its own.
[[noreturn]] void refuse_conversion(DType to, DType from);

}  // namespace wick
