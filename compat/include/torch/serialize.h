// torch::save and torch::load of tensors; archives of named values.
#pragma once

#include <functional>

#include <torch/types.h>

namespace torch {
namespace serialize {

// Named values, and archives in it, that are written to a file. The file is a pickled dict, which InputArchive and
// Python's torch.load read, and LibTorch does not.
class OutputArchive final {
 public:
  OutputArchive();
  void write(const std::string& key, const at::IValue& value) { values_.insert_or_assign(key, value); }
  void write(const std::string& key, const at::Tensor& tensor, bool = false) { write(key, at::IValue(tensor)); }
  void write(const std::string& key, OutputArchive& nested) { write(key, at::IValue(nested.values_)); }
  void save_to(const std::string& filename);
  void save_to(std::ostream& stream);
  void save_to(const std::function<size_t(const void*, size_t)>& func);

 private:
  c10::Dict<at::IValue, at::IValue> values_;
};

// Reads what OutputArchive wrote, LibTorch's archives and TorchScript modules. read() throws c10::Error for a key that
// there is not.
class InputArchive final {
 public:
  InputArchive() = default;
  void load_from(const std::string& filename, c10::optional<at::Device> device = c10::nullopt);
  void load_from(std::istream& stream, c10::optional<at::Device> device = c10::nullopt);
  void load_from(const char* data, size_t size, c10::optional<at::Device> device = c10::nullopt);
  bool try_read(const std::string& key, at::IValue& value);
  bool try_read(const std::string& key, at::Tensor& tensor, bool is_buffer = false);
  bool try_read(const std::string& key, InputArchive& archive);
  void read(const std::string& key, at::IValue& value);
  void read(const std::string& key, at::Tensor& tensor, bool is_buffer = false);
  void read(const std::string& key, InputArchive& archive);
  std::vector<std::string> keys();

 private:
  at::IValue root_;  // a dict or a module
  std::string path_;
};

}  // namespace serialize

// Files are those of Python's torch.save, which reads them and is read; torch::load reads LibTorch's own, too.
void save(const at::Tensor& value, const std::string& filename);
void save(const at::Tensor& value, std::ostream& out);
void save(const std::vector<at::Tensor>& values, const std::string& filename);
void save(const std::vector<at::Tensor>& values, std::ostream& out);
void load(at::Tensor& value, const std::string& filename, c10::optional<at::Device> device = c10::nullopt);
void load(at::Tensor& value, std::istream& in, c10::optional<at::Device> device = c10::nullopt);
void load(std::vector<at::Tensor>& values, const std::string& filename,
          c10::optional<at::Device> device = c10::nullopt);
void load(std::vector<at::Tensor>& values, std::istream& in, c10::optional<at::Device> device = c10::nullopt);

std::vector<char> pickle_save(const at::IValue& value);
at::IValue pickle_load(const std::vector<char>& data);

}  // namespace torch
