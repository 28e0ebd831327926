// The layouts of tensors that the planner tells apart: contiguous, channels last, dense in any order of dims.
#pragma once

#include <utility>
#include <vector>

#include "wick/tensor.h"

namespace wick::plan {

bool is_contiguous(IntSpan sizes, IntSpan strides);
// Three or four dims, laid out [n][l][c] or [n][h][w][c] without gaps.
bool is_channels_last(IntSpan sizes, IntSpan strides);
IntVec channels_last_strides(IntSpan sizes);
bool is_dense(IntSpan sizes, IntSpan strides);

// Inserts a pair into others in ascending order; for lists that are short, or walked for every item anyway.
using Pair = std::pair<size_t, size_t>;
void insert_in_order(std::vector<Pair>& pairs, Pair pair);

}  // namespace wick::plan
