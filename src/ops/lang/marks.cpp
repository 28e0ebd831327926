// Operators that mark, check or annotate a program and compute little.
#include "core/copy.h"
#include "ops/lang/prim.h"

namespace wick::ops::lang {

namespace {

class RecordFunction final : public CustomObject {
 public:
  std::string_view class_name() const override { return "__torch__.torch.classes.profiler._RecordFunction"; }
  IValue get_state() const override { return IValue(); }
};

bool is_16_bit(DType t) { return t == DType::kHalf || t == DType::kBFloat16; }

}  // namespace

Device device_of_parts(std::string_view type, int64_t index) {
  const Device device = Device::parse(cat(type, ":", index));
  WICK_CHECK(index >= 0 && index == device.index, kInvalidArgument, "Device index must be non-negative, got ", index);
  return device;
}

IValue record_function_enter(std::string_view, const std::optional<std::string>&) {
  return IValue(Ref<CustomObject>(make_ref<RecordFunction>()));
}
Tensor record_function_enter_tensor(std::string_view, const std::optional<std::string>&) {
  return Tensor::zeros({1}, DType::kFloat);
}
void record_function_exit(const IValue&) {}

void assert_scalar(const Scalar& condition, std::string_view message) {
  WICK_CHECK(condition.to_bool(), kModelException, message);
}

void constrain_range(const Scalar& value, std::optional<int64_t> min, std::optional<int64_t> max) {
  WICK_CHECK(value.is_integral(), kTypeMismatch, "Constraining range is only supported for Int or SymInt");
  const int64_t low = min.value_or(INT64_MIN), high = max.value_or(INT64_MAX), v = value.to_int();
  WICK_CHECK(low <= high, kInvalidArgument, "Max must be greater than or equal to min. Got min=", low, " max=", high);
  WICK_CHECK(low <= v && v <= high, kInvalidArgument, "Invalid value range for ", v, " between [", low, ", ", high,
             "].");
}
void constrain_size_range(const Scalar& value, std::optional<int64_t> min, std::optional<int64_t> max) {
  WICK_CHECK(!max || *max > 2, kInvalidArgument,
             "Max value to constrain_range_for_size must be greater than 2. got: ", max.value_or(0));
  constrain_range(value, min.value_or(0), max);
}

int64_t autocast_dtype(std::string_view device_type) {
  return static_cast<int64_t>(device_type == "cpu" ? DType::kBFloat16 : DType::kHalf);
}
Tensor autocast_to_full(const Tensor& t, bool, bool cpu) {
  return cpu && is_16_bit(t.dtype()) ? to_dtype(t, DType::kFloat) : t;
}
Tensor autocast_to_reduced(const Tensor& t, bool, bool cpu, int64_t, int64_t cpu_dtype) {
  if (!cpu || t.dtype() != DType::kFloat) return t;
  return to_dtype(t, to_dtype_arg(IValue(cpu_dtype)));
}

std::tuple<Tensor, Tensor, OptTensor, OptTensor> packed_sequence(const Tensor& data, const Tensor& batch_sizes,
                                                                 const OptTensor& sorted, const OptTensor& unsorted) {
  return {data, batch_sizes, sorted, unsorted};
}

}  // namespace wick::ops::lang
