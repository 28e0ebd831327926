// The operator list of Fourier transforms.
#include "ops/families.h"
#include "ops/fft/fft.h"

namespace wick {

using namespace ops;
using namespace traits;

static constexpr OpEntry kEntries[] = {
    // clang-format off
    OP("aten::_fft_c2c(Tensor self, int[] dim, int normalization, bool forward) -> Tensor", fft_c2c, deterministic),
    OP_OUT("aten::_fft_c2c.out(Tensor self, int[] dim, int normalization, bool forward, *, Tensor(a!) out) -> Tensor(a!)", fft_c2c, deterministic),
    OP("aten::_fft_c2r(Tensor self, int[] dim, int normalization, int last_dim_size) -> Tensor", fft_c2r, deterministic),
    OP_OUT("aten::_fft_c2r.out(Tensor self, int[] dim, int normalization, int last_dim_size, *, Tensor(a!) out) -> Tensor(a!)", fft_c2r, deterministic),
    OP("aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor", fft_r2c, deterministic),
    OP_OUT("aten::_fft_r2c.out(Tensor self, int[] dim, int normalization, bool onesided, *, Tensor(a!) out) -> Tensor(a!)", fft_r2c, deterministic),
    OP("aten::fft_fft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor", fft_fft, deterministic),
    OP_OUT("aten::fft_fft.out(Tensor self, int? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_fft, deterministic),
    OP("aten::fft_fft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor", fft_fftn, deterministic),
    OP_OUT("aten::fft_fft2.out(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_fftn, deterministic),
    OP("aten::fft_fftfreq(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", fft_fftfreq, deterministic),
    OP_OUT("aten::fft_fftfreq.out(int n, float d=1., *, Tensor(a!) out) -> Tensor(a!)", fft_fftfreq_default, deterministic),
    OP("aten::fft_fftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor", fft_fftn, deterministic),
    OP_OUT("aten::fft_fftn.out(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_fftn, deterministic),
    OP("aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor", fft_fftshift, deterministic),
    OP("aten::fft_hfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor", fft_hfft, deterministic),
    OP_OUT("aten::fft_hfft.out(Tensor self, int? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_hfft, deterministic),
    OP("aten::fft_hfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor", fft_hfftn, deterministic),
    OP_OUT("aten::fft_hfft2.out(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_hfftn, deterministic),
    OP("aten::fft_hfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor", fft_hfftn, deterministic),
    OP_OUT("aten::fft_hfftn.out(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_hfftn, deterministic),
    OP("aten::fft_ifft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor", fft_ifft, deterministic),
    OP_OUT("aten::fft_ifft.out(Tensor self, int? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_ifft, deterministic),
    OP("aten::fft_ifft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor", fft_ifftn, deterministic),
    OP_OUT("aten::fft_ifft2.out(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_ifftn, deterministic),
    OP("aten::fft_ifftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor", fft_ifftn, deterministic),
    OP_OUT("aten::fft_ifftn.out(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_ifftn, deterministic),
    OP("aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor", fft_ifftshift, deterministic),
    OP("aten::fft_ihfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor", fft_ihfft, deterministic),
    OP_OUT("aten::fft_ihfft.out(Tensor self, int? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_ihfft, deterministic),
    OP("aten::fft_ihfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor", fft_ihfftn, deterministic),
    OP_OUT("aten::fft_ihfft2.out(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_ihfftn, deterministic),
    OP("aten::fft_ihfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor", fft_ihfftn, deterministic),
    OP_OUT("aten::fft_ihfftn.out(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_ihfftn, deterministic),
    OP("aten::fft_irfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor", fft_irfft, deterministic),
    OP_OUT("aten::fft_irfft.out(Tensor self, int? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_irfft, deterministic),
    OP("aten::fft_irfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor", fft_irfftn, deterministic),
    OP_OUT("aten::fft_irfft2.out(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_irfftn, deterministic),
    OP("aten::fft_irfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor", fft_irfftn, deterministic),
    OP_OUT("aten::fft_irfftn.out(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_irfftn, deterministic),
    OP("aten::fft_rfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor", fft_rfft, deterministic),
    OP_OUT("aten::fft_rfft.out(Tensor self, int? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_rfft, deterministic),
    OP("aten::fft_rfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor", fft_rfftn, deterministic),
    OP_OUT("aten::fft_rfft2.out(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_rfftn, deterministic),
    OP("aten::fft_rfftfreq(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", fft_rfftfreq, deterministic),
    OP_OUT("aten::fft_rfftfreq.out(int n, float d=1., *, Tensor(a!) out) -> Tensor(a!)", fft_rfftfreq_default, deterministic),
    OP("aten::fft_rfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor", fft_rfftn, deterministic),
    OP_OUT("aten::fft_rfftn.out(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", fft_rfftn, deterministic),
    OP("aten::istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, bool normalized=False, bool? onesided=None, int? length=None, bool return_complex=False) -> Tensor", istft, deterministic),
    OP("aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor", stft, deterministic),
    OP("aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, str pad_mode=\"reflect\", bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor", stft_center, deterministic),
    // clang-format on
};

WICK_OP_FAMILY(kFftOps, kEntries)

}  // namespace wick
