// The product that dense layers and convolutions are made of: sums over k of rows of pixels with packed weights.
//
// A row of A is a pixel: `length` consecutive values at each of several offsets from the pixel's address (segments),
// so that a matrix product (one segment) and a convolution that reads its patches in place are the same loop. Pixels
// lie on a grid of lines, and so do the rows of the result and of what is added to it.
//
// Contract: the caller has checked that every address the grids and segments name is inside its buffers. Nothing is
// allocated.
#pragma once

#include "kernels/epilogue.h"
#include "kernels/half.h"
#include "kernels/workers.h"

namespace wick::kernels {

struct Segment {
  int64_t a;       // offset from the pixel
  int64_t b;       // first row of B
  int64_t length;  // rows of B
};
// Longest segment and sum of segments that one pass keeps in the caches; longer ones are cut.
inline constexpr int64_t kMaxDepth = kMaxDepthOf<float>;

// Pixel m is at base + m / width * line + m % width * step.
template <class T>
struct Grid {
  T* base = nullptr;
  int64_t line = 0, step = 0;
};

// T: float, or Half where it is in the build.
template <class T>
struct ProductOf {
  int64_t pixels = 0;
  int64_t width = 1;  // pixels of a line
  Grid<const T> a;
  Grid<T> c;
  Grid<const T> add;  // residual; base null: none. May be c, unless it comes last.
  const Segment* segments = nullptr;
  int64_t segment_count = 0;
  const T* b = nullptr;     // pack_b<T>(n, k)
  int64_t n = 0, k = 0;     // of B as packed
  const T* bias = nullptr;  // n values, or null
  Epilogue epilogue;
  // A product of floats may be computed in several calls: those after the first start from the sums in C (no bias, and
  // no residual unless it comes last), those before the last leave sums.
  bool continues = false;
  bool continued = false;
};
using Product = ProductOf<float>;

// Elements of a vector, for cost models.
template <class T = float>
int64_t product_lanes();
// Panels of B, the unit in which n is divided among threads.
template <class T = float>
int64_t product_panels(int64_t n);
// Columns [first, first + count) are panel p, `width` apart from row to row; it begins first * k elements into B.
struct PanelColumns {
  int64_t first, count, width;
};
template <class T = float>
PanelColumns product_panel(int64_t n, int64_t p);
// Pixels [first_pixel, last_pixel) by panels [first_panel, last_panel).
template <class T>
void product_run(const ProductOf<T>& p, int64_t first_pixel, int64_t last_pixel, int64_t first_panel,
                 int64_t last_panel);
// Divides the product among the threads.
template <class T>
void product(const ProductOf<T>& p, const Workers& workers);

// A product whose A is in blocks of a few rows, which takes fewer loads: a block's vectors of k follow each other, one
// of each row after the other. B is of whole vectors in k and n. Sums are kept for `piece` steps of k and added to C
// then.
template <class T>
struct BlockProductOf {
  const T* a = nullptr;
  int64_t a_block = 0;  // elements from block to block
  int64_t rows = 0, blocks = 0;
  const T* b = nullptr;
  int64_t n = 0, k = 0, piece = 0;
  T* c = nullptr;
  int64_t c_step = 0;
};
// Rows that a block of such a product is to have; 0 where the machine has none.
template <class T>
int64_t product_block_rows(int64_t rows, int64_t n, int64_t k);
template <class T>
void product_blocks(const BlockProductOf<T>& p);

// Segments of a plain row of k values, cut to kMaxDepthOf<T> as far as they fit. Returns how many there are.
inline constexpr int64_t kRowSegments = 64;
template <class T = float>
int64_t row_segments(int64_t k, Segment (&out)[kRowSegments]);

}  // namespace wick::kernels
