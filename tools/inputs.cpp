// Arguments of a method from files, images, dims or bundled inputs.
#include "inputs.h"

#include <cmath>
#include <cstdlib>
#include <random>

#include "core/check.h"
#include "core/copy.h"
#include "image.h"

namespace wick::tools {

namespace {

constexpr long kMaxSide = 16384;

long positive(const std::string& text, const char* what, long most) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value < 1 || value > most) {
    throw UsageError(cat(what, " needs whole numbers from 1 to ", most, ", got '", text, "'"));
  }
  return value;
}

DType input_dtype(const std::string& text) {
  if (text == "float") return DType::kFloat;
  if (text == "uint8_t") return DType::kByte;
  if (auto dtype = dtype_from_torch_name(text)) return *dtype;
  throw UsageError("--input-type: unknown type '" + text + "'; use float, int64, uint8_t, ...");
}

}  // namespace

void apply_machine_options(const Arguments& arguments) {
  set_num_threads(static_cast<int>(arguments.get_number("--threads", 0, 1)));
}

void apply_backend_options(const Arguments& arguments, Module& module) {
  const std::string backend = arguments.get("--backend", "cpu"), precision = arguments.get("--precision", "auto");
  if (backend != "cpu" && backend != "gpu" && backend != "auto") {
    throw UsageError("--backend is cpu, gpu or auto, got '" + backend + "'");
  }
  if (precision != "fp32" && precision != "fp16" && precision != "auto") {
    throw UsageError("--precision is fp32, fp16 or auto, got '" + precision + "'");
  }
  if (precision != "auto") module.set_precision(precision == "fp16" ? Precision::kFloat16 : Precision::kFloat32);
  if (backend == "cpu") return;
  if (arguments.has("--no-plan")) throw UsageError("--backend " + backend + " needs plans: leave out --no-plan");
  BackendOptions options;
  options.precision = precision == "fp16" ? GpuPrecision::kFloat16 : GpuPrecision::kFloat32;
  options.device = static_cast<int>(arguments.get_number("--device", -1, 0));
  module.set_backend(backend == "gpu" ? Backend::kGpu : Backend::kAuto, options);
}

std::vector<IValue> bundled_arguments(const Module& module, const std::string& method, long k) {
  auto inputs = module.bundled_inputs(method);
  WICK_CHECK(!inputs.empty(), kNotFound, "the model has no bundled inputs for '", method,
             "'; give --input, or add them with 'wick bundle'");
  WICK_CHECK(static_cast<size_t>(k) < inputs.size(), kIndexOutOfRange, "the model has only ", inputs.size(),
             " bundled inputs for '", method, "'; --bundled takes 0 to ", inputs.size() - 1);
  return std::move(inputs[static_cast<size_t>(k)]);
}

void check_arguments_given(const Module& module, const std::string& method, const std::vector<IValue>& inputs,
                           const char* options) {
  if (!inputs.empty()) return;
  for (const MethodInfo& info : module.methods()) {
    if (info.name != method) continue;
    for (const MethodArgument& argument : info.arguments) {
      WICK_CHECK(argument.has_default, kInvalidArgument, method, " needs the argument '", argument.name, "' (",
                 argument.type, "), and none was given; use ", options);
    }
  }
}

std::vector<IValue> saved_arguments(const std::vector<std::string>& paths) {
  std::vector<IValue> out;
  for (const std::string& path : paths) {
    IValue value;
    try {
      value = load_tensors(path);
    } catch (const Error& e) {
      if (e.code() != ErrorCode::kCorruptFile && e.code() != ErrorCode::kUnsupported) throw;
      throw Error(ErrorCode::kInvalidArgument,
                  cat("--input ", e.message(), "; it takes what torch.save of a tuple of arguments wrote"));
    }
    if (value.is_tuple()) {
      const auto& items = value.to_tuple().items;
      out.insert(out.end(), items.begin(), items.end());
    } else {
      out.push_back(std::move(value));
    }
  }
  return out;
}

std::vector<IntVec> input_sizes(const std::string& dims, const char* option) {
  std::vector<IntVec> out;
  for (const std::string& shape : split(dims, ';')) {
    IntVec& sizes = out.emplace_back();
    for (const std::string& side : split(shape, ',')) sizes.push_back(positive(side, option, 1L << 40));
  }
  return out;
}

std::vector<IValue> ones_arguments(const std::string& dims, const std::string& types) {
  const std::vector<IntVec> shapes = input_sizes(dims);
  std::vector<std::string> kinds = split(types, ';');
  if (kinds.empty()) kinds.assign(shapes.size(), "float");
  if (kinds.size() != shapes.size()) {
    throw UsageError(cat("--input-dims names ", shapes.size(), " inputs and --input-type ", kinds.size()));
  }
  std::vector<IValue> out;
  for (size_t i = 0; i < shapes.size(); ++i) {
    Tensor tensor = Tensor::empty(shapes[i], input_dtype(kinds[i]));
    fill(tensor, 1);
    out.emplace_back(std::move(tensor));
  }
  return out;
}

std::vector<IValue> timed_arguments(const Arguments& arguments, const Module& module, const std::string& method) {
  const int ways = arguments.has("--bundled") + arguments.has("--input") + arguments.has("--input-dims");
  if (ways > 1) throw UsageError("give one of --bundled, --input and --input-dims");
  if (arguments.has("--bundled")) return bundled_arguments(module, method, arguments.get_number("--bundled", 0, 0));
  if (arguments.has("--input")) return saved_arguments(arguments.all("--input"));
  std::vector<IValue> out = ones_arguments(arguments.get("--input-dims"), arguments.get("--input-type"));
  check_arguments_given(module, method, out, "--input-dims, --input IN.pt or --bundled K");
  return out;
}

std::vector<IValue> random_arguments(const std::string& dims, const std::string& types, uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::vector<IValue> out = ones_arguments(dims, types);
  for (IValue& value : out) {
    const Tensor tensor = value.to_tensor();
    const DType dtype = tensor.dtype();
    const Tensor numbers = Tensor::empty(tensor.sizes(), DType::kDouble);
    auto* to = numbers.data_ptr<double>();
    for (int64_t i = 0; i < numbers.numel(); ++i) {
      const double unit = std::uniform_real_distribution<double>(0, 1)(generator);
      to[i] = dtype == DType::kBool ? unit < 0.5 : is_integral(dtype, false) ? std::floor(10 * unit) : 2 * unit - 1;
    }
    copy_into(tensor, numbers);
  }
  return out;
}

Image sized_image(const std::string& path, const std::string& size) {
  Image image = read_image(path);
  if (!size.empty()) {
    const std::vector<std::string> sides = split(size, 'x');
    if (sides.size() == 1) {
      image = resize_and_crop(image, static_cast<int>(positive(sides[0], "--size", kMaxSide)));
    } else if (sides.size() == 2) {
      image = resize(image, static_cast<int>(positive(sides[0], "--size", kMaxSide)),
                     static_cast<int>(positive(sides[1], "--size", kMaxSide)));
    } else {
      throw UsageError("--size is one number, or WIDTHxHEIGHT, got '" + size + "'");
    }
  }
  return image;
}

IValue image_argument(const std::string& path, const std::string& size) {
  return to_normalized_tensor(sized_image(path, size));
}

}  // namespace wick::tools
