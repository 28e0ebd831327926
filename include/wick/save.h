// Saving models and values in PyTorch's own containers. Part of the compiler library (wick::compiler).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "wick/ivalue.h"
#include "wick/module.h"

namespace wick {

// What a saved file holds. The defaults are those of PyTorch 1.13 and later.
//
//   wick::SaveOptions options;
//   options.debug_info = options.source = false;   // the smallest file
//   wick::save_lite(module, "model.ptl", options);
//
// Threads: as for reading the module; no method that changes attributes may run meanwhile.
struct SaveOptions {
  // Lite files: the bytecode version, 4 to 8. PyTorch 1.13 to 2.x write 8; older applications may need less.
  int64_t bytecode_version = 8;
  // Keep what leads from an instruction to its module and line of Python.
  bool debug_info = true;
  // Lite files: keep the TorchScript source beside the bytecode, so that torch.jit.load opens the file too.
  bool source = true;
  // Where objects restore themselves by __setstate__: keep the state the file has that the model was loaded from,
  // instead of asking their __getstate__. Right for a model that was not run since.
  bool stored_state = false;
  // Files stored beside the model, by name: besides those it was loaded with, and in place of those of the same name.
  std::map<std::string, std::string> extra_files = {};
};

// A model as a lite-interpreter file (.ptl), which PyTorch's _load_for_lite_interpreter and Wick load: the methods as
// bytecode, the module's attributes as they are now, extra files and bundled inputs. Calls are inlined, as PyTorch
// does. Throws kUnsupported for what such files cannot hold (objects of classes that are not modules), kInvalidArgument
// for an unsupported bytecode version.
std::vector<uint8_t> save_lite(const Module& module, const SaveOptions& options = {});
// The same to a file, written under a temporary name first and renamed when whole.
void save_lite(const Module& module, const std::string& path, const SaveOptions& options = {});

// A model as a TorchScript file (.pt), which torch.jit.load opens: the source the model was read with, or source
// printed from its methods when it had none, and the module's attributes as they are now. Throws kUnsupported for what
// source cannot say.
std::vector<uint8_t> save_torchscript(const Module& module, const SaveOptions& options = {});
void save_torchscript(const Module& module, const std::string& path, const SaveOptions& options = {});

// Full names of the operators a lite file of the model calls ("aten::add.Tensor"), sorted: what
// torch.jit.export_opnames gives. Operators this build lacks are listed too.
std::vector<std::string> export_opnames(const Module& module);

// A container that torch.load (weights_only too) opens: tensors, tuples, lists, dicts, strings, numbers, None.
// Tensors that share storage share it in the file. Throws kUnsupported for values it cannot hold.
std::vector<uint8_t> save_tensors(const IValue& value);
// The same to a file, written under a temporary name first and renamed when whole.
void save_tensors(const IValue& value, const std::string& path);

}  // namespace wick
