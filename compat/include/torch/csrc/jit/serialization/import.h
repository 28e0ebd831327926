// torch::jit::load.
#pragma once

#include <caffe2/serialize/read_adapter_interface.h>
#include <torch/csrc/jit/api/module.h>

namespace caffe2 {
namespace serialize {
class PyTorchStreamReader;
}
}  // namespace caffe2

namespace torch {
namespace jit {

using caffe2::serialize::ReadAdapterInterface;

// A TorchScript or lite-interpreter file: the content tells which. Of extra files, those named in the map are read.
Module load(const std::string& filename, c10::optional<c10::Device> device = c10::nullopt);
Module load(std::istream& in, c10::optional<c10::Device> device = c10::nullopt);
Module load(std::shared_ptr<ReadAdapterInterface> rai, c10::optional<c10::Device> device = c10::nullopt);
Module load(const std::string& filename, c10::optional<c10::Device> device, ExtraFilesMap& extra_files);
Module load(std::istream& in, c10::optional<c10::Device> device, ExtraFilesMap& extra_files);
Module load(std::shared_ptr<ReadAdapterInterface> rai, c10::optional<c10::Device> device, ExtraFilesMap& extra_files);
inline Module load(const char* filename, c10::optional<c10::Device> device = c10::nullopt) {
  return load(std::string(filename), device);
}

// What torch.save writes, without a container of its own for modules: tensors, tuples, lists, dicts, strings, numbers.
std::vector<char> pickle_save(const IValue& value);
IValue pickle_load(const std::vector<char>& data);

// The value as a pickle of its own. Tensors' storages are added to the table, by which unpickle() finds them; without
// one, there must be no tensors. Objects of classes are refused.
std::vector<char> pickle(const IValue& ivalue, std::vector<at::Tensor>* tensor_table = nullptr);
void pickle(std::function<void(const char* data_start, size_t data_len)> writer, const IValue& ivalue,
            std::vector<at::Tensor>* tensor_table = nullptr);
using TypeResolver = std::function<c10::TypePtr(const c10::QualifiedName&)>;
IValue unpickle(const char* data, size_t size, TypeResolver type_resolver = nullptr,
                c10::ArrayRef<at::Tensor> tensor_table = {});
IValue unpickle(std::function<size_t(char*, size_t)> reader, TypeResolver type_resolver = nullptr,
                c10::ArrayRef<at::Tensor> tensor_table = {});

namespace script {
using jit::load;
}  // namespace script

}  // namespace jit
}  // namespace torch
