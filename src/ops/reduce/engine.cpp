#include "ops/reduce/engine.h"

#include <memory>

#include "core/copy.h"
#include "core/parallel.h"
#include "ops/iterator.h"

namespace wick::ops {

namespace {

constexpr int64_t kTile = 512;
constexpr int64_t kGrain = 32768;
constexpr size_t kMaxOutputs = 2;

struct Dim {
  int64_t size = 1;
  int64_t in = 0;   // stride in bytes of the input
  int64_t out = 0;  // stride in elements of the outputs; kept dims only
};

// Dims without the ones of size 1, fastest first, neighbours merged.
std::vector<Dim> tidy(std::vector<Dim> dims) {
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

int64_t rows_of(const std::vector<Dim>& dims) {
  int64_t n = 1;
  for (size_t i = 1; i < dims.size(); ++i) n *= dims[i].size;
  return n;
}

class Reduction {
 public:
  Reduction(const Tensor& t, DType common, const Reducer& reducer, const void* ctx,
            std::initializer_list<Tensor> outputs)
      : base_(static_cast<const char*>(t.raw_data())),
        dtype_(t.dtype()),
        common_(common),
        tile_(compute_dtype(common)),
        item_(static_cast<int64_t>(t.itemsize())),
        reducer_(reducer),
        ctx_(ctx),
        outputs_(outputs) {}

  void run(std::vector<Dim> kept, std::vector<Dim> reduced, int64_t outputs, int64_t count) {
    kept_ = tidy(std::move(kept));
    reduced_ = tidy(std::move(reduced));
    const bool fast_reduced = kept_[0].size == 1 || (reduced_[0].size > 1 && reduced_[0].in < kept_[0].in);
    const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, count));
    if (fast_reduced) {
      if (outputs == 1 && count > 2 * kGrain && reducer_.merge && num_threads() > 1) return run_split(count);
      parallel_for(0, outputs, grain, [&](int64_t first, int64_t last) { along(first, last); });
    } else {
      const int64_t chunks = (kept_[0].size + kTile - 1) / kTile;
      const int64_t jobs = rows_of(kept_) * chunks;
      parallel_for(0, jobs, std::max<int64_t>(1, grain / std::min(kTile, kept_[0].size)),
                   [&](int64_t first, int64_t last) { across(first, last, chunks); });
    }
  }

 private:
  // A tile's worth of input as the reducer wants it; `buffer` has room for two tiles.
  const void* load(const char* src, int64_t stride, int64_t n, char* buffer) const {
    if (stride == item_ && dtype_ == tile_) return src;
    if (dtype_ == common_ || common_ == tile_) {
      convert_elements(buffer, static_cast<int64_t>(itemsize(tile_)), tile_, src, stride, dtype_, n);
      return buffer;
    }
    char* narrow = buffer + kTile * 16;
    const auto width = static_cast<int64_t>(itemsize(common_));
    convert_elements(narrow, width, common_, src, stride, dtype_, n);
    convert_elements(buffer, static_cast<int64_t>(itemsize(tile_)), tile_, narrow, width, common_, n);
    return buffer;
  }

  // Folds rows [first, last) of the reduced dims, and within each row all elements.
  void fold(void* acc, const char* at, int64_t first, int64_t last, char* buffer) const {
    const Dim& inner = reduced_[0];
    Walk walk(reduced_, first);
    for (int64_t r = first; r < last; ++r, walk.next()) fold_row(acc, at + walk.in, 0, inner.size, buffer);
  }
  void fold_row(void* acc, const char* row, int64_t begin, int64_t end, char* buffer) const {
    const int64_t step = reduced_[0].in;
    const bool direct = step == item_ && dtype_ == tile_;
    const int64_t longest = direct ? end - begin : kTile;
    for (int64_t i = begin; i < end; i += longest) {
      const int64_t n = std::min(longest, end - i);
      reducer_.along(acc, load(row + i * step, step, n, buffer), n, i, ctx_);
    }
  }

  void finish(const void* acc, int64_t n, int64_t out, int64_t out_stride, char* results) const {
    void* outs[kMaxOutputs] = {};
    for (size_t k = 0; k < outputs_.size(); ++k) outs[k] = results + static_cast<int64_t>(k) * kTile * 16;
    reducer_.finish(outs, acc, n, ctx_);
    size_t k = 0;
    for (const Tensor& t : outputs_) {
      const auto width = static_cast<int64_t>(t.itemsize());
      const DType from = compute_dtype(t.dtype());
      convert_elements(static_cast<char*>(t.raw_data()) + out * width, out_stride * width, t.dtype(), outs[k],
                       static_cast<int64_t>(itemsize(from)), from, n);
      ++k;
    }
  }

  std::unique_ptr<char[]> scratch() const { return std::unique_ptr<char[]>(new char[kTile * 16 * 4]); }

  // One output at a time, its elements close together.
  void along(int64_t first, int64_t last) const {
    const auto buffer = scratch();
    alignas(16) char acc[64];
    for (int64_t o = first; o < last; ++o) {
      Walk walk(kept_, o / kept_[0].size);
      const int64_t i = o % kept_[0].size;
      reducer_.init(acc, 1, ctx_);
      fold(acc, base_ + walk.in + i * kept_[0].in, 0, rows_of(reduced_), buffer.get());
      finish(acc, 1, walk.out + i * kept_[0].out, 1, buffer.get() + kTile * 32);
    }
  }

  // The one output's elements shared among threads, in pieces that do not depend on how many there are.
  void run_split(int64_t count) const {
    const int64_t rows = rows_of(reduced_), inner = reduced_[0].size;
    const bool by_rows = rows > 1;
    const int64_t total = by_rows ? rows : inner;
    const int64_t piece = std::max<int64_t>(1, kGrain / (by_rows ? inner : 1));
    const int64_t pieces = (total + piece - 1) / piece;
    struct alignas(16) Slot {
      char bytes[64];
    };
    std::vector<Slot> parts(static_cast<size_t>(pieces));
    parallel_for(0, pieces, 1, [&](int64_t first, int64_t last) {
      const auto buffer = scratch();
      for (int64_t p = first; p < last; ++p) {
        void* acc = parts[static_cast<size_t>(p)].bytes;
        reducer_.init(acc, 1, ctx_);
        const int64_t begin = p * piece, end = std::min(total, begin + piece);
        if (by_rows) {
          fold(acc, base_, begin, end, buffer.get());
        } else {
          fold_row(acc, base_, begin, end, buffer.get());
        }
      }
    });
    for (size_t p = 1; p < parts.size(); ++p) reducer_.merge(parts[0].bytes, parts[p].bytes);
    const auto buffer = scratch();
    finish(parts[0].bytes, 1, 0, 1, buffer.get());
  }

  // Many neighbouring outputs at a time: each position of the reduced dims gives one row of elements.
  void across(int64_t first, int64_t last, int64_t chunks) const {
    const auto buffer = scratch();
    const std::unique_ptr<char[]> accs(new char[static_cast<size_t>(kTile) * reducer_.acc_size]);
    const Dim& inner = reduced_[0];
    const int64_t rows = rows_of(reduced_);
    for (int64_t job = first; job < last; ++job) {
      const Walk walk(kept_, job / chunks);
      const int64_t begin = job % chunks * kTile;
      const int64_t n = std::min(kTile, kept_[0].size - begin);
      const char* at = base_ + walk.in + begin * kept_[0].in;
      reducer_.init(accs.get(), n, ctx_);
      Walk outer(reduced_, 0);
      for (int64_t r = 0; r < rows; ++r, outer.next()) {
        const char* row = at + outer.in;
        for (int64_t i = 0; i < inner.size; ++i, row += inner.in) {
          reducer_.across(accs.get(), load(row, kept_[0].in, n, buffer.get()), n, i, ctx_);
        }
      }
      finish(accs.get(), n, walk.out + begin * kept_[0].out, kept_[0].out, buffer.get() + kTile * 32);
    }
  }

  const char* base_;
  DType dtype_, common_, tile_;
  int64_t item_;
  const Reducer& reducer_;
  const void* ctx_;
  std::initializer_list<Tensor> outputs_;
  std::vector<Dim> kept_, reduced_;
};

}  // namespace

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

void run_reduction(const Tensor& t, DType common, IntSpan dims, const Reducer& reducer, const void* ctx,
                   std::initializer_list<Tensor> outputs) {
  WICK_CHECK(!t.is_quantized(), kUnsupported, "reductions do not take tensors of type '", name_of(t.dtype()), "'");
  WICK_CHECK(reducer.acc_size <= 64 && outputs.size() <= kMaxOutputs, kInternal, "reducer too large");
  std::vector<Dim> kept, reduced;
  const auto item = static_cast<int64_t>(t.itemsize());
  int64_t out = 1, count = 1;
  size_t next = dims.size();
  for (int64_t d = t.dim() - 1; d >= 0; --d) {
    const auto k = static_cast<size_t>(d);
    const int64_t size = t.sizes()[k], stride = t.strides()[k] * item;
    if (next > 0 && dims[next - 1] == d) {
      --next;
      reduced.push_back({size, stride, 0});
      count *= size;
    } else {
      kept.push_back({size, stride, out});
      out *= size;
    }
  }
  if (out == 0) return;
  Reduction reduction(t, common, reducer, ctx, outputs);
  if (count == 0) {
    // No elements: every output is what the reducer starts from.
    reduction.run({{out, 0, 1}}, {{0, 0, 0}, {0, 0, 0}}, out, 0);
  } else {
    reduction.run(std::move(kept), std::move(reduced), out, count);
  }
}

}  // namespace wick::ops
