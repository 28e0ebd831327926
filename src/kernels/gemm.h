// Matrix multiplication: C = alpha * A * B + beta * C, then bias and clamp, for float and double.
//
// A is m x k, B is k x n, C is m x n. B is cut into panels of a few vectors' width, and each panel into blocks of
// k; a block is packed ([k][panel width], zero padded) and multiplied with every tile of rows of A. Rows of A are
// read in place when k runs with stride 1. Operands that are not matrices in memory (the patches of a convolution)
// come through a source that packs the part asked for.
#pragma once

#include <limits>

#include "kernels/workers.h"

namespace wick::kernels {

// Packs parts of B. pack() writes rows k0 .. k0+kc-1, columns n0 .. n0+nc-1 to dst[(k - k0) * width + (n - n0)];
// columns nc .. width-1 must be written with zeros.
template <class T>
struct PanelSource {
  virtual ~PanelSource() = default;
  virtual void pack(int64_t k0, int64_t kc, int64_t n0, int64_t nc, int64_t width, T* dst) const = 0;
};

// Packs parts of A: rows m0 .. m0+mr-1, columns k0 .. k0+kc-1 to dst[(m - m0) * kc + (k - k0)].
template <class T>
struct RowSource {
  virtual ~RowSource() = default;
  virtual void pack(int64_t m0, int64_t mr, int64_t k0, int64_t kc, T* dst) const = 0;
};

template <class T>
struct Gemm {
  int64_t m = 0, n = 0, k = 0;

  // A: `a_source` when set, else memory with strides in elements.
  const T* a = nullptr;
  int64_t a_row = 0, a_col = 1;
  const RowSource<T>* a_source = nullptr;

  // B: `b_packed` (written by pack_b of the same n and k) when set, else `b_source`, else memory.
  const T* b = nullptr;
  int64_t b_row = 0, b_col = 1;
  const PanelSource<T>* b_source = nullptr;
  const T* b_packed = nullptr;

  // C: columns are contiguous.
  T* c = nullptr;
  int64_t c_row = 0;

  T alpha = 1;
  T beta = 0;                      // 0: C is not read
  const T* row_bias = nullptr;     // m values
  const T* column_bias = nullptr;  // n values
  bool clamp = false;
  T low = -std::numeric_limits<T>::infinity();
  T high = std::numeric_limits<T>::infinity();
};

// Elements pack_b writes.
template <class T>
size_t packed_b_size(int64_t n, int64_t k);
// Packs all of B (strides in elements) into dst, which is 64-byte aligned.
template <class T>
void pack_b(const T* b, int64_t b_row, int64_t b_col, int64_t n, int64_t k, T* dst);

// Independent pieces of a product, so that a batch of products shares one parallel loop.
template <class T>
int64_t gemm_tasks(const Gemm<T>& g, int workers);
template <class T>
void gemm_run(const Gemm<T>& g, int64_t tasks, int64_t first, int64_t last);

template <class T>
void gemm(const Gemm<T>& g, const Workers& workers) {
  const int64_t tasks = gemm_tasks(g, workers.count);
  workers.each(tasks, [&](int64_t first, int64_t last) { gemm_run(g, tasks, first, last); });
}

}  // namespace wick::kernels
