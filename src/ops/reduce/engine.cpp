// The reduction engine: finds the rows to fold in memory order, and splits them over threads.
#include "ops/reduce/engine.h"

#include <algorithm>
#include <cstring>

#include "core/budget.h"
#include "core/copy.h"
#include "core/parallel.h"
#include "kernels/divide.h"
#include "ops/iterator.h"

namespace wick::ops {

namespace {

constexpr int64_t kTile = 512;
constexpr int64_t kBatch = 64;  // outputs
constexpr int64_t kGrain = 32768;
constexpr size_t kMostAccumulator = 64;
constexpr int64_t kMostPieces = 256;

constinit thread_local ReductionWatch* t_watch = nullptr;

}  // namespace

// Dims without the ones of size 1, fastest first, neighbors merged.
std::vector<Reduction::Dim> Reduction::tidy(std::vector<Dim> dims) {
  std::erase_if(dims, [](const Dim& d) { return d.size == 1; });
  std::stable_sort(dims.begin(), dims.end(), [](const Dim& a, const Dim& b) { return a.in < b.in; });
  std::vector<Dim> merged;
  for (const Dim& d : dims) {
    if (!merged.empty()) {
      Dim& last = merged.back();
      if (d.in == last.in * last.size && d.out == last.out * last.size) {
        last.size *= d.size;
        continue;
      }
    }
    merged.push_back(d);
  }
  if (merged.empty()) merged.push_back({});
  return merged;
}

// One run, on the elements of some tensors.
struct Reduction::Run {
  const Reduction& r;
  const char* base;
  void* const* outputs;
  const void* context;

  // Walks all dims but the first.
  struct Walk {
    const std::vector<Dim>& dims;
    IntVec at;
    int64_t in = 0, out = 0;
    Walk(const std::vector<Dim>& d, int64_t position) : dims(d), at(d.size()) {
      for (size_t i = 1; i < dims.size(); ++i) {
        at[i] = position % dims[i].size;
        position /= dims[i].size;
        in += at[i] * dims[i].in;
        out += at[i] * dims[i].out;
      }
    }
    void next() {
      for (size_t i = 1; i < dims.size(); ++i) {
        in += dims[i].in;
        out += dims[i].out;
        if (++at[i] < dims[i].size) return;
        in -= at[i] * dims[i].in;
        out -= at[i] * dims[i].out;
        at[i] = 0;
      }
    }
  };
  // Space for elements and results as the reducer has them: two tiles each.
  struct Space {
    alignas(16) char bytes[kTile * 16 * 4];
    char* results() { return bytes + kTile * 32; }
  };

  static int64_t rows_of(const std::vector<Dim>& dims) {
    int64_t n = 1;
    for (size_t i = 1; i < dims.size(); ++i) n *= dims[i].size;
    return n;
  }
  int64_t chunks() const { return (r.kept_[0].size + kTile - 1) / kTile; }

  void all() const {
    const Dim &kept = r.kept_[0], &reduced = r.reduced_[0];
    const bool fast_reduced = kept.size == 1 || (reduced.size > 1 && reduced.in < kept.in);
    const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, r.count_));
    if (fast_reduced) {
      if (r.outputs_ == 1 && r.count_ > 2 * kGrain && r.reducer_.merge && num_threads() > 1) return split();
      parallel_for(0, r.outputs_, grain, [this](int64_t first, int64_t last) { along(first, last); });
    } else {
      parallel_for(0, rows_of(r.kept_) * chunks(), std::max<int64_t>(1, grain / std::min(kTile, kept.size)),
                   [this](int64_t first, int64_t last) { across(first, last); });
    }
  }

  // A tile's worth of input as the reducer wants it; `buffer` holds two tiles.
  const void* load(const char* src, int64_t stride, int64_t n, char* buffer) const {
    if (stride == r.item_ && r.dtype_ == r.tile_) return src;
    if (r.dtype_ == r.common_ || r.common_ == r.tile_) {
      convert_elements(buffer, static_cast<int64_t>(itemsize(r.tile_)), r.tile_, src, stride, r.dtype_, n);
      return buffer;
    }
    char* narrow = buffer + kTile * 16;
    const auto width = static_cast<int64_t>(itemsize(r.common_));
    convert_elements(narrow, width, r.common_, src, stride, r.dtype_, n);
    convert_elements(buffer, static_cast<int64_t>(itemsize(r.tile_)), r.tile_, narrow, width, r.common_, n);
    return buffer;
  }

  // Folds rows [first, last) of the reduced dims, and within each row all elements.
  void fold(void* acc, const char* at, int64_t first, int64_t last, char* buffer) const {
    const Dim& inner = r.reduced_[0];
    if (r.reduced_.size() == 1) return fold_row(acc, at, 0, inner.size, buffer);
    Walk walk(r.reduced_, first);
    for (int64_t row = first; row < last; ++row, walk.next()) {
      check_budget_at(row);
      fold_row(acc, at + walk.in, 0, inner.size, buffer);
    }
  }
  void fold_row(void* acc, const char* row, int64_t begin, int64_t end, char* buffer) const {
    const int64_t step = r.reduced_[0].in;
    const bool direct = step == r.item_ && r.dtype_ == r.tile_;
    const int64_t longest = direct ? end - begin : kTile;
    for (int64_t i = begin; i < end; i += longest) {
      if (i > begin) check_budget_at(i / kTile);  // tensors that repeat elements may be larger than all memory
      const int64_t n = std::min(longest, end - i);
      r.reducer_.along(acc, load(row + i * step, step, n, buffer), n, i, context);
    }
  }

  void finish(const void* acc, int64_t n, int64_t out, int64_t out_stride, char* results) const {
    void* outs[kMaxOutputs] = {};
    for (size_t k = 0; k < r.type_count_; ++k) outs[k] = results + static_cast<int64_t>(k) * kTile * 16;
    r.reducer_.finish(outs, acc, n, context);
    for (size_t k = 0; k < r.type_count_; ++k) {
      const DType type = r.types_[k], from = compute_dtype(type);
      const auto width = static_cast<int64_t>(itemsize(type));
      convert_elements(static_cast<char*>(outputs[k]) + out * width, out_stride * width, type, outs[k],
                       static_cast<int64_t>(itemsize(from)), from, n);
    }
  }

  // Outputs one after the other, the elements of each close together; their results are written a batch at a time.
  void along(int64_t first, int64_t last) const {
    Space space;
    alignas(16) char accs[kBatch * kMostAccumulator];
    const Dim& kept = r.kept_[0];
    const int64_t rows = rows_of(r.reduced_), size = static_cast<int64_t>(r.reducer_.acc_size);
    for (int64_t o = first; o < last;) {
      const Walk walk(r.kept_, o / kept.size);
      const int64_t begin = o % kept.size, n = std::min({kBatch, kept.size - begin, last - o});
      r.reducer_.init(accs, n, context);
      for (int64_t i = 0; i < n; ++i) {
        fold(accs + i * size, base + walk.in + (begin + i) * kept.in, 0, rows, space.bytes);
      }
      finish(accs, n, walk.out + begin * kept.out, kept.out, space.results());
      o += n;
    }
  }

  // The one output's elements shared among threads, in pieces that do not depend on how many there are.
  void split() const {
    const int64_t rows = rows_of(r.reduced_), inner = r.reduced_[0].size;
    const bool by_rows = rows > 1;
    const int64_t total = by_rows ? rows : inner;
    const int64_t piece = std::max<int64_t>(kernels::ceil_div(total, kMostPieces), kGrain / (by_rows ? inner : 1));
    const int64_t pieces = kernels::ceil_div(total, piece);
    struct alignas(16) Slot {
      char bytes[kMostAccumulator];
    };
    Slot parts[kMostPieces];
    const auto fold_pieces = [&](int64_t first, int64_t last) {
      Space space;
      for (int64_t p = first; p < last; ++p) {
        void* acc = parts[p].bytes;
        r.reducer_.init(acc, 1, context);
        const int64_t begin = p * piece, end = std::min(total, begin + piece);
        if (by_rows) {
          fold(acc, base, begin, end, space.bytes);
        } else {
          fold_row(acc, base, begin, end, space.bytes);
        }
      }
    };
    // By reference: a function that holds no more than that allocates nothing.
    parallel_for(0, pieces, 1, [&fold_pieces](int64_t first, int64_t last) { fold_pieces(first, last); });
    for (int64_t p = 1; p < pieces; ++p) r.reducer_.merge(parts[0].bytes, parts[p].bytes);
    Space space;
    finish(parts[0].bytes, 1, 0, 1, space.results());
  }

  // Many neighboring outputs at a time: each position of the reduced dims gives one row of elements.
  void across(int64_t first, int64_t last) const {
    Space space;
    alignas(16) char accs[kTile * kMostAccumulator];
    const Dim &kept = r.kept_[0], &inner = r.reduced_[0];
    const int64_t rows = rows_of(r.reduced_), count = chunks();
    for (int64_t job = first; job < last; ++job) {
      const Walk walk(r.kept_, job / count);
      const int64_t begin = job % count * kTile;
      const int64_t n = std::min(kTile, kept.size - begin);
      const char* at = base + walk.in + begin * kept.in;
      r.reducer_.init(accs, n, context);
      Walk outer(r.reduced_, 0);
      for (int64_t k = 0; k < rows; ++k, outer.next()) {
        const char* row = at + outer.in;
        for (int64_t i = 0; i < inner.size; ++i, row += inner.in) {
          check_budget_at(k * inner.size + i);
          r.reducer_.across(accs, load(row, kept.in, n, space.bytes), n, i, context);
        }
      }
      finish(accs, n, walk.out + begin * kept.out, kept.out, space.results());
    }
  }
};

Reduction::Reduction(const Tensor& t, DType common, IntSpan dims, const Reducer& reducer, ReduceContext context,
                     std::span<const Tensor> outputs)
    : dtype_(t.dtype()),
      common_(common),
      tile_(compute_dtype(common)),
      item_(static_cast<int64_t>(t.itemsize())),
      reducer_(reducer),
      has_context_(context.data != nullptr),
      type_count_(outputs.size()) {
  WICK_CHECK(!t.is_quantized(), kUnsupported, "reductions do not take tensors of type '", name_of(t.dtype()), "'");
  WICK_CHECK(reducer.acc_size <= kMostAccumulator && outputs.size() <= kMaxOutputs && context.size <= sizeof context_,
             kInternal, "reducer too large");
  if (has_context_) std::memcpy(context_, context.data, context.size);
  for (size_t i = 0; i < outputs.size(); ++i) types_[i] = outputs[i].dtype();
  std::vector<Dim> kept, reduced;
  size_t next = dims.size();
  for (int64_t d = t.dim() - 1; d >= 0; --d) {
    const auto k = static_cast<size_t>(d);
    const int64_t size = t.sizes()[k], stride = t.strides()[k] * item_;
    if (next > 0 && dims[next - 1] == d) {
      --next;
      reduced.push_back({size, stride, 0});
      count_ *= size;
    } else {
      kept.push_back({size, stride, outputs_});
      outputs_ *= size;
    }
  }
  if (outputs_ > 0 && count_ == 0) {
    // No elements: every output is what the reducer starts from.
    kept = {{outputs_, 0, 1}};
    reduced = {{0, 0, 0}, {0, 0, 0}};
  }
  kept_ = tidy(std::move(kept));
  reduced_ = tidy(std::move(reduced));
}

void Reduction::run(const void* elements, void* const* outputs) const {
  if (outputs_ == 0) return;
  Run{*this, static_cast<const char*>(elements), outputs, has_context_ ? context_ : nullptr}.all();
}

ReductionWatch::ReductionWatch() : before_(t_watch) { t_watch = this; }
ReductionWatch::~ReductionWatch() { t_watch = before_; }

ReducedDims reduced_dims(const Tensor& t, const std::optional<IntVec>& dims, bool keepdim) {
  ReducedDims r;
  std::vector<bool> mask(static_cast<size_t>(std::max<int64_t>(1, t.dim())), !dims || dims->empty());
  if (dims && !dims->empty()) {
    for (int64_t d : wrap_dims(*dims, t.dim())) mask[static_cast<size_t>(d)] = true;
  }
  r.count = 1;
  for (int64_t d = 0; d < t.dim(); ++d) {
    const int64_t size = t.sizes()[static_cast<size_t>(d)];
    if (!mask[static_cast<size_t>(d)]) {
      r.kept.push_back(size);
      continue;
    }
    r.dims.push_back(d);
    // Wraps only in a tensor that has a dim of no elements.
    r.count = static_cast<int64_t>(static_cast<uint64_t>(r.count) * static_cast<uint64_t>(size));
    if (keepdim) r.kept.push_back(1);
  }
  return r;
}

void run_reduction(const Tensor& t, DType common, IntSpan dims, const Reducer& reducer, ReduceContext context,
                   std::initializer_list<Tensor> outputs) {
  const std::span<const Tensor> all(outputs.begin(), outputs.size());
  const Reduction reduction(t, common, dims, reducer, context, all);
  if (t_watch != nullptr) {
    t_watch->calls.push_back({t, {all.begin(), all.end()}, reduction});
    return;
  }
  void* to[Reduction::kMaxOutputs] = {};
  for (size_t i = 0; i < all.size(); ++i) to[i] = all[i].raw_data();
  reduction.run(t.raw_data(), to);
}

}  // namespace wick::ops
