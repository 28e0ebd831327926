// Where a model is read from when it is no file: caffe2::serialize::ReadAdapterInterface and its classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <memory>
#include <string>

namespace caffe2 {
namespace serialize {

class ReadAdapterInterface {
 public:
  virtual ~ReadAdapterInterface() = default;
  virtual size_t size() const = 0;
  virtual size_t read(uint64_t pos, void* buf, size_t n, const char* what = "") const = 0;
};

class FileAdapter final : public ReadAdapterInterface {
 public:
  explicit FileAdapter(const std::string& path);
  ~FileAdapter() override;
  size_t size() const override;
  size_t read(uint64_t pos, void* buf, size_t n, const char* what = "") const override;

 private:
  void* file_;
  uint64_t size_;
};

class IStreamAdapter final : public ReadAdapterInterface {
 public:
  explicit IStreamAdapter(std::istream* in) : in_(in) {}
  size_t size() const override;
  size_t read(uint64_t pos, void* buf, size_t n, const char* what = "") const override;

 private:
  std::istream* in_;
};

class MemoryReadAdapter final : public ReadAdapterInterface {
 public:
  explicit MemoryReadAdapter(const void* data, int64_t size) : data_(data), size_(size) {}
  size_t size() const override { return static_cast<size_t>(size_); }
  size_t read(uint64_t pos, void* buf, size_t n, const char* what = "") const override;

 private:
  const void* data_;
  int64_t size_;
};

}  // namespace serialize
}  // namespace caffe2
