// Copies of elements between layouts: as large blocks as both layouts have.
#include "strided.h"

#include <algorithm>
#include <cstring>

namespace wick::java {
namespace {

struct Dim {
  int64_t size, to, from;  // strides in bytes
};

void copy_dims(char* to, const char* from, const std::vector<Dim>& dims, size_t at, size_t block) {
  if (at == dims.size()) {
    std::memmove(to, from, block);
    return;
  }
  for (int64_t i = 0; i < dims[at].size; ++i)
    copy_dims(to + i * dims[at].to, from + i * dims[at].from, dims, at + 1, block);
}

}  // namespace

void copy_strided(void* to, IntSpan to_strides, const void* from, IntSpan from_strides, IntSpan sizes,
                  size_t itemsize) {
  std::vector<Dim> dims;
  const auto bytes = static_cast<int64_t>(itemsize);
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return;
    if (sizes[i] > 1) dims.push_back({sizes[i], to_strides[i] * bytes, from_strides[i] * bytes});
  }
  // Outermost first, as the destination lies.
  std::stable_sort(dims.begin(), dims.end(), [](const Dim& a, const Dim& b) { return a.to > b.to; });
  int64_t block = bytes;
  while (!dims.empty() && dims.back().to == block && dims.back().from == block) {
    block *= dims.back().size;
    dims.pop_back();
  }
  copy_dims(static_cast<char*>(to), static_cast<const char*>(from), dims, 0, static_cast<size_t>(block));
}

}  // namespace wick::java
