// torch::jit::pickle and unpickle: values as pickles of their own, tensors' storages beside them.
#include <torch/script.h>

#include "archive/pickle.h"
#include "bridge.h"
#include "core/tensor_impl.h"
#include "emit/pickle_values.h"

namespace torch {
namespace jit {
using namespace wick_compat;

std::vector<char> pickle(const IValue& ivalue, std::vector<at::Tensor>* tensor_table) {
  bool has_tensors = false;
  ivalue.visit([&](const IValue& v) {
    TORCH_CHECK(!v.isObject() && !v.isCapsule() && !v.isFuture(), "Cannot pickle a ", v.tagKind());
    has_tensors = has_tensors || v.isTensor();
    return false;
  });
  TORCH_CHECK(!has_tensors || (tensor_table && tensor_table->empty()),
              "A value with tensors is pickled with an empty table for them");
  try {
    wick::emit::StorageTable storages;
    const std::vector<uint8_t> bytes = wick::emit::ValuePickler(storages).run(w(ivalue));
    for (const wick::emit::StorageTable::Entry& entry : storages.entries()) {
      const auto size = static_cast<int64_t>(entry.storage->nbytes());
      wick::Tensor all = wick::Tensor::empty({0}, wick::DType::kByte);
      all.impl()->storage = entry.storage;
      all.impl()->sizes = {size};
      all.impl()->strides = {1};
      all.impl()->numel = size;
      tensor_table->push_back(a(std::move(all)));
    }
    return std::vector<char>(bytes.begin(), bytes.end());
  } catch (...) {
    rethrow();
  }
}
void pickle(std::function<void(const char*, size_t)> writer, const IValue& ivalue,
            std::vector<at::Tensor>* tensor_table) {
  const std::vector<char> bytes = pickle(ivalue, tensor_table);
  writer(bytes.data(), bytes.size());
}

IValue unpickle(const char* data, size_t size, TypeResolver, c10::ArrayRef<at::Tensor> tensor_table) {
  try {
    wick::PickleEnvironment environment;
    const auto storage_of = [&](const std::string& key, uint64_t nbytes, size_t) -> wick::Storage {
      size_t number = tensor_table.size();
      if (!key.empty() && key.size() < 9 && key.find_first_not_of("0123456789") == key.npos) number = std::stoul(key);
      TORCH_CHECK(number < tensor_table.size(), "the table has no tensor '", key, "'");
      const wick::Storage& storage = w(tensor_table[number]).impl()->storage;
      TORCH_CHECK(nbytes <= storage->nbytes(), "the storage of tensor '", key, "' is too small");
      return storage;
    };
    environment.storage = storage_of;
    return a(wick::read_pickle(wick::Bytes(reinterpret_cast<const uint8_t*>(data), size), "pickle", environment));
  } catch (...) {
    rethrow();
  }
}
IValue unpickle(std::function<size_t(char*, size_t)> reader, TypeResolver type_resolver,
                c10::ArrayRef<at::Tensor> tensor_table) {
  std::vector<char> bytes;
  char chunk[4096];
  for (size_t got; (got = reader(chunk, sizeof chunk)) > 0;) bytes.insert(bytes.end(), chunk, chunk + got);
  return unpickle(bytes.data(), bytes.size(), std::move(type_resolver), tensor_table);
}

}  // namespace jit
}  // namespace torch
