// Speech: a log-mel spectrogram with tensor operators, features with context, CTC and its decoding.
#include <torch/script.h>
#include <torch/torch.h>

#include <cmath>

#include "common.h"

namespace F = torch::nn::functional;
using namespace torch::indexing;

static double hz_to_mel(double f) { return 2595.0 * std::log10(1.0 + f / 700.0); }

torch::Tensor mel_filters(int64_t n_freqs, double f_min, double f_max, int64_t n_mels, double sample_rate) {
  auto all_freqs = torch::linspace(0, sample_rate / 2, n_freqs);
  auto m_pts = torch::linspace(hz_to_mel(f_min), hz_to_mel(f_max), n_mels + 2);
  auto f_pts = 700.0 * (torch::pow(10.0, m_pts / 2595.0) - 1.0);
  auto f_diff = f_pts.slice(0, 1) - f_pts.slice(0, 0, -1);
  auto slopes = f_pts.unsqueeze(0) - all_freqs.unsqueeze(1);
  auto down = (-1.0 * slopes.index({Slice(), Slice(None, -2)})) / f_diff.index({Slice(None, -1)});
  auto up = slopes.index({Slice(), Slice(2, None)}) / f_diff.index({Slice(1, None)});
  return torch::max(torch::zeros(1), torch::min(down, up));
}

int main(int argc, char* argv[]) {
  const std::string folder = argv[1];
  auto samples = read_file<float>(folder + "/audio.bin");
  auto audio = torch::from_blob(samples.data(), {static_cast<int64_t>(samples.size())}, torch::kFloat32);
  torch::AutoGradMode enable_grad(false);
  auto emphasized = torch::cat({audio.narrow(0, 0, 1), audio.slice(0, 1) - 0.97 * audio.slice(0, 0, -1)});
  const int64_t n_fft = 256, hop = 128;
  auto window = torch::hann_window(n_fft);
  auto padded =
      F::pad(emphasized.view({1, 1, -1}), F::PadFuncOptions({n_fft / 2, n_fft / 2}).mode(torch::kReflect)).view(-1);
  auto spec =
      torch::stft(padded, n_fft, hop, n_fft, window, /*normalized=*/false, /*onesided=*/true, /*return_complex=*/true);
  std::cout << spec.sizes() << " " << spec.dtype() << " " << spec.is_complex() << "\n";
  auto power = spec.abs().pow(2);
  auto real = torch::view_as_real(spec);
  std::cout << torch::allclose(power, real.pow(2).sum(-1), 1e-4, 1e-5) << "\n";
  auto fb = mel_filters(n_fft / 2 + 1, 20, 4000, 20, 8000);
  std::cout << fb.sizes() << " " << fb.sum().item<float>() << "\n";
  auto mel = torch::matmul(power.transpose(0, 1), fb);
  auto log_mel = torch::clamp_min(mel, 1e-10).log10();
  log_mel = torch::maximum(log_mel, log_mel.max() - 8.0);
  log_mel = (log_mel + 4.0) / 4.0;
  std::cout << log_mel.sizes() << log_mel.slice(0, 0, 3).slice(1, 0, 5) << "\n";
  auto mean = log_mel.mean(0, true), stddev = log_mel.std(0, true, true);
  auto normalized = (log_mel - mean) / (stddev + 1e-5);
  auto frames = normalized.unfold(0, 3, 1).permute({0, 2, 1}).reshape({-1, 60});
  std::cout << frames.sizes() << " " << frames.strides() << " " << frames.abs().mean().item<float>() << "\n";
  // MFCC by a DCT.
  auto n = torch::arange(20., torch::kFloat);
  auto k = torch::arange(13., torch::kFloat).unsqueeze(1);
  auto dct = torch::cos(M_PI / 20. * (n + 0.5) * k);
  dct[0] *= 1.0 / std::sqrt(2.0);
  dct *= std::sqrt(2.0 / 20.);
  std::cout << torch::mm(log_mel, dct.t()).index({Slice(0, 2)}) << "\n";
  // The model of the tree takes frames of 20 samples.
  auto model = torch::jit::load(folder + "/speech.pt");
  auto out = model.forward({log_mel.contiguous().view({1, -1})}).toTuple();
  std::string text = out->elements()[0].toStringRef();
  auto state = out->elements()[1].toTensor();
  auto scores = out->elements()[2].toDoubleVector();
  std::cout << "'" << text << "' " << state.sizes() << " " << scores.size() << " "
            << out->elements()[2].toDoubleList().get(0) << "\n";
  // Greedy CTC.
  torch::manual_seed(5);
  auto logits = torch::randn({30, 1, 6}).log_softmax(2);
  auto best_path = std::get<1>(torch::max(logits, 2)).squeeze();
  auto collapsed = std::get<0>(torch::unique_consecutive(best_path));
  auto kept = collapsed.index({collapsed != 0});
  std::vector<int64_t> decoded(kept.data_ptr<int64_t>(), kept.data_ptr<int64_t>() + kept.numel());
  for (auto c : decoded) std::cout << "_abcde"[c];
  std::cout << "\n";
  auto f = torch::fft::rfft(audio.slice(0, 0, 64));
  std::cout << f.sizes() << " " << f.abs().argmax().item<int>() << " "
            << torch::fft::irfft(f).sub(audio.slice(0, 0, 64)).abs().max().lt(1e-5).item<bool>() << "\n";
  auto energy = audio.reshape({-1, 100}).square().mean(1).sqrt();
  std::cout << (20 * energy.log10()).slice(0, 0, 5) << energy.gt(energy.mean()).sum().item<int>() << "\n";
  auto back = torch::istft(torch::stft(audio, n_fft, hop, n_fft, window, true, "reflect", false, true, true), n_fft,
                           hop, n_fft, window);
  std::cout << back.sizes() << "\n";
}
