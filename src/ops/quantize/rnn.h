// Recurrent layers with quantized weights: objects of the class rnn.CellParamsBase, and the operators on them.
#pragma once

#include "ops/quantize/packed.h"

namespace wick::ops {

// The weights of one direction of one layer, rounding their input to eight bits (or, half weights, not).
class CellPacked final : public CustomObject {
 public:
  static constexpr std::string_view kClass = "__torch__.torch.classes.rnn.CellParamsBase";
  CellPacked(Ref<CustomObject> w_ih, Ref<CustomObject> w_hh, OptTensor b_ih, OptTensor b_hh, bool reduce_range);

  std::string_view class_name() const override { return kClass; }
  const void* type_mark() const noexcept override { return &kTypeMark<CellPacked>; }
  IValue get_state() const override;
  Tensor input_gates(const Tensor& x) const;
  Tensor hidden_gates(const Tensor& h) const;

 private:
  Ref<CustomObject> w_ih_, w_hh_;
  OptTensor b_ih_, b_hh_;
  bool reduce_range_;
};

Ref<CustomObject> cell_packed_from_state(IValue state);

IValue make_quantized_cell_params_dynamic(const IValue& w_ih, const IValue& w_hh, const Tensor& b_ih,
                                          const Tensor& b_hh, bool reduce_range);
IValue make_quantized_cell_params_fp16(const IValue& w_ih, const IValue& w_hh);
std::tuple<Tensor, Tensor, Tensor> quantized_lstm_input(const Tensor& input, const TensorList& hx, ListImpl& params,
                                                        bool has_biases, int64_t num_layers, double dropout, bool train,
                                                        bool bidirectional, bool batch_first,
                                                        std::optional<DType> dtype, bool use_dynamic);
std::tuple<Tensor, Tensor> quantized_gru_input(const Tensor& input, const Tensor& hx, ListImpl& params, bool has_biases,
                                               int64_t num_layers, double dropout, bool train, bool bidirectional,
                                               bool batch_first);
std::tuple<Tensor, Tensor, Tensor> quantized_lstm_data(const Tensor& data, const Tensor& batch_sizes,
                                                       const TensorList& hx, ListImpl& params, bool has_biases,
                                                       int64_t num_layers, double dropout, bool train,
                                                       bool bidirectional, std::optional<DType> dtype,
                                                       bool use_dynamic);
std::tuple<Tensor, Tensor> quantized_gru_data(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
                                              ListImpl& params, bool has_biases, int64_t num_layers, double dropout,
                                              bool train, bool bidirectional);
std::tuple<Tensor, Tensor> quantized_lstm_cell_dynamic(const Tensor& input, const TensorList& hx, CustomObject& w_ih,
                                                       CustomObject& w_hh, const Tensor& b_ih, const Tensor& b_hh);
Tensor quantized_gru_cell_dynamic(const Tensor& input, const Tensor& hx, CustomObject& w_ih, CustomObject& w_hh,
                                  const Tensor& b_ih, const Tensor& b_hh);
Tensor quantized_rnn_relu_cell_dynamic(const Tensor& input, const Tensor& hx, CustomObject& w_ih, CustomObject& w_hh,
                                       const Tensor& b_ih, const Tensor& b_hh);
Tensor quantized_rnn_tanh_cell_dynamic(const Tensor& input, const Tensor& hx, CustomObject& w_ih, CustomObject& w_hh,
                                       const Tensor& b_ih, const Tensor& b_hh);

}  // namespace wick::ops
