// torch::nn::utils: packed sequences, parameters as one vector.
#pragma once

#include <torch/types.h>

namespace torch {
namespace nn {
namespace utils {

// All tensors, flattened, one after the other; and back, by views of the vector.
at::Tensor parameters_to_vector(const std::vector<at::Tensor>& parameters);
void vector_to_parameters(const at::Tensor& vector, const std::vector<at::Tensor>& parameters);

// Nothing has a gradient here, whose norm is 0: what these change is not there.
inline double clip_grad_norm_(const std::vector<at::Tensor>&, double, double = 2.0, bool = false) { return 0.0; }
inline double clip_grad_norm_(const at::Tensor&, double, double = 2.0, bool = false) { return 0.0; }
inline void clip_grad_value_(const std::vector<at::Tensor>&, double) {}
inline void clip_grad_value_(const at::Tensor&, double) {}

namespace rnn {

// Sequences of different lengths as recurrent modules take them. Made by the functions below.
class PackedSequence {
 public:
  explicit PackedSequence(at::Tensor data, at::Tensor batch_sizes, at::Tensor sorted_indices = {},
                          at::Tensor unsorted_indices = {});
  const at::Tensor& data() const { return data_; }
  const at::Tensor& batch_sizes() const { return batch_sizes_; }
  const at::Tensor& sorted_indices() const { return sorted_indices_; }
  const at::Tensor& unsorted_indices() const { return unsorted_indices_; }
  PackedSequence pin_memory() const { return *this; }
  PackedSequence to(at::TensorOptions options) const {
    return PackedSequence(data_.to(options), batch_sizes_, sorted_indices_, unsorted_indices_);
  }
  PackedSequence cpu() const { return *this; }
  PackedSequence cuda() const { return to(at::kCUDA); }
  bool is_cuda() const { return data_.is_cuda(); }
  bool is_pinned() const { return false; }

 private:
  at::Tensor data_;
  at::Tensor batch_sizes_;
  at::Tensor sorted_indices_;
  at::Tensor unsorted_indices_;
};

// Where a permutation's entries go back to; undefined of an undefined one.
at::Tensor invert_permutation(const at::Tensor& permutation);
PackedSequence pack_padded_sequence(at::Tensor input, at::Tensor lengths, bool batch_first = false,
                                    bool enforce_sorted = true);
std::tuple<at::Tensor, at::Tensor> pad_packed_sequence(PackedSequence sequence, bool batch_first = false,
                                                       double padding_value = 0,
                                                       c10::optional<int64_t> total_length = c10::nullopt);
PackedSequence pack_sequence(at::ArrayRef<at::Tensor> sequences, bool enforce_sorted = true);
inline at::Tensor pad_sequence(at::ArrayRef<at::Tensor> sequences, bool batch_first = false, double padding_value = 0) {
  return at::pad_sequence(sequences, batch_first, padding_value);
}

}  // namespace rnn
}  // namespace utils
}  // namespace nn
}  // namespace torch
