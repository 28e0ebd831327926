// Tensors as text and as numbers, for reports.
#include "inspect/elements.h"

#include "core/check.h"
#include "core/copy.h"

namespace wick::inspect {

std::string describe(const Tensor& tensor) { return cat(torch_name_of(tensor.dtype()), " ", tensor.sizes()); }

std::vector<double> to_doubles(const Tensor& tensor) {
  Tensor plain = tensor;
  if (tensor.is_quantized()) {
    plain = Tensor::empty(tensor.sizes(), DType::kFloat);
    copy_into(plain, tensor);
  }
  const Tensor dense = contiguous(to_dtype(plain, DType::kDouble));
  return {dense.data_ptr<double>(), dense.data_ptr<double>() + dense.numel()};
}

}  // namespace wick::inspect
