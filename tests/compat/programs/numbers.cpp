// Half, BFloat16 and complex numbers in arithmetic with others, their limits; quantized dispatch.
#include <torch/torch.h>

#include "common.h"

template <class T>
void small(const char* name) {
  T h = 1.5f;
  const float f = h * 2.f;
  const double d = h / 2.0;
  std::cout << name << " " << f << " " << d << " " << float(h + 1) << " " << float(3 - h) << " " << 1.f * h << " "
            << float(h + h) << " " << (h < 2.f) << (h == h) << (h > 1) << "\n";
  std::cout << std::is_same<decltype(h * 2.f), float>::value << std::is_same<decltype(2. * h), double>::value
            << std::is_same<decltype(h + 1), T>::value << std::is_same<decltype(int64_t(1) * h), T>::value << "\n";
  h += 1;
  h *= h;
  float sum = 1;
  sum += h;
  sum *= h;
  using L = std::numeric_limits<T>;
  std::cout << float(h) << " " << sum << " " << float(L::max()) << " " << float(L::lowest()) << " " << float(L::min())
            << " " << float(L::epsilon()) << " " << float(L::denorm_min()) << " " << float(L::infinity()) << " "
            << std::isnan(float(L::quiet_NaN())) << L::has_quiet_NaN << L::is_exact << L::digits << " " << L::digits10
            << " " << L::max_exponent << " " << L::min_exponent << "\n";
}

int main() {
  small<c10::Half>("half");
  small<c10::BFloat16>("bfloat16");

  const c10::complex<float> a(1, 2);
  const c10::complex<double> wide = a;
  std::cout << wide << " " << std::arg(a) << " " << std::norm(a) << " " << std::abs(wide) << " " << std::conj(a) << " "
            << a + 1.f << " " << a * a / 2.f << "\n";
  std::cout << std::exp(a) << " " << std::log(wide) << " " << std::sqrt(a) << " " << std::sin(a) << " "
            << std::tanh(wide) << " " << std::pow(a, 2.f) << " " << c10::polar(2.0, 0.5) << "\n";

  for (const auto type : {at::kQInt8, at::kQUInt8, at::kQInt32}) {
    const auto q = torch::quantize_per_tensor(torch::tensor({0.5f, -1.f}), 0.25, 1, type);
    AT_DISPATCH_QINT_TYPES(type, "sizes", [&] {
      const auto* data = reinterpret_cast<const underlying_t*>(q.data_ptr<scalar_t>());
      std::cout << sizeof(underlying_t) << " " << int(data[0]) << " " << int(data[1]) << " " << SCALAR_TYPE << " "
                << UNDERLYING_TYPE << "\n";
    });
    AT_DISPATCH_QINT_AND_SUB_BYTE_TYPES(
        type, "bits", [&] { std::cout << bit_width << " " << quant_min << " " << quant_max << "\n"; });
  }
}
