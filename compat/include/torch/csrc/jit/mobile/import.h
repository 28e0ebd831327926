// torch::jit::_load_for_mobile.
#pragma once

#include <torch/csrc/jit/mobile/module.h>
#include <torch/csrc/jit/serialization/import.h>

namespace torch {
namespace jit {

enum MobileModuleLoadOptions { OPERATOR_CHECK = 1, PARSE_ALL_EXTRA_FILE_MAPS = 2 };
constexpr uint64_t kDefaultMobileLoadOptions = MobileModuleLoadOptions::OPERATOR_CHECK;

mobile::Module _load_for_mobile(std::istream& in, c10::optional<at::Device> device = c10::nullopt);
mobile::Module _load_for_mobile(const std::string& filename, c10::optional<at::Device> device = c10::nullopt);
mobile::Module _load_for_mobile(std::unique_ptr<ReadAdapterInterface> rai,
                                c10::optional<c10::Device> device = c10::nullopt);
mobile::Module _load_for_mobile(const std::string& filename, c10::optional<at::Device> device,
                                ExtraFilesMap& extra_files);
mobile::Module _load_for_mobile(std::istream& in, c10::optional<at::Device> device, ExtraFilesMap& extra_files);
mobile::Module _load_for_mobile(std::unique_ptr<ReadAdapterInterface> rai, c10::optional<c10::Device> device,
                                ExtraFilesMap& extra_files, uint64_t module_load_options = kDefaultMobileLoadOptions);
mobile::Module _load_for_mobile(const std::string& filename, c10::optional<at::Device> device,
                                ExtraFilesMap& extra_files, uint64_t module_load_options);
mobile::Module _load_for_mobile(std::istream& in, c10::optional<at::Device> device, ExtraFilesMap& extra_files,
                                uint64_t module_load_options);
// Reads the named extra files alone.
void _load_extra_only_for_mobile(const std::string& filename, c10::optional<at::Device> device,
                                 ExtraFilesMap& extra_files);

namespace mobile {
std::set<std::string> _export_operator_list(torch::jit::mobile::Module& module);
}  // namespace mobile

std::map<std::string, at::Tensor> _load_parameters(const std::string& filename,
                                                   c10::optional<at::Device> device = c10::nullopt);
std::map<std::string, at::Tensor> _load_parameters(std::istream& in, c10::optional<at::Device> device = c10::nullopt);
void _save_parameters(const std::map<std::string, at::Tensor>& map, std::ostream& out, bool use_flatbuffer = false);
// Of a file for the lite interpreter; throw c10::Error for others.
uint64_t _get_model_bytecode_version(std::istream& in);
uint64_t _get_model_bytecode_version(const std::string& filename);
uint64_t _get_model_bytecode_version(const std::shared_ptr<ReadAdapterInterface> rai);
// Files and bytes of either format, as _load_for_mobile.
mobile::Module load_mobile_module_from_file(const std::string& filename,
                                            c10::optional<c10::Device> device = c10::nullopt,
                                            ExtraFilesMap* extra_files = nullptr);
mobile::Module parse_and_initialize_mobile_module(std::shared_ptr<char> data, size_t size,
                                                  c10::optional<at::Device> device = c10::nullopt,
                                                  ExtraFilesMap* extra_files = nullptr);
void _save_parameters(const std::map<std::string, at::Tensor>& map, const std::string& filename,
                      bool use_flatbuffer = false);

}  // namespace jit
}  // namespace torch
