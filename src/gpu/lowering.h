// Lowering: turns steps of a trace into dispatches of shaders, one stretch at a time.
#pragma once

#include <optional>
#include <vector>

#include "core/word_map.h"
#include "gpu/layout.h"
#include "gpu/program.h"
#include "gpu/weights.h"
#include "kernels/epilogue.h"
#include "plan/builder.h"
#include "plan/patterns/pointwise.h"

namespace wick::gpu {

using plan::kNoTensor;
using plan::TensorId;

// What integers of the host become on the device.
inline bool is_integer(DType dtype) {
  return dtype == DType::kLong || dtype == DType::kInt || dtype == DType::kShort || dtype == DType::kByte ||
         dtype == DType::kChar;
}

// Thrown where a step turns out not to fit the device: it is left to the processor.
struct Declined {};

// What a layer does with its results before it stores them.
struct Finish {
  kernels::Epilogue epilogue;
  Value residual;              // undefined: none
  int64_t residual_pixel = 0;  // the distance of its pixels
  TensorId result = kNoTensor;
  std::string name;  // " add relu"
};

class Lowering {
 public:
  Lowering(const plan::Builder& builder, Weights& weights, const Limits& limits, bool half);

  // Adds the step to the stretch, with others that become one with it; false, and nothing changed, when the GPU can't.
  bool lower(size_t s);
  bool is_done(size_t s) const { return done_[s]; }
  // Whether the stretch gives a tensor.
  bool has(TensorId id) const { return value_of_.get(id) != 0; }
  // Everything of the stretch, which begins anew; without dispatches, and its steps not done, when its results can't be
  // given to others.
  struct Stretch {
    Program program;
    std::vector<size_t> steps;
    std::vector<size_t> views;  // steps of views that others need, in order
  };
  Stretch take();

  // For those that lower: the value of a tensor, copied to the device where that is needed. Throws Declined.
  Value value(TensorId id);
  // Whether a tensor that step s needs is there before it.
  bool is_available(TensorId id, size_t s) const;
  void set(TensorId id, Value v);
  void take_step(size_t s);
  // New memory; `wide`: of floats.
  Value make(const IntVec& sizes, const IntVec& strides, bool wide = false);
  Value make_dense(const IntVec& sizes) { return make(sizes, dense_strides(sizes)); }
  Value make_image(const IntVec& sizes) { return make(sizes, image_strides(sizes)); }
  // A constant by this key, written by pack(float* to) unless there is one.
  template <class Pack>
  Value constant(const plan::PackKey& key, size_t elements, const Pack& pack) {
    return get_constant(key, elements, [&pack](float* to) { pack(to); });
  }
  // The same elements as floats, or as the program stores them: itself when they are.
  Value widened(const Value& v, const ir::Node* node);
  Value narrowed(const Value& v, const ir::Node* node);
  // The step's first result where nothing uses the others; kNoTensor when it is not one to be written.
  TensorId first_result(size_t s) const;
  // Sees to it that integers lie between these numbers, which are checked when the host gives them. Throws Declined.
  void require(const Value& v, int64_t low, int64_t high);
  // A copy with these strides.
  Value copied(const Value& v, const IntVec& strides, const ir::Node* node);
  void copy(const Value& from, const Value& to, bool part, const ir::Node* node);
  // Lets the dispatch that gives a tensor, which step s alone uses, write it to another place. False: it can't. A step
  // must not decline after that.
  bool place(TensorId id, const Value& part, const Value& to, size_t s, bool only_ask);
  // With channels last, or as it is when it is.
  Value as_image(const Value& v, const ir::Node* node);

  // One dispatch for each element of the result, or for `count` of them.
  void add(Dispatch d, int64_t count);
  // With the workgroups that it has.
  void add(Dispatch d);
  // Workgroups of one dim, spread over two.
  std::array<uint32_t, 3> spread(int64_t workgroups) const;
  uint32_t element_threads() const;
  // The largest power of two of invocations up to `wanted`.
  uint32_t threads_up_to(int64_t wanted) const;

  // The sum and activation that follow a tensor, which is to be computed at step s; their steps are taken. Sums are
  // with values whose pixels, or rows, are at one distance.
  enum class Sums : uint8_t { kNone, kImages, kRows };
  Finish absorb(size_t s, TensorId result, Sums sums);

  const plan::Builder& builder() const { return b_; }
  const Limits& limits() const { return limits_; }
  Program& program() { return program_; }
  const Program& program() const { return program_; }
  // Steps of which every tensor is a float one that no step changes.
  bool is_plain(size_t s) const;
  // The same, with integers and truth values.
  bool is_fit(size_t s) const;

 private:
  template <class Test>
  bool each_tensor(size_t s, const Test& test) const;
  Value converted(const Value& v, bool wide, const ir::Node* node);
  uint64_t bytes_of(int64_t elements, bool wide) const;
  Value constant_value(TensorId id);
  Value add_input(TensorId id);
  Value get_constant(const plan::PackKey& key, size_t elements, const Callback<void(float*)>& pack, bool wide = false);
  MemoryId add_memory(Memory::Kind kind, uint64_t bytes);
  bool try_step(size_t s);
  bool keeps_elements(size_t s, TensorId id) const;
  bool is_view(TensorId id) const;
  void need(TensorId id, std::vector<bool>& needed, std::vector<bool>& views);
  void give_results(Stretch& out);

  const plan::Builder& b_;
  Weights& weights_;
  const Limits limits_;
  Program program_;
  WordMap value_of_;           // by tensor: one more than an index of values_
  std::vector<TensorId> ids_;  // of values_
  std::vector<Value> values_;
  std::vector<size_t> steps_;
  std::vector<bool> done_;
};

// Each adds a step, or declines by false. See lowering.cpp for the table.
bool lower_conv(Lowering& g, size_t s);
bool lower_dense(Lowering& g, size_t s);
bool lower_matmul(Lowering& g, size_t s);
bool lower_attention(Lowering& g, size_t s);
bool lower_pointwise(Lowering& g, size_t s);
bool lower_batch_norm(Lowering& g, size_t s);
bool lower_glu(Lowering& g, size_t s);
bool lower_triangle(Lowering& g, size_t s);
bool lower_view(Lowering& g, size_t s);
bool lower_cat(Lowering& g, size_t s);
bool lower_pad(Lowering& g, size_t s);
bool lower_pool(Lowering& g, size_t s);
bool lower_resize(Lowering& g, size_t s);
bool lower_softmax(Lowering& g, size_t s);
bool lower_norm(Lowering& g, size_t s);
bool lower_reduce(Lowering& g, size_t s);
bool lower_arg_reduce(Lowering& g, size_t s);
bool lower_scan(Lowering& g, size_t s);
bool lower_gather(Lowering& g, size_t s);
bool lower_rearrange(Lowering& g, size_t s);
bool lower_rnn(Lowering& g, size_t s);

// The batch norm in evaluation that a step is, by channel: y = x * scale + shift.
struct ChannelAffine {
  std::vector<Tensor> sources;
  double epsilon = 0;
  std::vector<float> scale, shift;
};
std::optional<ChannelAffine> read_batch_norm(const plan::Builder& b, size_t s);

// A convolution without groups, or a dense layer as one of an image with one line.
struct Product {
  int64_t batch, inputs, outputs;
  int64_t in[2], out[2], taps[2], stride[2], padding[2], dilation[2];
  Value x;        // four dims
  Value weights;  // [tap][input][output, extended to fours], then the bias
  bool has_bias;
  Value y;  // its first element
  int64_t y_pixel;
  bool in_fours;  // channels of x lie side by side, and everything in it is a multiple of four
};
void add_product(Lowering& g, const Product& product, const Finish& finish, const ir::Node* node, std::string name);
// The same with matrices of subgroups; false, and nothing done, where the device has none or the product does not fit.
bool add_matrix_product(Lowering& g, const Product& product, const Finish& finish, const ir::Node* node,
                        const std::string& name);
// What they share: push constants; float32 sums of parts, and the dispatch that adds them up.
uint32_t residual_kind(const Finish& finish);
void add_product_push(Words& push, const Product& p, const Finish& finish, int64_t bias_at, bool split, int64_t steps);
Value make_parts(Lowering& g, const Product& p, int64_t parts);
void add_sum_of_parts(Lowering& g, const Product& p, const Finish& finish, const Value& partial, int64_t parts,
                      const ir::Node* node, const std::string& name);

// Few rows by a matrix of weights.
struct DenseRows {
  int64_t rows = 0, inputs = 0, outputs = 0;
  Value x;  // its first element
  int64_t x_row = 0, x_step = 1;
  Value weights;
  bool has_bias = false;
  Value y;
  int64_t y_row = 0;
};
void add_rows(Lowering& g, const DenseRows& rows, const Finish& finish, const ir::Node* node, std::string name);

// A dense layer along the last dim of x, into the dense value y. The weights are [out][in] where they are `transposed`.
Value pack_dense(Lowering& g, const Tensor& weight, const Tensor& bias, bool transposed);
void add_dense(Lowering& g, const Value& x, const Value& weights, bool has_bias, int64_t outputs, const Value& y,
               const Finish& finish, const ir::Node* node, std::string name);

// Sums, means, extremes and so on, by the kinds of shaders/reduce.comp; of no dim: of all. y is dense.
void add_reduce(Lowering& g, const Value& x, const std::vector<bool>& dims, uint32_t kind, double correction,
                const Value& y, const ir::Node* node, std::string name);

// Attention without a mask as one dispatch; false, and nothing done, where it does not fit.
bool add_fused_attention(Lowering& g, const Value& q, const Value& k, const Value& v, const Value& y, double scale,
                         bool causal, const ir::Node* node);

// Along one dim, from x to y. Safe: rows of nothing but -infinity give zeros.
enum class Softmax : uint8_t { kPlain, kLog, kSafe };
void add_softmax(Lowering& g, const Value& x, const Value& y, size_t dim, Softmax kind, const ir::Node* node);

}  // namespace wick::gpu
