// torch::serialize::InputArchive.
#include <torch/script.h>
#include <torch/serialize.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

#include "module_state.h"

namespace torch {
namespace serialize {

// A zip file that has code is a module, every other one a pickled value.
void InputArchive::load_from(const char* data, size_t size, c10::optional<at::Device> device) {
  path_.clear();
  if (wick_compat::holds_program({reinterpret_cast<const uint8_t*>(data), size})) {
    std::istringstream stream(std::string(data, size));
    auto module = std::make_shared<jit::Module>(jit::load(stream, device));
    root_ = module->_ivalue();
    module_ = std::move(module);
  } else {
    root_ = pickle_load(std::vector<char>(data, data + size));
    module_.reset();
  }
}
void InputArchive::load_from(std::istream& stream, c10::optional<at::Device> device) {
  const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  load_from(bytes.data(), bytes.size(), device);
}
void InputArchive::load_from(const std::function<size_t(uint64_t, void*, size_t)>& read_func,
                             const std::function<size_t(void)>& size_func, c10::optional<at::Device> device) {
  std::vector<char> bytes(size_func());
  TORCH_CHECK(read_func(0, bytes.data(), bytes.size()) == bytes.size(), "reading the archive failed");
  load_from(bytes.data(), bytes.size(), device);
}
void InputArchive::load_from(const std::string& filename, c10::optional<at::Device> device) {
  std::ifstream in(filename, std::ios::binary);
  TORCH_CHECK(in, "open file failed because of errno ", errno, " on fopen: , file path: ", filename);
  load_from(in, device);
}

bool InputArchive::try_read(const std::string& key, at::IValue& value) {
  if (root_.isGenericDict()) {
    const auto dict = root_.toGenericDict();
    const auto found = dict.find(key);
    if (found == dict.end()) return false;
    value = found->value();
    return true;
  }
  if (!root_.isObject() || !root_.toObject()->hasAttr(key)) return false;
  value = root_.toObject()->getAttr(key);
  return true;
}
bool InputArchive::try_read(const std::string& key, at::Tensor& tensor, bool) {
  at::IValue value;
  if (!try_read(key, value) || !value.isTensor()) return false;
  if (tensor.defined()) {
    tensor.set_data(value.toTensor());
  } else {
    tensor = value.toTensor();
  }
  return true;
}
bool InputArchive::try_read(const std::string& key, InputArchive& archive) {
  at::IValue value;
  if (!try_read(key, value) || !(value.isObject() || value.isGenericDict())) return false;
  archive.root_ = value;
  archive.module_ = module_;
  archive.path_ = path_ + key + ".";
  return true;
}
void InputArchive::read(const std::string& key, at::IValue& value) {
  TORCH_CHECK(try_read(key, value), "No such serialized IValue '", path_, key, "'");
}
void InputArchive::read(const std::string& key, at::Tensor& tensor, bool is_buffer) {
  TORCH_CHECK(try_read(key, tensor, is_buffer), "No such serialized tensor '", path_, key, "'");
}
void InputArchive::read(const std::string& key, InputArchive& archive) {
  TORCH_CHECK(try_read(key, archive), "No such serialized submodule: '", path_, key, "'");
}
std::vector<std::string> InputArchive::keys() {
  std::vector<std::string> out;
  if (root_.isGenericDict()) {
    for (const auto& entry : root_.toGenericDict()) out.push_back(entry.key().toStringRef());
  } else if (root_.isModule()) {
    for (const auto& entry : root_.toModule().named_attributes(false)) out.push_back(entry.name);
  }
  return out;
}

}  // namespace serialize
}  // namespace torch
