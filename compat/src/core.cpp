// Devices, dtypes, scalars, options, guards and the context.
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "bridge.h"
#include "core/parallel.h"
#include "wick/module.h"

namespace c10 {
namespace {

constexpr const char* kDeviceNames[][2] = {
    {"CPU", "cpu"},       {"CUDA", "cuda"},   {"MKLDNN", "mkldnn"}, {"OPENGL", "opengl"},
    {"OPENCL", "opencl"}, {"IDEEP", "ideep"}, {"HIP", "hip"},       {"FPGA", "fpga"},
    {"ORT", "ort"},       {"XLA", "xla"},     {"VULKAN", "vulkan"}, {"METAL", "metal"},
    {"XPU", "xpu"},       {"MPS", "mps"},     {"META", "meta"},     {"HPU", "hpu"},
    {"VE", "ve"},         {"LAZY", "lazy"},   {"IPU", "ipu"},       {"PRIVATEUSEONE", "privateuseone"}};

std::atomic<ScalarType> default_dtype{ScalarType::Float};
thread_local bool grad_mode = true;
thread_local bool inference_mode = false;

}  // namespace

std::string DeviceTypeName(DeviceType type, bool lower_case) {
  const size_t i = static_cast<size_t>(type);
  TORCH_CHECK(i < std::size(kDeviceNames), "Unknown device: ", static_cast<int>(type));
  return kDeviceNames[i][lower_case];
}

Device::Device(DeviceType type, DeviceIndex index) : type_(type), index_(index) {
  TORCH_CHECK(index_ >= -1, "Device index must be -1 or non-negative, got ", static_cast<int>(index_));
  TORCH_CHECK(!is_cpu() || index_ <= 0, "CPU device index must be -1 or zero, got ", static_cast<int>(index_));
}

Device::Device(const std::string& text) {
  TORCH_CHECK(!text.empty(), "Device string must not be empty");
  const size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  size_t i = 0;
  while (i < std::size(kDeviceNames) && name != kDeviceNames[i][1]) ++i;
  TORCH_CHECK(
      i < std::size(kDeviceNames) && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz:0123456789_") == text.npos,
      i < std::size(kDeviceNames) || colon != std::string::npos
          ? c10::str("Invalid device string: '", text, "'")
          : c10::str("Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, ort, xla, "
                     "lazy, vulkan, mps, meta, hpu, privateuseone device type at start of device string: ",
                     name));
  int index = -1;
  if (colon != std::string::npos) {
    const std::string digits = text.substr(colon + 1);
    TORCH_CHECK(!digits.empty() && digits.find_first_not_of("0123456789") == digits.npos && digits.size() < 4 &&
                    (digits.size() == 1 || digits[0] != '0'),
                "Invalid device string: '", text, "'");
    index = std::stoi(digits);
    TORCH_CHECK(index < 128, "Could not parse device index '", digits, "' in device string '", text, "'");
  }
  type_ = static_cast<DeviceType>(i);
  index_ = static_cast<DeviceIndex>(index);  // "cpu:1", too, which the other constructor refuses
}

std::string Device::str() const {
  std::string out = DeviceTypeName(type_, true);
  if (has_index()) out += ":" + std::to_string(index_);
  return out;
}

ScalarType promoteTypes(ScalarType a, ScalarType b) {
  if (a == b) return a;
  TORCH_CHECK(!isQIntType(a) && !isQIntType(b),
              "promoteTypes with quantized numbers is not handled yet; figure out what the correct rules should be, "
              "offending types: ",
              a, " ", b);
  // By kind: bool, integers, floats, complex numbers; within a kind the wider one.
  const auto kind = [](ScalarType t) { return isComplexType(t) ? 3 : isFloatingType(t) ? 2 : t == kBool ? 0 : 1; };
  if (kind(a) != kind(b) && kind(a) < kind(b)) std::swap(a, b);
  if (kind(a) != kind(b)) {
    if (kind(a) == 3 && kind(b) == 2 && b == kDouble) return kComplexDouble;
    if (kind(a) == 3 && kind(b) == 2 && a == kComplexHalf && b == kFloat) return kComplexFloat;
    return a;
  }
  if (kind(a) == 2) {
    if ((a == kHalf && b == kBFloat16) || (a == kBFloat16 && b == kHalf)) return kFloat;
    return elementSize(a) > elementSize(b) ? a : b;
  }
  if (kind(a) == 1 && elementSize(a) == elementSize(b)) return kShort;  // uint8 and int8
  return elementSize(a) > elementSize(b) ? a : b;
}

void set_default_dtype(caffe2::TypeMeta dtype) { default_dtype = dtype.toScalarType(); }
caffe2::TypeMeta get_default_dtype() { return default_dtype.load(); }
ScalarType get_default_dtype_as_scalartype() { return default_dtype; }
caffe2::TypeMeta get_default_complex_dtype() { return default_dtype == kDouble ? kComplexDouble : kComplexFloat; }

namespace detail {
uint16_t half_from_float(float v) { return wick::Half(v).bits; }
float half_to_float(uint16_t bits) {
  wick::Half h;
  h.bits = bits;
  return h;
}
}  // namespace detail

void Scalar::overflow(const char* type) {
  throw std::runtime_error(str("value cannot be converted to type ", type, " without overflow"));
}
int64_t Scalar::integer(int64_t low, int64_t high, const char* type) const {
  if (isIntegral(true)) {
    if (i_ < low || i_ > high) overflow(type);
    return i_;
  }
  if (isComplex() && imag_ != 0) overflow(type);
  if (!(d_ >= static_cast<double>(low) && d_ <= static_cast<double>(high))) overflow(type);
  return static_cast<int64_t>(d_);
}
float Scalar::toFloat() const {
  const double d = toDouble();
  if (std::isfinite(d) && std::fabs(d) > static_cast<double>(std::numeric_limits<float>::max())) overflow("float");
  return static_cast<float>(d);
}
Scalar Scalar::operator-() const {
  TORCH_CHECK(!isBoolean(), "torch boolean negative, the `-` operator, is not supported.");
  return isComplex() ? Scalar(complex<double>(-d_, -imag_)) : isFloatingPoint() ? Scalar(-d_) : Scalar(-i_);
}
Scalar Scalar::log() const {
  if (isComplex()) return Scalar(std::log(std::complex<double>(d_, imag_)));
  return Scalar(std::log(toDouble()));
}
std::ostream& operator<<(std::ostream& out, const Scalar& v) {
  if (v.isFloatingPoint()) return out << v.toDouble();
  if (v.isComplex()) return out << v.toComplexDouble();
  if (v.isBoolean()) return out << (v.toBool() ? "true" : "false");
  return out << v.toLong();
}

std::ostream& operator<<(std::ostream& out, const TensorOptions& o) {
  // As with LibTorch, the stream goes on writing "true" and "false".
  out << "TensorOptions(dtype=" << o.dtype() << (o.has_dtype() ? "" : " (default)");
  out << ", device=" << o.device() << (o.has_device() ? "" : " (default)");
  out << ", layout=" << o.layout() << (o.has_layout() ? "" : " (default)");
  out << ", requires_grad=" << std::boolalpha << o.requires_grad() << (o.has_requires_grad() ? "" : " (default)");
  out << ", pinned_memory=" << o.pinned_memory() << (o.has_pinned_memory() ? "" : " (default)");
  out << ", memory_format=";
  if (o.has_memory_format()) {
    out << *o.memory_format_opt();
  } else {
    out << "(nullopt)";
  }
  return out << ")";
}

bool GradMode::is_enabled() { return grad_mode; }
void GradMode::set_enabled(bool on) { grad_mode = on; }
InferenceMode::InferenceMode(bool on) : before_(inference_mode), grad_before_(grad_mode) {
  inference_mode = on;
  grad_mode = !on;
}
InferenceMode::~InferenceMode() {
  inference_mode = before_;
  grad_mode = grad_before_;
}
bool InferenceMode::is_enabled() { return inference_mode; }

}  // namespace c10

namespace caffe2 {
c10::string_view TypeMeta::name() const {
  static const char* const kNames[] = {"unsigned char",
                                       "signed char",
                                       "short int",
                                       "int",
                                       "long int",
                                       "c10::Half",
                                       "float",
                                       "double",
                                       "c10::complex<c10::Half>",
                                       "c10::complex<float>",
                                       "c10::complex<double>",
                                       "bool",
                                       "c10::qint8",
                                       "c10::quint8",
                                       "c10::qint32",
                                       "c10::BFloat16",
                                       "c10::quint4x2",
                                       "c10::quint2x4",
                                       "nullptr (uninitialized)"};
  return kNames[static_cast<int>(type_)];
}
}  // namespace caffe2

namespace at {
namespace {
std::atomic<c10::QEngine> engine{c10::kFBGEMM};
std::atomic<int> interop_threads{0};
}  // namespace

Context& globalContext() {
  static Context context;
  return context;
}
const std::vector<c10::QEngine>& Context::supportedQEngines() const {
  static const std::vector<c10::QEngine> engines{c10::kNoQEngine, c10::kQNNPACK, c10::kFBGEMM};
  return engines;
}
c10::QEngine Context::qEngine() const { return engine; }
void Context::setQEngine(c10::QEngine e) {
  const auto& known = supportedQEngines();
  TORCH_CHECK(std::find(known.begin(), known.end(), e) != known.end(), "quantized engine ", c10::toString(e),
              " is not supported");
  engine = e;
}

void set_num_threads(int n) {
  TORCH_CHECK(n > 0, "Expected positive number of threads");
  wick::set_num_threads(n);
}
int get_num_threads() { return wick::num_threads(); }
void set_num_interop_threads(int n) {
  TORCH_CHECK(n > 0, "Expected positive number of threads");
  interop_threads = n;
}
int get_num_interop_threads() {
  return interop_threads > 0 ? interop_threads.load()
                             : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}
std::string get_parallel_info() {
  return c10::str("ATen/Parallel:\n\tat::get_num_threads() : ", get_num_threads(), "\n");
}
namespace {
thread_local int own_number = -1;  // of the thread, in a parallel region
}  // namespace
int get_thread_num() { return std::max(own_number, 0); }
bool in_parallel_region() { return own_number >= 0; }
void internal::run_parallel(int64_t begin, int64_t end, int64_t grain, const std::function<void(int64_t, int64_t)>& f) {
  // One range a thread, so that a range's number stands for its thread.
  const int64_t count = get_num_threads();
  const int64_t chunk = std::max(std::max<int64_t>(grain, 1), divup(end - begin, count));
  const auto body = [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int before = own_number;
      own_number = static_cast<int>(i);
      try {
        f(begin + i * chunk, std::min(end, begin + (i + 1) * chunk));
      } catch (...) {
        own_number = before;
        throw;
      }
      own_number = before;
    }
  };
  wick::parallel_for(0, divup(end - begin, chunk), 1, body);
}
void launch(std::function<void()> f) { std::thread(std::move(f)).detach(); }

}  // namespace at

namespace wick_compat {

wick::Device w(const at::Device& d) {
  TORCH_CHECK(d.is_cpu() || d.is_metal() || d.is_vulkan(), "PyTorch is not linked with support for ", d.type(),
              " devices");
  return {};
}

wick::Scalar w(const at::Scalar& s) {
  if (s.isBoolean()) return wick::Scalar(s.toBool());
  if (s.isIntegral(false)) return wick::Scalar(s.toLong());
  if (s.isFloatingPoint()) return wick::Scalar(s.toDouble());
  return wick::Scalar(std::complex<double>(s.toComplexDouble()));
}
at::Scalar a(const wick::Scalar& s) {
  if (s.is_bool()) return at::Scalar(s.to_bool());
  if (s.is_int()) return at::Scalar(s.to_int());
  if (s.is_double()) return at::Scalar(s.to_double());
  return at::Scalar(s.to_complex());
}

Borrowed<std::optional<wick::Tensor>> w(const c10::List<c10::optional<at::Tensor>>& list) {
  Borrowed<std::optional<wick::Tensor>> out;
  for (const c10::optional<at::Tensor>& t : list.vec()) {
    if (t && t->scalar_type() == at::kByte) {
      TORCH_WARN("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.");
    }
    out.values.push_back(w(t));
  }
  return out;
}

wick::TensorOptions w(const at::TensorOptions& o) {
  TORCH_CHECK(o.layout() == at::kStrided, "Wick has no tensors of the layout ", o.layout());
  return wick::TensorOptions(w(o.scalar_type_opt()), w(o.device_opt()));
}

at::TensorOptions default_dtype(const at::TensorOptions& o) {
  return o.has_dtype() ? o : o.dtype(c10::get_default_dtype_as_scalartype());
}

at::Tensor with_grad(at::Tensor t, const at::TensorOptions& options) {
  if (options.requires_grad()) t.set_requires_grad(true);
  return t;
}

}  // namespace wick_compat
