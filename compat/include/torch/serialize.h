// torch::save and torch::load of tensors; archives of named values.
#pragma once

#include <functional>
#include <memory>

#include <torch/types.h>

namespace torch {
namespace serialize {

// Named values, and archives in it, that are written to a file: that of a TorchScript module with these attributes, as
// LibTorch's, which reads it; so do InputArchive and Python's torch.jit.load.
class OutputArchive final {
 public:
  struct Node;
  OutputArchive();
  OutputArchive(OutputArchive&&) = default;
  OutputArchive& operator=(OutputArchive&&) = default;
  OutputArchive(OutputArchive&) = delete;
  OutputArchive& operator=(OutputArchive&) = delete;
  // Throw c10::Error for a key that there is already.
  void write(const std::string& key, const at::IValue& value);
  void write(const std::string& key, const at::Tensor& tensor, bool is_buffer = false);
  // What is written to the nested archive later, is part of this one, too.
  void write(const std::string& key, OutputArchive& nested);
  void save_to(const std::string& filename);
  void save_to(std::ostream& stream);
  void save_to(const std::function<size_t(const void*, size_t)>& func);
  template <class... Args>
  void operator()(Args&&... args) {
    write(std::forward<Args>(args)...);
  }

 private:
  std::shared_ptr<Node> root_;
};

// Reads what OutputArchive wrote, LibTorch's archives and TorchScript modules. read() throws c10::Error for a key that
// there is not.
class InputArchive final {
 public:
  InputArchive() = default;
  void load_from(const std::string& filename, c10::optional<at::Device> device = c10::nullopt);
  void load_from(std::istream& stream, c10::optional<at::Device> device = c10::nullopt);
  void load_from(const char* data, size_t size, c10::optional<at::Device> device = c10::nullopt);
  void load_from(const std::function<size_t(uint64_t pos, void* buf, size_t nbytes)>& read_func,
                 const std::function<size_t(void)>& size_func, c10::optional<at::Device> device = c10::nullopt);
  bool try_read(const std::string& key, at::IValue& value);
  bool try_read(const std::string& key, at::Tensor& tensor, bool is_buffer = false);
  bool try_read(const std::string& key, InputArchive& archive);
  void read(const std::string& key, at::IValue& value);
  void read(const std::string& key, at::Tensor& tensor, bool is_buffer = false);
  void read(const std::string& key, InputArchive& archive);
  std::vector<std::string> keys();
  template <class... Args>
  void operator()(Args&&... args) {
    read(std::forward<Args>(args)...);
  }

 private:
  at::IValue root_;               // a dict or a module
  std::shared_ptr<void> module_;  // keeps the model of a module
  std::string path_;
};

}  // namespace serialize

// Files are LibTorch's: archives of the keys "0", "1" and so on. torch::load reads what Python's torch.save writes,
// too.
void save(const at::Tensor& value, const std::string& filename);
void save(const at::Tensor& value, std::ostream& out);
void save(const std::vector<at::Tensor>& values, const std::string& filename);
void save(const std::vector<at::Tensor>& values, std::ostream& out);
void load(at::Tensor& value, const std::string& filename, c10::optional<at::Device> device = c10::nullopt);
void load(at::Tensor& value, std::istream& in, c10::optional<at::Device> device = c10::nullopt);
void load(std::vector<at::Tensor>& values, const std::string& filename,
          c10::optional<at::Device> device = c10::nullopt);
void load(std::vector<at::Tensor>& values, std::istream& in, c10::optional<at::Device> device = c10::nullopt);

// Modules of torch::nn: what operator<< and operator>> of archives take.
template <class Value, class... To>
auto save(const Value& value, To&&... to)
    -> decltype(std::declval<serialize::OutputArchive&>() << value, static_cast<void>(0)) {
  serialize::OutputArchive archive;
  archive << value;
  archive.save_to(std::forward<To>(to)...);
}
template <class Value, class... From>
auto load(Value& value, From&&... from)
    -> decltype(std::declval<serialize::InputArchive&>() >> value, static_cast<void>(0)) {
  serialize::InputArchive archive;
  archive.load_from(std::forward<From>(from)...);
  archive >> value;
}

std::vector<char> pickle_save(const at::IValue& value);
at::IValue pickle_load(const std::vector<char>& data);

}  // namespace torch
