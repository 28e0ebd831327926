// torch::save and torch::load of tensors.
#pragma once

#include <torch/types.h>

namespace torch {

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
