// The operator list of quantized recurrent layers.
#include "ops/families.h"
#include "ops/quantize/rnn.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("quantized::make_quantized_cell_params_dynamic(__torch__.torch.classes.quantized.LinearPackedParamsBase w_ih, "
       "__torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor bias_ih, Tensor bias_hh, bool "
       "reduce_range=False) -> __torch__.torch.classes.rnn.CellParamsBase",
       make_quantized_cell_params_dynamic, deterministic),
    OP("quantized::make_quantized_cell_params_fp16(__torch__.torch.classes.quantized.LinearPackedParamsBase w_ih, "
       "__torch__.torch.classes.quantized.LinearPackedParamsBase w_hh) -> __torch__.torch.classes.rnn.CellParamsBase",
       make_quantized_cell_params_fp16, deterministic),
    OP("aten::quantized_lstm.input(Tensor input, Tensor[] hx, __torch__.torch.classes.rnn.CellParamsBase[] params, "
       "bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first, *, "
       "ScalarType? dtype=None, bool use_dynamic=False) -> (Tensor, Tensor, Tensor)",
       quantized_lstm_input, nondeterministic_seeded),
    OP("aten::quantized_gru.input(Tensor input, Tensor hx, __torch__.torch.classes.rnn.CellParamsBase[] params, bool "
       "has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, "
       "Tensor)",
       quantized_gru_input, nondeterministic_seeded),
    OP("quantized::quantized_lstm_cell_dynamic(Tensor input, Tensor[] hx, "
       "__torch__.torch.classes.quantized.LinearPackedParamsBase w_ih, "
       "__torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor bias_ih, Tensor bias_hh) -> (Tensor, "
       "Tensor)",
       quantized_lstm_cell_dynamic, deterministic),
    OP("quantized::quantized_gru_cell_dynamic(Tensor input, Tensor hx, "
       "__torch__.torch.classes.quantized.LinearPackedParamsBase w_ih, "
       "__torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor b_ih, Tensor b_hh) -> Tensor",
       quantized_gru_cell_dynamic, deterministic),
    OP("quantized::quantized_rnn_relu_cell_dynamic(Tensor input, Tensor hx, "
       "__torch__.torch.classes.quantized.LinearPackedParamsBase w_ih, "
       "__torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor b_ih, Tensor b_hh) -> Tensor",
       quantized_rnn_relu_cell_dynamic, deterministic),
    OP("quantized::quantized_rnn_tanh_cell_dynamic(Tensor input, Tensor hx, "
       "__torch__.torch.classes.quantized.LinearPackedParamsBase w_ih, "
       "__torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor b_ih, Tensor b_hh) -> Tensor",
       quantized_rnn_tanh_cell_dynamic, deterministic),
    OP("aten::quantized_lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, "
       "__torch__.torch.classes.rnn.CellParamsBase[] params, bool has_biases, int num_layers, float dropout, bool "
       "train, bool bidirectional, *, ScalarType? dtype=None, bool use_dynamic=False) -> (Tensor, Tensor, Tensor)",
       quantized_lstm_data, nondeterministic_seeded),
    OP("aten::quantized_gru.data(Tensor data, Tensor batch_sizes, Tensor hx, "
       "__torch__.torch.classes.rnn.CellParamsBase[] params, bool has_biases, int num_layers, float dropout, bool "
       "train, bool bidirectional) -> (Tensor, Tensor)",
       quantized_gru_data, nondeterministic_seeded),
};

}  // namespace

WICK_OP_FAMILY(kQuantizedRnnOps, kEntries)

}  // namespace wick
