// How values travel between the Python side of the parity suite and the runner: plain torch.save values, and tuples
// ("#complex", re, im), ("#device", "cpu"), ("#generator", seed), ("#list", element type, items),
// ("#call", operator, args), ("#future", value), ("#enum", type, value), ("#opaque", class) for what torch.save does
// not carry plainly.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/tensor_impl.h"
#include "wick/ivalue.h"

namespace wick::parity {

// Reads the arguments of one case. Tensors get memory of their own (those of the batch file are views of it), shared
// among them as in the file.
class WireReader {
 public:
  // `type` is what the schema asks for at this place; it gives empty lists and dicts their element types.
  IValue read(const IValue& encoded, const TypePtr& type = types::any());

 private:
  IValue read_special(const std::string& tag, const std::vector<IValue>& items);
  Tensor own(const Tensor& tensor);
  std::unordered_map<StorageImpl*, Storage> storages_;
  std::unordered_map<TensorImpl*, Tensor> tensors_;
};

IValue to_wire(const IValue& value);

// Every tensor inside the value, in order.
void collect_tensors(const IValue& value, std::vector<Tensor>& out);

}  // namespace wick::parity
