// The storages of tensors that are written, and the names of their records.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "archive/archive.h"
#include "core/tensor_impl.h"
#include "wick/tensor.h"

namespace wick::emit {

// One folder of storage records ("data", "constants"). Tensors that share memory share a record.
class StorageTable {
 public:
  // Records are named by a number and the suffix.
  explicit StorageTable(std::string suffix = {}) : suffix_(std::move(suffix)) {}

  struct Entry {
    std::string key;
    Bytes bytes;
    Storage storage;  // keeps the bytes alive; null for those that were reserved
  };

  // The record `key` will be written whatever happens; tensors that lie in exactly these bytes use it.
  void reserve(std::string key, Bytes bytes);
  // Name of the record that holds the tensor's storage. A storage seen as two dtypes has two records.
  const std::string& key_of(const Tensor& tensor);
  // Records of tensors, in the order of first use, without those reserved.
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::string suffix_;
  size_t next_ = 0;
  std::vector<Entry> entries_;
  std::unordered_set<std::string> names_;
  std::map<std::pair<const void*, size_t>, std::string> reserved_;
  std::map<std::tuple<const void*, size_t, DType>, std::string> keys_;
};

}  // namespace wick::emit
