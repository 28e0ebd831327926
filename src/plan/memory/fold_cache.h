// FoldCache: what traces compute of constants alone, once for all plans of a method. So weights that are computed (of a
// direction and a length, say) are the same tensors in all plans, and what is packed of them is found again.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/selection.h"
#include "core/word_map.h"
#include "plan/record/trace.h"

namespace wick::plan {

// Whether something that the trace may have computed is packed; prepacked layers hold their weights.
inline constexpr bool kSharesFolds =
    selects_any_op("aten::conv2d", "aten::conv1d", "aten::conv_transpose2d", "aten::conv_transpose1d",
                   "aten::_convolution", "aten::convolution", "aten::linear", "aten::addmm", "aten::matmul", "aten::mm",
                   "aten::bmm", "aten::baddbmm", "aten::lstm", "aten::gru", "aten::rnn_tanh", "aten::rnn_relu",
                   "aten::batch_norm", "aten::layer_norm", "aten::group_norm");

// What a step computes, and of what.
struct Fold {
  std::vector<uint64_t> words;  // the operator; of each argument what it is, numbers, addresses of tensors
  std::vector<IValue> others;   // arguments, or parts of them, that words do not tell
  std::vector<Tensor> sources;  // kept, so that their addresses stay theirs
  std::vector<Tensor> results;
  size_t bytes = 0;  // of results that are no views of sources

  explicit Fold(const Operator* op) : words{reinterpret_cast<uintptr_t>(op)} {}
  // Adds to the key.
  // `widened`: it is converted to float first.
  void add_source(const Tensor& t, bool widened);
  void add_number(uint64_t number) { words.push_back(number); }
  // False: it can't be one of a key.
  bool add_static(const IValue& v, size_t depth = 0);
  void add_result(const Tensor& t);
};
// What a plan keeps.
using FoldList = std::vector<std::shared_ptr<const Fold>>;

class FoldCache {
 public:
  // The one of the same key; this one, when it is the first.
  std::shared_ptr<const Fold> share(Fold fold);
  // Gives up those that no plan keeps.
  void drop_unused();
  size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::shared_ptr<const Fold> fold;
    uint64_t next;  // one more than the index of another of the same hash
  };
  void add(std::shared_ptr<const Fold> fold);

  WordMap first_;  // by hash: one more than an index
  std::vector<Entry> entries_;
  size_t bytes_ = 0;
};

}  // namespace wick::plan
