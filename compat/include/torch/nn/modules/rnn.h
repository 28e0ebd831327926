// torch::nn: recurrent networks.
#pragma once

#include <torch/nn/modules/common.h>
#include <torch/nn/utils.h>

namespace torch {
namespace nn {

#define WICK_RECURRENT_OPTIONS(Name, ...)                                                                 \
  struct Name {                                                                                           \
    Name(int64_t input_size, int64_t hidden_size) : input_size_(input_size), hidden_size_(hidden_size) {} \
    TORCH_ARG(int64_t, input_size);                                                                       \
    TORCH_ARG(int64_t, hidden_size);                                                                      \
    TORCH_ARG(bool, bias) = true;                                                                         \
    __VA_ARGS__                                                                                           \
  };
#define WICK_LAYERS                     \
  TORCH_ARG(int64_t, num_layers) = 1;   \
  TORCH_ARG(bool, batch_first) = false; \
  TORCH_ARG(double, dropout) = 0.0;     \
  TORCH_ARG(bool, bidirectional) = false;
WICK_RECURRENT_OPTIONS(RNNOptions, WICK_LAYERS TORCH_ARG(enumtype::Name, nonlinearity) = torch::kTanh;)
WICK_RECURRENT_OPTIONS(LSTMOptions, WICK_LAYERS TORCH_ARG(int64_t, proj_size) = 0;)
WICK_RECURRENT_OPTIONS(GRUOptions, WICK_LAYERS)
WICK_RECURRENT_OPTIONS(RNNCellOptions, TORCH_ARG(enumtype::Name, nonlinearity) = torch::kTanh;)
WICK_RECURRENT_OPTIONS(LSTMCellOptions, )
WICK_RECURRENT_OPTIONS(GRUCellOptions, )
#undef WICK_LAYERS
#undef WICK_RECURRENT_OPTIONS

namespace detail {
// What the three kinds of networks have in common.
struct RNNOptionsBase {
  RNNOptionsBase(enumtype::Name mode, int64_t input_size, int64_t hidden_size)
      : mode_(mode), input_size_(input_size), hidden_size_(hidden_size) {}
  TORCH_ARG(enumtype::Name, mode);
  TORCH_ARG(int64_t, input_size);
  TORCH_ARG(int64_t, hidden_size);
  TORCH_ARG(int64_t, num_layers) = 1;
  TORCH_ARG(bool, bias) = true;
  TORCH_ARG(bool, batch_first) = false;
  TORCH_ARG(double, dropout) = 0.0;
  TORCH_ARG(bool, bidirectional) = false;
  TORCH_ARG(int64_t, proj_size) = 0;
};
using States = std::vector<at::Tensor>;  // the hidden state; an LSTM's cell state behind it

struct Recurrent {
  explicit Recurrent(const RNNOptionsBase& o) : options_base(o) {}
  void make(Module& module);
  void reset_weights();
  // Data of equal length, or packed when there are batch sizes. Gives the output and the last states.
  std::pair<at::Tensor, States> run(const at::Tensor& input, const at::Tensor& batch_sizes,
                                    const at::Tensor& sorted_indices, const at::Tensor& unsorted_indices, States states,
                                    bool training) const;
  void print(std::ostream& stream, const char* name) const;
  at::Tensor zero_state(const at::Tensor& input, const at::Tensor& batch_sizes, int64_t size) const;
  void check(const at::Tensor& input, const at::Tensor& batch_sizes, const States& states) const;
  RNNOptionsBase options_base;

 protected:
  std::vector<at::Tensor> flat_weights_;
};
struct RecurrentCell {
  void make(Module& module, int64_t input_size, int64_t hidden_size, bool bias, int64_t chunks);
  void reset_weights();
  at::Tensor weight_ih;
  at::Tensor weight_hh;
  at::Tensor bias_ih;
  at::Tensor bias_hh;

 protected:
  at::Tensor state_for(const at::Tensor& input, const at::Tensor& given, const char* label) const;
};

template <class Derived>
class RNNImplBase : public Cloneable<Derived>, public Recurrent {
 public:
  explicit RNNImplBase(const RNNOptionsBase& o) : Recurrent(o) { RNNImplBase::reset(); }
  void reset() override { this->make(*this); }
  void reset_parameters() { this->reset_weights(); }
  void flatten_parameters() {}
  std::vector<at::Tensor> all_weights() const { return this->flat_weights_; }
  void pretty_print(std::ostream& stream) const override { Recurrent::print(stream, Derived::class_name()); }
};
}  // namespace detail

#define WICK_RNN(Name)                                                                                          \
  class Name##Impl : public detail::RNNImplBase<Name##Impl> {                                                   \
   public:                                                                                                      \
    Name##Impl(int64_t input_size, int64_t hidden_size) : Name##Impl(Name##Options(input_size, hidden_size)) {} \
    explicit Name##Impl(const Name##Options& o);                                                                \
    static const char* class_name() { return #Name; }                                                           \
    std::tuple<at::Tensor, at::Tensor> forward(const at::Tensor& input, at::Tensor hx = {});                    \
    std::tuple<utils::rnn::PackedSequence, at::Tensor> forward_with_packed_input(                               \
        const utils::rnn::PackedSequence& input, at::Tensor hx = {});                                           \
    Name##Options options;                                                                                      \
                                                                                                                \
   protected:                                                                                                   \
    FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(at::Tensor())})                                                       \
  };                                                                                                            \
  TORCH_MODULE(Name);
WICK_RNN(RNN)
WICK_RNN(GRU)
#undef WICK_RNN

class LSTMImpl : public detail::RNNImplBase<LSTMImpl> {
 public:
  using State = std::tuple<at::Tensor, at::Tensor>;
  LSTMImpl(int64_t input_size, int64_t hidden_size) : LSTMImpl(LSTMOptions(input_size, hidden_size)) {}
  explicit LSTMImpl(const LSTMOptions& o);
  static const char* class_name() { return "LSTM"; }
  std::tuple<at::Tensor, State> forward(const at::Tensor& input, c10::optional<State> hx = {});
  std::tuple<utils::rnn::PackedSequence, State> forward_with_packed_input(const utils::rnn::PackedSequence& input,
                                                                          c10::optional<State> hx = {});
  LSTMOptions options;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(c10::optional<State>())})
};
TORCH_MODULE(LSTM);

#define WICK_CELL(Name)                                                                                         \
  class Name##Impl : public Cloneable<Name##Impl>, public detail::RecurrentCell {                               \
   public:                                                                                                      \
    Name##Impl(int64_t input_size, int64_t hidden_size) : Name##Impl(Name##Options(input_size, hidden_size)) {} \
    explicit Name##Impl(const Name##Options& o);                                                                \
    void reset() override;                                                                                      \
    void reset_parameters() { this->reset_weights(); }                                                          \
    void pretty_print(std::ostream& stream) const override;                                                     \
    at::Tensor forward(const at::Tensor& input, at::Tensor hx = {});                                            \
    Name##Options options;                                                                                      \
                                                                                                                \
   protected:                                                                                                   \
    FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(at::Tensor())})                                                       \
  };                                                                                                            \
  TORCH_MODULE(Name);
WICK_CELL(RNNCell)
WICK_CELL(GRUCell)
#undef WICK_CELL

class LSTMCellImpl : public Cloneable<LSTMCellImpl>, public detail::RecurrentCell {
 public:
  using State = std::tuple<at::Tensor, at::Tensor>;
  LSTMCellImpl(int64_t input_size, int64_t hidden_size) : LSTMCellImpl(LSTMCellOptions(input_size, hidden_size)) {}
  explicit LSTMCellImpl(const LSTMCellOptions& o);
  void reset() override;
  void reset_parameters() { this->reset_weights(); }
  void pretty_print(std::ostream& stream) const override;
  State forward(const at::Tensor& input, c10::optional<State> hx = {});
  LSTMCellOptions options;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(c10::optional<State>())})
};
TORCH_MODULE(LSTMCell);

}  // namespace nn
}  // namespace torch
