// Tensors of a flatbuffer module, over storages that point into the file.
#pragma once

#include <memory>
#include <vector>

#include "archive/archive.h"
#include "core/tensor_impl.h"
#include "frontend/flatbuffer/table.h"
#include "wick/tensor.h"

namespace wick::flatbuffer {

class TensorReader {
 public:
  TensorReader(Ref<ByteSource> source, const Table& module);

  // Throws kCorruptFile when the tensor does not lie inside its storage.
  Tensor read(const Table& tensor);

 private:
  Storage storage(uint32_t index);
  Tensor read_checked(const Table& tensor, int depth);
  std::shared_ptr<const Quantizer> quantizer(const Table& table, int depth);

  Ref<ByteSource> source_;
  Table module_;
  Vector entries_;
  std::vector<Storage> storages_;  // made when first used
};

}  // namespace wick::flatbuffer
