// The operator list of convolutions.
#include "ops/conv/conv.h"
#include "ops/families.h"

namespace wick {
namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=[1], int[1] padding=[0], int[1] "
       "dilation=[1], int groups=1) -> Tensor",
       conv1d, shapes_only, rounds_once),
    OP("aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=[1], str "
       "padding=\"valid\", int[1] dilation=[1], int groups=1) -> Tensor",
       conv1d_padding, shapes_only, rounds_once),
    OP("aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] "
       "dilation=1, int groups=1) -> Tensor",
       conv2d, shapes_only, rounds_once),
    OP("aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, str padding=\"valid\", "
       "int[2] dilation=1, int groups=1) -> Tensor",
       conv2d_padding, shapes_only, rounds_once),
    OP("aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] "
       "dilation=1, int groups=1) -> Tensor",
       conv3d, shapes_only),
    OP("aten::conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, str padding=\"valid\", "
       "int[3] dilation=1, int groups=1) -> Tensor",
       conv3d_padding, shapes_only),
    OP("aten::_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
       "dilation, bool transposed, int[] output_padding, int groups, bool benchmark, bool deterministic, bool "
       "cudnn_enabled) -> Tensor",
       _convolution_deprecated, shapes_only, rounds_once),
    OP("aten::_convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, "
       "bool transposed, int[] output_padding, int groups, bool benchmark, bool deterministic, bool cudnn_enabled, "
       "bool allow_tf32) -> Tensor",
       _convolution, shapes_only, rounds_once),
    OP_OUT("aten::_convolution.out(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
           "dilation, bool transposed, int[] output_padding, int groups, bool benchmark, bool deterministic, bool "
           "cudnn_enabled, bool allow_tf32, *, Tensor(a!) out) -> Tensor(a!)",
           _convolution, shapes_only),
    OP("aten::convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, "
       "bool transposed, int[] output_padding, int groups) -> Tensor",
       convolution, shapes_only, rounds_once),
    OP_OUT("aten::convolution.out(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
           "dilation, bool transposed, int[] output_padding, int groups, *, Tensor(a!) out) -> Tensor(a!)",
           convolution, shapes_only),
    OP("aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, int[] stride, str padding, int[] "
       "dilation, int groups) -> Tensor",
       _convolution_mode, deterministic),
    OP("aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=[1], int[1] "
       "padding=[0], int[1] output_padding=[0], int groups=1, int[1] dilation=[1]) -> Tensor",
       conv_transpose1d, shapes_only, rounds_once),
    OP("aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] "
       "padding=0, int[2] output_padding=0, int groups=1, int[2] dilation=1) -> Tensor",
       conv_transpose2d, shapes_only, rounds_once),
    OP("aten::conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] "
       "padding=0, int[3] output_padding=0, int groups=1, int[3] dilation=1) -> Tensor",
       conv_transpose3d, shapes_only),
    OP("aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor", conv_tbc, deterministic),
    OP_OUT("aten::conv_tbc.out(Tensor self, Tensor weight, Tensor bias, int pad=0, *, Tensor(a!) out) -> Tensor(a!)",
           conv_tbc, deterministic),
    OP("aten::thnn_conv2d(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias=None, int[2] stride=1, int[2] "
       "padding=0) -> Tensor",
       thnn_conv2d, deterministic),
    OP_OUT("aten::thnn_conv2d.out(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias=None, int[2] "
           "stride=1, int[2] padding=0, *, Tensor(a!) out) -> Tensor(a!)",
           thnn_conv2d, deterministic),
    OP("aten::_slow_conv2d_forward(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias, int[2] stride, "
       "int[2] padding) -> Tensor",
       thnn_conv2d, deterministic),
    OP_OUT("aten::_slow_conv2d_forward.output(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias, int[2] "
           "stride, int[2] padding, *, Tensor(a!) output) -> Tensor(a!)",
           thnn_conv2d, deterministic),
    OP("aten::slow_conv3d(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias=None, int[3] stride=1, int[3] "
       "padding=0) -> Tensor",
       slow_conv3d, deterministic),
    OP_OUT("aten::slow_conv3d.out(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias=None, int[3] "
           "stride=1, int[3] padding=0, *, Tensor(a!) out) -> Tensor(a!)",
           slow_conv3d, deterministic),
    OP("aten::slow_conv3d_forward(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias, int[3] stride, "
       "int[3] padding) -> Tensor",
       slow_conv3d, deterministic),
    OP_OUT("aten::slow_conv3d_forward.output(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias, int[3] "
           "stride, int[3] padding, *, Tensor(a!) output) -> Tensor(a!)",
           slow_conv3d, deterministic),
    OP("aten::slow_conv_dilated2d(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias=None, int[2] "
       "stride=1, int[2] padding=0, int[2] dilation=1) -> Tensor",
       slow_conv_dilated2d, deterministic),
    OP_OUT("aten::slow_conv_dilated2d.out(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias=None, int[2] "
           "stride=1, int[2] padding=0, int[2] dilation=1, *, Tensor(a!) out) -> Tensor(a!)",
           slow_conv_dilated2d, deterministic),
    OP("aten::slow_conv_dilated3d(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias=None, int[3] "
       "stride=1, int[3] padding=0, int[3] dilation=1) -> Tensor",
       slow_conv_dilated3d, deterministic),
    OP_OUT("aten::slow_conv_dilated3d.out(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias=None, int[3] "
           "stride=1, int[3] padding=0, int[3] dilation=1, *, Tensor(a!) out) -> Tensor(a!)",
           slow_conv_dilated3d, deterministic),
    OP_OUT("aten::_conv_depthwise2d.out(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias, int[2] stride, "
           "int[2] padding, int[2] dilation, *, Tensor(a!) out) -> Tensor(a!)",
           conv_depthwise2d, deterministic),
    OP("aten::_conv_depthwise2d(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias, int[2] stride, int[2] "
       "padding, int[2] dilation) -> Tensor",
       conv_depthwise2d, deterministic),
    OP_OUT("aten::conv_depthwise3d.out(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias, int[3] stride, "
           "int[3] padding, int[3] dilation, *, Tensor(a!) out) -> Tensor(a!)",
           conv_depthwise3d, deterministic),
    OP("aten::conv_depthwise3d(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias, int[3] stride, int[3] "
       "padding, int[3] dilation) -> Tensor",
       conv_depthwise3d, deterministic),
    OP("aten::slow_conv_transpose2d(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias=None, int[2] "
       "stride=1, int[2] padding=0, int[2] output_padding=0, int[2] dilation=1) -> Tensor",
       slow_conv_transpose2d, deterministic),
    OP_OUT("aten::slow_conv_transpose2d.out(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias=None, "
           "int[2] stride=1, int[2] padding=0, int[2] output_padding=0, int[2] dilation=1, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           slow_conv_transpose2d, deterministic),
    OP("aten::slow_conv_transpose3d(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias=None, int[3] "
       "stride=1, int[3] padding=0, int[3] output_padding=0, int[3] dilation=1) -> Tensor",
       slow_conv_transpose3d, deterministic),
    OP_OUT("aten::slow_conv_transpose3d.out(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias=None, "
           "int[3] stride=1, int[3] padding=0, int[3] output_padding=0, int[3] dilation=1, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           slow_conv_transpose3d, deterministic),
    OP("aten::mkldnn_convolution(Tensor self, Tensor weight, Tensor? bias, int[] padding, int[] stride, int[] "
       "dilation, int groups) -> Tensor",
       mkldnn_convolution, deterministic),
    OP_OUT("aten::mkldnn_convolution.out(Tensor self, Tensor weight, Tensor? bias, int[] padding, int[] stride, "
           "int[] dilation, int groups, *, Tensor(a!) out) -> Tensor(a!)",
           mkldnn_convolution, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kConvOps, kEntries)

}  // namespace wick
