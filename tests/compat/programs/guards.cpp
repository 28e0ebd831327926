// Guards and modes, options, devices and dtypes in all their spellings.
#include <torch/script.h>
#include <torch/torch.h>

#include "common.h"

torch::Tensor helper(at::TensorOptions o = {}) { return at::zeros({1}, o); }

int main() {
  std::cout << std::boolalpha;
  {
    torch::NoGradGuard no_grad;
    std::cout << torch::GradMode::is_enabled() << "\n";
    torch::AutoGradMode on(true);
    std::cout << torch::GradMode::is_enabled() << " " << at::GradMode::is_enabled() << "\n";
  }
  {
    c10::InferenceMode guard;
    std::cout << c10::InferenceMode::is_enabled() << " " << torch::ones(1).is_inference() << "\n";
    {
      c10::InferenceMode off(false);
      std::cout << c10::InferenceMode::is_enabled() << "\n";
    }
  }
  std::cout << c10::InferenceMode::is_enabled() << " " << torch::GradMode::is_enabled() << "\n";
  auto o =
      torch::TensorOptions().dtype(torch::kFloat64).layout(torch::kStrided).device(torch::kCPU, -1).requires_grad(true);
  std::cout << o << "\n";
  std::cout << o.dtype() << " " << o.device() << " " << o.layout() << " " << o.requires_grad() << " " << o.has_device()
            << " " << o.device_index() << "\n";
  std::cout << torch::dtype(torch::kInt16) << "\n" << torch::TensorOptions() << "\n";
  std::cout << torch::device(torch::kCPU).dtype(at::kHalf) << "\n"
            << torch::requires_grad().dtype(torch::kFloat).requires_grad() << "\n";
  auto a = torch::ones({2}, o), b = torch::ones({2}, torch::dtype<int32_t>()),
       c = torch::ones({2}, torch::CPU(at::kByte));
  std::cout << a << b << c << a.requires_grad() << " " << b.dtype().name() << " " << c.type() << "\n";
  std::cout << helper(torch::kLong) << helper() << helper(at::device(at::kCPU).dtype(at::kBool)) << "\n";
  torch::Device cpu("cpu"), cpu2(torch::kCPU), cuda(torch::kCUDA, 1), parsed("cuda:0");
  std::cout << cpu << cpu2 << cuda << parsed << " " << (cpu == cpu2) << cuda.is_cuda() << cuda.index()
            << cuda.has_index() << " " << cuda.str() << cpu.is_cpu() << (cpu.type() == torch::DeviceType::CPU) << "\n";
  for (auto t : {torch::kUInt8, torch::kInt8, torch::kInt16, torch::kInt32, torch::kInt64, torch::kFloat16,
                 torch::kFloat32, torch::kFloat64})
    std::cout << t << " " << c10::elementSize(t) << " " << c10::isFloatingType(t) << c10::isIntegralType(t, true) << " "
              << caffe2::TypeMeta::fromScalarType(t) << "; ";
  std::cout << torch::kBool << torch::kBFloat16 << at::kComplexFloat << at::kQInt8 << "\n";
  std::cout << torch::promote_types(torch::kInt, torch::kHalf) << " " << at::result_type(a, b) << " "
            << at::can_cast(at::kFloat, at::kInt) << " " << at::promoteTypes(at::kByte, at::kChar) << "\n";
  std::cout << torch::get_default_dtype() << " "
            << (torch::typeMetaToScalarType(torch::get_default_dtype()) == torch::kFloat) << "\n";
  torch::set_default_dtype(caffe2::TypeMeta::Make<double>());
  std::cout << torch::ones(1).dtype() << torch::tensor({1.5}).dtype() << "\n";
  torch::set_default_dtype(caffe2::scalarTypeToTypeMeta(torch::kFloat));
  std::cout << (a.dtype() == torch::kFloat64) << (a.dtype() == b.dtype()) << (a.scalar_type() == at::ScalarType::Double)
            << a.dtype().itemsize() << "\n";
  std::cout << a.options().dtype(torch::kInt).dtype() << a.device().type() << a.is_cuda() << a.layout() << "\n";
  std::cout << torch::cuda::is_available() << torch::cuda::device_count() << torch::hasCUDA() << at::hasMKLDNN() * 0
            << torch::cuda::cudnn_is_available() << "\n";
  if (torch::cuda::is_available()) cpu = torch::Device(torch::kCUDA);
  auto moved =
      a.to(cpu).to(torch::kFloat).to(cpu, torch::kInt).to(a.options()).to(b).to(torch::kCPU, torch::kHalf, true, true);
  std::cout << moved << a.to(torch::TensorOptions().dtype(torch::kLong)).dtype() << a.to("cpu").dtype()
            << a.cpu().detach().data().dtype() << "\n";
  std::cout << torch::zeros({2}).toType(torch::kInt).dtype() << torch::zeros({2}).type().toString()
            << torch::zeros(3).toString() << torch::zeros({2}).type().scalarType() << "\n";
  std::cout << at::get_num_threads() * 0 << at::get_num_interop_threads() * 0 << torch::get_num_threads() * 0 << "\n";
  std::cout << TORCH_VERSION_MAJOR << " " << (TORCH_VERSION[0] == '1') << "\n";
  std::cout << c10::MemoryFormat::ChannelsLast << at::MemoryFormat::Contiguous << torch::kStrided << " "
            << c10::Backend::CPU << "\n";
  c10::Scalar s = 3, d = 2.5, f(true);
  std::cout << s << " " << d << " " << f << " " << s.isIntegral(false) << d.isFloatingPoint() << f.isBoolean()
            << s.to<float>() << d.toInt() << s.type() << (-s).toInt() << "\n";
  std::cout << at::isQIntType(at::kQInt8) << at::isComplexType(at::kComplexDouble) << at::toString(at::kFloat) << "\n";
}
