// torch::nn::init and torch::nn::utils.
#include <torch/nn/init.h>
#include <torch/nn/utils.h>

#include <cmath>

namespace torch {
namespace nn {
namespace init {

using at::NoGradGuard;
using at::Tensor;

double calculate_gain(NonlinearityType nonlinearity, double param) {
  if (nonlinearity == kTanh) return 5.0 / 3.0;
  if (nonlinearity == kReLU) return std::sqrt(2.0);
  if (nonlinearity == kLeakyReLU) return std::sqrt(2.0 / (1 + param * param));
  return 1.0;
}
std::tuple<int64_t, int64_t> _calculate_fan_in_and_fan_out(const Tensor& tensor) {
  TORCH_CHECK(tensor.dim() >= 2, "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions");
  const int64_t field = tensor.size(0) * tensor.size(1) == 0 ? 1 : tensor.numel() / (tensor.size(0) * tensor.size(1));
  return std::make_tuple(tensor.size(1) * field, tensor.size(0) * field);
}

namespace {
double deviation(const Tensor& tensor, double a, const FanModeType& mode, const NonlinearityType& nonlinearity) {
  const auto fans = _calculate_fan_in_and_fan_out(tensor);
  const int64_t fan = mode == kFanIn ? std::get<0>(fans) : std::get<1>(fans);
  return calculate_gain(nonlinearity, a) / std::sqrt(fan);
}
double deviation(const Tensor& tensor, double gain) {
  const auto fans = _calculate_fan_in_and_fan_out(tensor);
  return gain * std::sqrt(2.0 / static_cast<double>(std::get<0>(fans) + std::get<1>(fans)));
}
}  // namespace

Tensor constant_(Tensor tensor, at::Scalar value) { return NoGradGuard(), tensor.fill_(value); }
Tensor ones_(Tensor tensor) { return NoGradGuard(), tensor.fill_(1); }
Tensor zeros_(Tensor tensor) { return NoGradGuard(), tensor.zero_(); }
Tensor normal_(Tensor tensor, double mean, double std) { return NoGradGuard(), tensor.normal_(mean, std); }
Tensor uniform_(Tensor tensor, double low, double high) { return NoGradGuard(), tensor.uniform_(low, high); }
Tensor eye_(Tensor matrix) {
  const NoGradGuard no_grad;
  TORCH_CHECK(matrix.dim() == 2, "Only tensors with 2 dimensions are supported");
  return matrix.copy_(at::eye(matrix.size(0), matrix.size(1), matrix.options()));
}
Tensor dirac_(Tensor tensor) {
  const NoGradGuard no_grad;
  TORCH_CHECK(tensor.dim() >= 3 && tensor.dim() <= 5, "Only tensors with 3, 4, or 5 dimensions are supported");
  tensor.zero_();
  for (int64_t d = 0; d < std::min(tensor.size(0), tensor.size(1)); ++d) {
    Tensor field = tensor[d][d];
    while (field.dim() > 0) field = field[field.size(0) / 2];
    field.fill_(1);
  }
  return tensor;
}
Tensor orthogonal_(Tensor tensor, double gain) {
  const NoGradGuard no_grad;
  TORCH_CHECK(tensor.dim() >= 2, "Only tensors with 2 or more dimensions are supported");
  if (tensor.numel() == 0) return tensor;
  const int64_t rows = tensor.size(0), columns = tensor.numel() / rows;
  Tensor flat = at::randn({rows, columns});
  if (rows < columns) flat.t_();
  Tensor q, r;
  std::tie(q, r) = at::linalg_qr(flat);
  q *= at::diag(r, 0).sign();
  if (rows < columns) q.t_();
  tensor.view_as(q).copy_(q);
  return tensor.mul_(gain);
}
Tensor sparse_(Tensor tensor, double sparsity, double std) {
  const NoGradGuard no_grad;
  TORCH_CHECK(tensor.dim() == 2, "Only tensors with 2 dimensions are supported");
  const auto zeros = static_cast<int64_t>(std::ceil(sparsity * static_cast<double>(tensor.size(0))));
  tensor.normal_(0, std);
  for (int64_t column = 0; column < tensor.size(1); ++column) {
    const Tensor rows = at::randperm(tensor.size(0), at::TensorOptions(at::kLong));
    tensor.select(1, column).index_fill_(0, rows.slice(0, 0, zeros), 0);
  }
  return tensor;
}
Tensor kaiming_normal_(Tensor tensor, double a, FanModeType mode, NonlinearityType nonlinearity) {
  return init::normal_(tensor, 0, deviation(tensor, a, mode, nonlinearity));
}
Tensor kaiming_uniform_(Tensor tensor, double a, FanModeType mode, NonlinearityType nonlinearity) {
  const double bound = std::sqrt(3.0) * deviation(tensor, a, mode, nonlinearity);
  return init::uniform_(tensor, -bound, bound);
}
Tensor xavier_normal_(Tensor tensor, double gain) { return init::normal_(tensor, 0, deviation(tensor, gain)); }
Tensor xavier_uniform_(Tensor tensor, double gain) {
  const double bound = std::sqrt(3.0) * deviation(tensor, gain);
  return init::uniform_(tensor, -bound, bound);
}

}  // namespace init

namespace utils {

at::Tensor parameters_to_vector(const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> flat;
  for (const at::Tensor& t : parameters) flat.push_back(t.view(-1));
  return at::cat(flat);
}
void vector_to_parameters(const at::Tensor& vector, const std::vector<at::Tensor>& parameters) {
  int64_t start = 0;
  for (const at::Tensor& t : parameters) {
    t.set_data(vector.slice(0, start, start + t.numel()).view_as(t).data());
    start += t.numel();
  }
}

namespace rnn {

using at::Tensor;

Tensor invert_permutation(const Tensor& permutation) {
  return permutation.defined() ? permutation.argsort() : Tensor();
}
PackedSequence::PackedSequence(Tensor data, Tensor batch_sizes, Tensor sorted_indices, Tensor unsorted_indices)
    : data_(std::move(data)),
      batch_sizes_(std::move(batch_sizes)),
      sorted_indices_(std::move(sorted_indices)),
      unsorted_indices_(unsorted_indices.defined() ? unsorted_indices : invert_permutation(sorted_indices_)) {}

PackedSequence pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first, bool enforce_sorted) {
  lengths = lengths.to(at::kLong);
  Tensor order;
  if (!enforce_sorted) {
    std::tie(lengths, order) = at::sort(lengths, -1, true);
    input = input.index_select(batch_first ? 0 : 1, order);
  }
  Tensor data, batch_sizes;
  std::tie(data, batch_sizes) = at::_pack_padded_sequence(input, lengths, batch_first);
  return PackedSequence(data, batch_sizes, order);
}
std::tuple<Tensor, Tensor> pad_packed_sequence(PackedSequence sequence, bool batch_first, double padding_value,
                                               c10::optional<int64_t> total_length) {
  int64_t length = sequence.batch_sizes().size(0);
  TORCH_CHECK(!total_length || *total_length >= length,
              "Expected total_length to be at least the length of the longest sequence in input, but got total_length=",
              total_length.value_or(0), " and max sequence length being ", length);
  length = total_length.value_or(length);
  Tensor padded, lengths;
  std::tie(padded, lengths) =
      at::_pad_packed_sequence(sequence.data(), sequence.batch_sizes(), batch_first, padding_value, length);
  const Tensor& back = sequence.unsorted_indices();
  if (!back.defined()) return std::make_tuple(padded, lengths);
  return std::make_tuple(padded.index_select(batch_first ? 0 : 1, back), lengths.index_select(0, back));
}
PackedSequence pack_sequence(at::ArrayRef<Tensor> sequences, bool enforce_sorted) {
  std::vector<int64_t> lengths;
  for (const Tensor& t : sequences) lengths.push_back(t.size(0));
  return pack_padded_sequence(at::pad_sequence(sequences), at::tensor(lengths), false, enforce_sorted);
}

}  // namespace rnn
}  // namespace utils
}  // namespace nn
}  // namespace torch
