// Assigns record names to the storages that are written.
#include "emit/storages.h"

#include "core/check.h"
#include "core/tensor_impl.h"

namespace wick::emit {

void StorageTable::reserve(std::string key, Bytes bytes) {
  names_.insert(key);
  if (!bytes.empty()) reserved_.emplace(std::pair{static_cast<const void*>(bytes.data()), bytes.size()}, key);
}

const std::string& StorageTable::key_of(const Tensor& tensor) {
  const StorageImpl& storage = *tensor.storage();
  // Empty storages may all have the same address.
  const void* identity = storage.nbytes() > 0 ? storage.data() : static_cast<const void*>(&storage);
  if (const auto it = reserved_.find({identity, storage.nbytes()}); it != reserved_.end()) return it->second;
  std::string& key = keys_[{identity, storage.nbytes(), tensor.dtype()}];
  if (key.empty()) {
    do {
      key = cat(next_++, suffix_);
    } while (!names_.insert(key).second);
    entries_.push_back({key, Bytes(static_cast<const uint8_t*>(storage.data()), storage.nbytes()), tensor.storage()});
  }
  return key;
}

}  // namespace wick::emit
