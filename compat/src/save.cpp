// Module::save, _save_for_mobile, torch::save: what needs Wick's compiler library, apart so that programs that only
// run models do not link it.
#include <torch/csrc/jit/mobile/import.h>
#include <torch/serialize.h>

#include <fstream>

#include "bridge.h"
#include "module_state.h"
#include "wick/save.h"

namespace torch {
using namespace wick_compat;
namespace {

using Bytes = std::vector<uint8_t>;

void write(std::ostream& out, const Bytes& bytes) {
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  TORCH_CHECK(out, "writing to the stream failed");
}
void write(const std::string& path, const Bytes& bytes) {
  std::ofstream out(path, std::ios::binary);
  TORCH_CHECK(out, "open file failed, file path: ", path);
  write(out, bytes);
}

void refuse(const jit::ExtraFilesMap& extra_files, bool use_flatbuffer) {
  TORCH_CHECK(extra_files.empty(), "Wick saves a module with the extra files it was loaded with, not with others");
  TORCH_CHECK(!use_flatbuffer, "Wick writes no flatbuffer models");
}

Bytes script_bytes(const jit::Module& module) {
  try {
    return wick::save_torchscript(state_of(module.state()).module);
  } catch (...) {
    rethrow();
  }
}
Bytes lite_bytes(const jit::Module& module, bool debug_info) {
  try {
    wick::SaveOptions options;
    options.debug_info = debug_info;
    return wick::save_lite(state_of(module.state()).module, options);
  } catch (...) {
    rethrow();
  }
}
Bytes value_bytes(const IValue& value) {
  try {
    return wick::save_tensors(w(value));
  } catch (...) {
    rethrow();
  }
}

}  // namespace

namespace jit {

void Module::save(std::ostream& out, const ExtraFilesMap& extra_files) const {
  refuse(extra_files, false);
  write(out, script_bytes(*this));
}
void Module::save(const std::string& filename, const ExtraFilesMap& extra_files) const {
  refuse(extra_files, false);
  write(filename, script_bytes(*this));
}
void Module::_save_for_mobile(std::ostream& out, const ExtraFilesMap& extra_files, bool debug_info,
                              bool flatbuffer) const {
  refuse(extra_files, flatbuffer);
  write(out, lite_bytes(*this, debug_info));
}
void Module::_save_for_mobile(const std::string& filename, const ExtraFilesMap& extra_files, bool debug_info,
                              bool flatbuffer) const {
  refuse(extra_files, flatbuffer);
  write(filename, lite_bytes(*this, debug_info));
}
Module Module::deepcopy(c10::optional<at::Device>) const {
  const Bytes bytes = script_bytes(*this);
  try {
    return Module(whole(wick::load(std::span<const uint8_t>(bytes)), true));
  } catch (...) {
    rethrow();
  }
}
Module Module::clone(bool) const { return deepcopy(); }

std::vector<char> pickle_save(const IValue& value) {
  const Bytes bytes = value_bytes(value);
  return std::vector<char>(bytes.begin(), bytes.end());
}
void _save_parameters(const std::map<std::string, at::Tensor>& map, const std::string& filename, bool) {
  c10::Dict<std::string, at::Tensor> dict;
  for (const auto& entry : map) dict.insert(entry.first, entry.second);
  write(filename, value_bytes(dict));
}

}  // namespace jit

std::vector<char> pickle_save(const IValue& value) { return jit::pickle_save(value); }
void save(const at::Tensor& value, std::ostream& out) { write(out, value_bytes(value)); }
void save(const at::Tensor& value, const std::string& filename) { write(filename, value_bytes(value)); }
void save(const std::vector<at::Tensor>& values, std::ostream& out) { write(out, value_bytes(values)); }
void save(const std::vector<at::Tensor>& values, const std::string& filename) { write(filename, value_bytes(values)); }

}  // namespace torch
