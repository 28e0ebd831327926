// Layouts of values: which strides, and how views and reshapes change them.
#pragma once

#include <optional>

#include "gpu/program.h"

namespace wick::gpu {

IntVec dense_strides(const IntVec& sizes);
// [n][h][w][c] of four dims, [n][l][c] of three.
IntVec image_strides(const IntVec& sizes);
// Dense, its dims in the order that `like` has; `like` has as many.
IntVec strides_in_order(const IntVec& sizes, const IntVec& like);
// Whether they reach the same elements: strides of dims of size 1 don't matter.
bool same_strides(IntSpan sizes, IntSpan a, IntSpan b);
inline bool is_dense_value(const Value& v) { return same_strides(v.sizes, v.strides, dense_strides(v.sizes)); }

// The strides of a value's elements, in their order, with other sizes of as many elements; nothing when they can't be
// had without a copy.
std::optional<IntVec> reshaped_strides(const IntVec& sizes, const IntVec& strides, const IntVec& to);

// A view that was recorded for another layout of its base, as a view of `base`.
struct RecordedView {
  IntVec base_sizes, base_strides;
  int64_t base_at;
  IntVec sizes, strides;
  int64_t at;
};
std::optional<Value> viewed(const Value& base, const RecordedView& view);

// Drops dims of size 1 and merges those that lie one after the other in all lists of strides.
void coalesce(IntVec& sizes, std::vector<IntVec*> strides);

// The distance of pixels, when they lie at one distance with channels side by side: of an image of three or four dims,
// or of rows along the last dim.
std::optional<int64_t> pixel_distance(const Value& v, bool image);

}  // namespace wick::gpu
