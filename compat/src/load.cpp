// torch::jit::load, _load_for_mobile, torch::save and torch::load of tensors, read adapters.
#include <caffe2/serialize/read_adapter_interface.h>
#include <torch/csrc/jit/mobile/import.h>
#include <torch/serialize.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "archive/archive.h"
#include "bridge.h"
#include "module_state.h"
#include "observer.h"
#include "wick/inspect.h"
#include "wick/module.h"

namespace wick_compat {

bool holds_program(std::span<const uint8_t> bytes) {
  try {
    // Only read.
    const wick::ZipReader zip(wick::ByteSource::borrow(const_cast<uint8_t*>(bytes.data()), bytes.size()));
    return zip.has_any("code/") || zip.has("bytecode.pkl") || zip.has("constants.pkl");
  } catch (const wick::Error&) {
    return false;  // no zip file
  }
}

}  // namespace wick_compat

namespace torch {
namespace jit {
using namespace wick_compat;
namespace {

using Bytes = std::vector<uint8_t>;

Bytes read_all(std::istream& in) {
  Bytes bytes;
  char chunk[1 << 16];
  while (in.read(chunk, sizeof chunk) || in.gcount() > 0) bytes.insert(bytes.end(), chunk, chunk + in.gcount());
  return bytes;
}

Bytes read_all(const ReadAdapterInterface& adapter) {
  Bytes bytes(adapter.size());
  if (!bytes.empty()) {
    const size_t got = adapter.read(0, bytes.data(), bytes.size(), "reading file");
    TORCH_CHECK(got == bytes.size(), "reading file: got ", got, " of ", bytes.size(), " bytes");
  }
  return bytes;
}

void check_exists(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  TORCH_CHECK(file, "open file failed because of errno ", errno, " on fopen: ", ", file path: ", path);
  std::fclose(file);
}

void take_extra_files(const wick::Module& module, ExtraFilesMap* wanted, bool all = false) {
  if (!wanted) return;
  for (const auto& file : module.extra_files()) {
    const auto it = wanted->find(file.first);
    if (it != wanted->end()) {
      it->second = file.second;
    } else if (all) {
      wanted->emplace(file.first, file.second);
    }
  }
}

struct Request {
  c10::optional<c10::Device> device;
  ExtraFilesMap* extra_files = nullptr;
  uint64_t options = kDefaultMobileLoadOptions;
  bool is_script = true;
};

// `source` is a path or the file's bytes.
template <class Source>
std::shared_ptr<void> load_from(const Source& source, const Request& request) {
  if (request.device) (void)w(*request.device);  // refuses those that there are not
  wick::LoadOptions options;
  options.allow_missing_operators = !(request.options & OPERATOR_CHECK);
  try {
    wick::Module module = wick::load(source, options);
    take_extra_files(module, request.extra_files, !request.is_script && (request.options & PARSE_ALL_EXTRA_FILE_MAPS));
    return whole(std::move(module), request.is_script);
  } catch (...) {
    rethrow();
  }
}
std::shared_ptr<void> load_path(const std::string& path, const Request& request) {
  check_exists(path);
  return load_from(path, request);
}
std::shared_ptr<void> load_bytes(const Bytes& bytes, const Request& request) {
  return load_from(std::span<const uint8_t>(bytes), request);
}

}  // namespace

Module load(const std::string& filename, c10::optional<c10::Device> device) {
  return Module(load_path(filename, {device}));
}
Module load(std::istream& in, c10::optional<c10::Device> device) { return Module(load_bytes(read_all(in), {device})); }
Module load(std::shared_ptr<ReadAdapterInterface> rai, c10::optional<c10::Device> device) {
  return Module(load_bytes(read_all(*rai), {device}));
}
Module load(const std::string& filename, c10::optional<c10::Device> device, ExtraFilesMap& extra_files) {
  return Module(load_path(filename, {device, &extra_files}));
}
Module load(std::istream& in, c10::optional<c10::Device> device, ExtraFilesMap& extra_files) {
  return Module(load_bytes(read_all(in), {device, &extra_files}));
}
Module load(std::shared_ptr<ReadAdapterInterface> rai, c10::optional<c10::Device> device, ExtraFilesMap& extra_files) {
  return Module(load_bytes(read_all(*rai), {device, &extra_files}));
}

namespace {

mobile::Module load_mobile(const std::string& path, c10::optional<at::Device> device, ExtraFilesMap* extra_files,
                           uint64_t options) {
  std::error_code unknown;
  const auto size = observerConfig().getModuleObserver() ? std::filesystem::file_size(path, unknown) : 0;
  return observed_load(extra_files, unknown ? 0 : size, [&](ExtraFilesMap* files) {
    return mobile::Module(load_path(path, {device, files, options, false}));
  });
}
mobile::Module load_mobile(const Bytes& bytes, c10::optional<at::Device> device, ExtraFilesMap* extra_files,
                           uint64_t options) {
  return observed_load(extra_files, bytes.size(), [&](ExtraFilesMap* files) {
    return mobile::Module(load_bytes(bytes, {device, files, options, false}));
  });
}

}  // namespace

mobile::Module _load_for_mobile(std::istream& in, c10::optional<at::Device> device) {
  return load_mobile(read_all(in), device, nullptr, kDefaultMobileLoadOptions);
}
mobile::Module _load_for_mobile(const std::string& filename, c10::optional<at::Device> device) {
  return load_mobile(filename, device, nullptr, kDefaultMobileLoadOptions);
}
mobile::Module _load_for_mobile(std::unique_ptr<ReadAdapterInterface> rai, c10::optional<c10::Device> device) {
  return load_mobile(read_all(*rai), device, nullptr, kDefaultMobileLoadOptions);
}
mobile::Module _load_for_mobile(const std::string& filename, c10::optional<at::Device> device,
                                ExtraFilesMap& extra_files) {
  return _load_for_mobile(filename, device, extra_files, kDefaultMobileLoadOptions);
}
mobile::Module _load_for_mobile(std::istream& in, c10::optional<at::Device> device, ExtraFilesMap& extra_files) {
  return _load_for_mobile(in, device, extra_files, kDefaultMobileLoadOptions);
}
mobile::Module _load_for_mobile(std::unique_ptr<ReadAdapterInterface> rai, c10::optional<c10::Device> device,
                                ExtraFilesMap& extra_files, uint64_t options) {
  return load_mobile(read_all(*rai), device, &extra_files, options);
}
mobile::Module _load_for_mobile(const std::string& filename, c10::optional<at::Device> device,
                                ExtraFilesMap& extra_files, uint64_t options) {
  return load_mobile(filename, device, &extra_files, options);
}
mobile::Module _load_for_mobile(std::istream& in, c10::optional<at::Device> device, ExtraFilesMap& extra_files,
                                uint64_t options) {
  return load_mobile(read_all(in), device, &extra_files, options);
}
void _load_extra_only_for_mobile(const std::string& filename, c10::optional<at::Device> device,
                                 ExtraFilesMap& extra_files) {
  (void)load_path(filename, {device, &extra_files, 0, false});
}

namespace mobile {
std::set<std::string> _export_operator_list(torch::jit::mobile::Module& module) {
  const std::vector<std::string> names = state_of(module.state()).module.operators();
  return std::set<std::string>(names.begin(), names.end());
}
}  // namespace mobile

std::vector<std::string> export_opnames(const Module& module) {
  std::vector<std::string> names = state_of(module.state()).module.operators();
  std::sort(names.begin(), names.end());
  return names;
}

mobile::Module load_mobile_module_from_file(const std::string& filename, c10::optional<c10::Device> device,
                                            ExtraFilesMap* extra_files) {
  return load_mobile(filename, device, extra_files, kDefaultMobileLoadOptions);
}
mobile::Module parse_and_initialize_mobile_module(std::shared_ptr<char> data, size_t size,
                                                  c10::optional<at::Device> device, ExtraFilesMap* extra_files) {
  return load_mobile(Bytes(data.get(), data.get() + size), device, extra_files, kDefaultMobileLoadOptions);
}

namespace {
uint64_t bytecode_version_of(const Bytes& bytes) {
  try {
    wick::LoadOptions options;
    options.allow_missing_operators = true;
    const int64_t version = wick::inspect_model(wick::load(std::span<const uint8_t>(bytes), options)).bytecode_version;
    TORCH_CHECK(version > 0, "The model has no bytecode: it was not saved for the lite interpreter");
    return static_cast<uint64_t>(version);
  } catch (...) {
    rethrow();
  }
}
}  // namespace
uint64_t _get_model_bytecode_version(std::istream& in) { return bytecode_version_of(read_all(in)); }
uint64_t _get_model_bytecode_version(const std::string& filename) {
  check_exists(filename);
  std::ifstream in(filename, std::ios::binary);
  return _get_model_bytecode_version(in);
}
uint64_t _get_model_bytecode_version(const std::shared_ptr<ReadAdapterInterface> rai) {
  return bytecode_version_of(read_all(*rai));
}

std::map<std::string, at::Tensor> _load_parameters(std::istream& in, c10::optional<at::Device>) {
  const Bytes bytes = read_all(in);
  const IValue value = pickle_load(std::vector<char>(bytes.begin(), bytes.end()));
  TORCH_CHECK(value.isGenericDict(), "Unrecognized data format");
  std::map<std::string, at::Tensor> out;
  for (const auto& entry : value.toGenericDict()) out.emplace(entry.key().toStringRef(), entry.value().toTensor());
  return out;
}
std::map<std::string, at::Tensor> _load_parameters(const std::string& filename, c10::optional<at::Device>) {
  check_exists(filename);
  std::map<std::string, at::Tensor> out;
  try {
    wick::IValue value = wick::load_tensors(filename);
    TORCH_CHECK(value.is_dict(), "Unrecognized data format");
    for (const auto& entry : value.to_dict().entries())
      out.emplace(entry.first.to_string(), a(entry.second.to_tensor()));
    return out;
  } catch (...) {
    rethrow();
  }
}

IValue pickle_load(const std::vector<char>& data) {
  // Wick reads such containers from files.
  char name[] = "/tmp/wick_pickle_XXXXXX";
  const int fd = mkstemp(name);
  TORCH_CHECK(fd >= 0, "no temporary file can be made: ", std::strerror(errno));
  std::FILE* file = fdopen(fd, "wb");
  const bool written = file && std::fwrite(data.data(), 1, data.size(), file) == data.size() && std::fclose(file) == 0;
  try {
    TORCH_CHECK(written, "a temporary file cannot be written: ", std::strerror(errno));
    IValue value = a(wick::load_tensors(name));
    std::remove(name);
    return value;
  } catch (...) {
    std::remove(name);
    rethrow();
  }
}

}  // namespace jit

IValue pickle_load(const std::vector<char>& data) { return jit::pickle_load(data); }

namespace {

std::vector<at::Tensor> tensors_in(const IValue& value) {
  if (value.isTensor()) return {value.toTensor()};
  if (value.isTuple()) {
    std::vector<at::Tensor> out;
    for (const IValue& v : value.toTupleRef().elements()) out.push_back(v.toTensor());
    return out;
  }
  if (value.isList()) return c10::detail::FromIValue<std::vector<at::Tensor>>::get(value);
  // What torch::save of LibTorch writes: a module whose attributes are the tensors.
  std::vector<at::Tensor> out;
  TORCH_CHECK(value.isObject(), "The file holds no tensors but a ", value.tagKind());
  for (const IValue& v : value.toObjectRef().slots()) {
    if (v.isTensor()) out.push_back(v.toTensor());
  }
  return out;
}

// torch::save of LibTorch writes a TorchScript archive, torch.save of Python another: both are read.
IValue read_values(const std::vector<uint8_t>& bytes) {
  if (!wick_compat::holds_program(bytes)) return pickle_load(std::vector<char>(bytes.begin(), bytes.end()));
  try {
    return jit::IValue(jit::Module(wick_compat::whole(wick::load(std::span<const uint8_t>(bytes)), false))._ivalue());
  } catch (...) {
    wick_compat::rethrow();
  }
}

}  // namespace

void load(at::Tensor& value, std::istream& in, c10::optional<at::Device>) {
  const std::vector<at::Tensor> all = tensors_in(read_values(jit::read_all(in)));
  TORCH_CHECK(!all.empty(), "The file holds no tensor");
  value = all[0];
}
void load(at::Tensor& value, const std::string& filename, c10::optional<at::Device> device) {
  jit::check_exists(filename);
  std::ifstream in(filename, std::ios::binary);
  load(value, in, device);
}
void load(std::vector<at::Tensor>& values, std::istream& in, c10::optional<at::Device>) {
  values = tensors_in(read_values(jit::read_all(in)));
}
void load(std::vector<at::Tensor>& values, const std::string& filename, c10::optional<at::Device> device) {
  jit::check_exists(filename);
  std::ifstream in(filename, std::ios::binary);
  load(values, in, device);
}

}  // namespace torch

namespace caffe2 {
namespace serialize {

FileAdapter::FileAdapter(const std::string& path) : file_(std::fopen(path.c_str(), "rb")), size_(0) {
  TORCH_CHECK(file_, "open file failed because of errno ", errno, " on fopen: ", ", file path: ", path);
  std::FILE* file = static_cast<std::FILE*>(file_);
  std::fseek(file, 0, SEEK_END);
  size_ = static_cast<uint64_t>(std::ftell(file));
}
FileAdapter::~FileAdapter() { std::fclose(static_cast<std::FILE*>(file_)); }
size_t FileAdapter::size() const { return size_; }
size_t FileAdapter::read(uint64_t pos, void* buf, size_t n, const char*) const {
  std::FILE* file = static_cast<std::FILE*>(file_);
  if (pos > size_ || std::fseek(file, static_cast<long>(pos), SEEK_SET) != 0) return 0;
  return std::fread(buf, 1, std::min<uint64_t>(n, size_ - pos), file);
}

size_t IStreamAdapter::size() const {
  const auto at = in_->tellg();
  in_->seekg(0, in_->end);
  const auto end = in_->tellg();
  in_->seekg(at);
  return static_cast<size_t>(end);
}
size_t IStreamAdapter::read(uint64_t pos, void* buf, size_t n, const char* what) const {
  in_->seekg(static_cast<std::streamoff>(pos));
  in_->read(static_cast<char*>(buf), static_cast<std::streamsize>(n));
  TORCH_CHECK(*in_, "istream reader failed: ", what, ".");
  return n;
}

size_t MemoryReadAdapter::read(uint64_t pos, void* buf, size_t n, const char*) const {
  if (pos >= size()) return 0;
  const size_t count = std::min(n, size() - static_cast<size_t>(pos));
  std::memcpy(buf, static_cast<const char*>(data_) + pos, count);
  return count;
}

}  // namespace serialize
}  // namespace caffe2
