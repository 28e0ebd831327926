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

Bytes script_bytes(const jit::Module& module, const jit::ExtraFilesMap& extra_files = {}) {
  try {
    wick::SaveOptions options;
    options.extra_files.insert(extra_files.begin(), extra_files.end());
    return wick::save_torchscript(state_of(module.state()).module, options);
  } catch (...) {
    rethrow();
  }
}
Bytes lite_bytes(const jit::Module& module, const jit::ExtraFilesMap& extra_files, bool debug_info, bool flatbuffer) {
  TORCH_CHECK(!flatbuffer, "Wick writes no flatbuffer models");
  try {
    wick::SaveOptions options;
    options.debug_info = debug_info;
    options.extra_files.insert(extra_files.begin(), extra_files.end());
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
  write(out, script_bytes(*this, extra_files));
}
void Module::save(const std::string& filename, const ExtraFilesMap& extra_files) const {
  write(filename, script_bytes(*this, extra_files));
}
void Module::_save_for_mobile(std::ostream& out, const ExtraFilesMap& extra_files, bool debug_info,
                              bool flatbuffer) const {
  write(out, lite_bytes(*this, extra_files, debug_info, flatbuffer));
}
void Module::_save_for_mobile(const std::string& filename, const ExtraFilesMap& extra_files, bool debug_info,
                              bool flatbuffer) const {
  write(filename, lite_bytes(*this, extra_files, debug_info, flatbuffer));
}
Module Module::deepcopy(c10::optional<at::Device>) const {
  const Bytes bytes = script_bytes(*this);
  try {
    Module all(whole(wick::load(std::span<const uint8_t>(bytes)), true));
    // A file holds a whole model: of a part of one, the copied part is given.
    const std::string& path = state_of(state_).path;
    return path.empty() ? all : Module(part_of(state_of(all.state()), state_of(all.state()).module.attr(path), path));
  } catch (...) {
    rethrow();
  }
}
Module Module::clone(bool) const { return deepcopy(); }

std::vector<char> pickle_save(const IValue& value) {
  const Bytes bytes = value_bytes(value);
  return std::vector<char>(bytes.begin(), bytes.end());
}
void _save_parameters(const std::map<std::string, at::Tensor>& map, std::ostream& out, bool) {
  c10::Dict<std::string, at::Tensor> dict;
  for (const auto& entry : map) dict.insert(entry.first, entry.second);
  const Bytes bytes = value_bytes(dict);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}
void _save_parameters(const std::map<std::string, at::Tensor>& map, const std::string& filename, bool) {
  c10::Dict<std::string, at::Tensor> dict;
  for (const auto& entry : map) dict.insert(entry.first, entry.second);
  write(filename, value_bytes(dict));
}

}  // namespace jit

std::vector<char> pickle_save(const IValue& value) { return jit::pickle_save(value); }

namespace {
serialize::OutputArchive archive_of(at::ArrayRef<at::Tensor> values) {
  serialize::OutputArchive archive;
  for (size_t i = 0; i < values.size(); ++i) archive.write(std::to_string(i), values[i]);
  return archive;
}
}  // namespace
void save(const at::Tensor& value, std::ostream& out) { archive_of(value).save_to(out); }
void save(const at::Tensor& value, const std::string& filename) { archive_of(value).save_to(filename); }
void save(const std::vector<at::Tensor>& values, std::ostream& out) { archive_of(values).save_to(out); }
void save(const std::vector<at::Tensor>& values, const std::string& filename) { archive_of(values).save_to(filename); }

}  // namespace torch
