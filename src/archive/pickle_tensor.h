// Tensors of a pickle: storages resolved through the environment, views of them checked before they are made.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "archive/pickle.h"
#include "archive/pickle_values.h"
#include "core/tensor_impl.h"

namespace wick {

class TensorBuilder {
 public:
  TensorBuilder(const PickleEnvironment& environment, PickleContext& context)
      : environment_(environment), context_(context) {}

  // Resolves a persistent id: ('storage', class, key, location, numel[, view]).
  Ref<StorageRef> storage(const IValue& persistent_id);

  // Calls a _rebuild_* function.
  Tensor rebuild(const GlobalRef& function, const std::vector<IValue>& args);

 private:
  // A storage the environment gave. Its memory may be replaced once, by an aligned copy.
  struct Loaded {
    Storage storage;
    uint64_t nbytes = 0;     // declared by the first reference
    bool are_bools = false;  // every byte is known to be 0 or 1
  };

  Loaded& load(const std::string& key, uint64_t nbytes, DType dtype);
  void swap_bytes(Loaded& loaded, DType dtype);
  uint64_t set_shape(TensorImpl& impl, const IValue& offset, const IValue& sizes, const IValue& strides);
  void prepare(Loaded& loaded, DType dtype);
  Tensor strided(const IValue& storage, DType dtype, const IValue& offset, const IValue& sizes, const IValue& strides);
  Tensor sub_byte(Loaded& loaded, const StorageRef& ref, Ref<TensorImpl> impl);
  Tensor quantized(const std::vector<IValue>& args);
  Tensor listed_parameter(const std::vector<IValue>& numbers);
  Tensor channel_parameter(const IValue& value, int64_t channels, const char* what);
  Tensor converted(const Tensor& tensor, DType dtype);
  Tensor with_metadata(Tensor tensor, const IValue& metadata);
  Tensor sparse(const GlobalRef& function, const std::vector<IValue>& args);
  void scatter_values(const Tensor& where, const Tensor& values, const Tensor& dense) const;
  Tensor parameter(const GlobalRef& function, const std::vector<IValue>& args);
  IntVec integers(const IValue& value, const char* what);
  const StorageRef& storage_ref(const IValue& value);
  void expect_args(const GlobalRef& function, const std::vector<IValue>& args, size_t least, size_t most);

  const PickleEnvironment& environment_;
  PickleContext& context_;
  std::unordered_map<std::string, Loaded> loaded_;
};

// In a selective build whose models have no tensors: notes that a file has some, which its reader then refuses.
class NoTensors {
 public:
  NoTensors(const PickleEnvironment& environment, PickleContext& context)
      : environment_(environment), context_(context) {}
  Ref<StorageRef> storage(const IValue& persistent_id);
  Tensor rebuild(const GlobalRef& function, const std::vector<IValue>& args);

 private:
  const PickleEnvironment& environment_;
  PickleContext& context_;
};

}  // namespace wick
