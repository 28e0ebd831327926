// Tensors to and from DLPack, which share the memory.
#pragma once

#include <ATen/ATen.h>
#include <ATen/dlpack.h>

namespace at {

// Throws c10::Error for a type of elements that tensors do not have.
ScalarType toScalarType(const DLDataType& dtype);
// Keeps the tensor until its deleter is called.
DLManagedTensor* toDLPack(const Tensor& src);
// Calls the deleter when the last tensor that sees the memory is gone. When it throws, src is still the caller's.
Tensor fromDLPack(const DLManagedTensor* src);
Tensor fromDLPack(const DLManagedTensor* src, std::function<void(void*)> deleter);
// Throws c10::Error for what DLPack does not have: bool, quantized numbers.
DLDataType getDLDataType(const Tensor& t);
DLDevice getDLContext(const Tensor& tensor, const int64_t& device_id);

}  // namespace at
