// Operators of the language itself: identity, printing, raising, tuples, devices, enums.
#pragma once

#include "ops/boxing.h"

namespace wick::ops::lang {

bool is_same_value(const IValue& a, const IValue& b);
bool is_other_value(const IValue& a, const IValue& b);
IValue same_value(const IValue& v);
IValue unwrap_optional(const IValue& v);  // throws "Unwrapping null optional" for None
IValue tuple_item(const TupleImpl& tuple, int64_t i);
IValue if_then_else(bool condition, const IValue& a, const IValue& b);
void print(Args args);
void warn(std::string_view message, int64_t stacklevel);
// Throws kModelException; `cls` is the Python class of the exception, as "builtins.ValueError".
void raise_exception(std::string_view message, const std::optional<std::string>& cls);
int64_t hash(const IValue& v);
int64_t object_id(const IValue& v);
std::string enum_name(const IValue& v);
IValue enum_value(const IValue& v);
IValue module_item(const ObjectImpl& container, int64_t i);
IValue module_entry(const ObjectImpl& container, std::string_view name);
Device device_of_text(std::string_view text);
Device device_of_parts(std::string_view type, int64_t index);
// Marks a span for PyTorch's profiler; nothing is recorded.
IValue record_function_enter(std::string_view name, const std::optional<std::string>& args);
Tensor record_function_enter_tensor(std::string_view name, const std::optional<std::string>& args);
void record_function_exit(const IValue& handle);
// Throws kModelException with the message when the number is zero.
void assert_scalar(const Scalar& condition, std::string_view message);
// Throw unless the number is within the bounds that are given; a size is not negative.
void constrain_range(const Scalar& value, std::optional<int64_t> min, std::optional<int64_t> max);
void constrain_size_range(const Scalar& value, std::optional<int64_t> min, std::optional<int64_t> max);
// What autocasting to 16 bits computes in on a device.
int64_t autocast_dtype(std::string_view device_type);
Tensor autocast_to_full(const Tensor& t, bool cuda, bool cpu);
Tensor autocast_to_reduced(const Tensor& t, bool cuda, bool cpu, int64_t cuda_dtype, int64_t cpu_dtype);
std::tuple<Tensor, Tensor, OptTensor, OptTensor> packed_sequence(const Tensor& data, const Tensor& batch_sizes,
                                                                 const OptTensor& sorted, const OptTensor& unsorted);
std::string device_type(Device device);
std::optional<int64_t> device_index(Device device);
IValue wait(const IValue& future);
// tensor, number of list dimensions, element type (0 int, 1 float, 2 bool, 3 complex).
IValue to_list(Args args);
Tensor tensor_of_number(const Scalar& v);
IntVec broadcast_sizes(IntSpan a, IntSpan b);
std::optional<IntVec> size_if_not_equal(IntSpan a, IntSpan b);
IntVec squeezed_sizes(IntSpan sizes);
IntVec squeezed_sizes_dim(IntSpan sizes, int64_t dim);
IntVec unsqueezed_sizes(IntSpan sizes, int64_t dim);

}  // namespace wick::ops::lang
