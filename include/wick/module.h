// Loading a model and running it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wick/backend.h"
#include "wick/ivalue.h"
#include "wick/options.h"

namespace wick {

class ModuleState;

// An argument of a method, as the file declares it.
struct MethodArgument {
  std::string name;
  std::string type;  // "Tensor", "List[int]", ...
  bool has_default = false;
  IValue default_value;
};
// What a method takes and gives, as the file declares it.
//
//   for (const wick::MethodInfo& method : module.methods()) std::puts(method.name.c_str());
struct MethodInfo {
  std::string name;
  std::vector<MethodArgument> arguments;  // without self
  std::string return_type;                // empty when the file does not state it
};

class Method;

// A loaded model. Copies share the model and its attributes; it is freed with the last copy, Method or running call.
// Values that come out of it (results, attributes) stay valid after that.
//
//   wick::Module module = wick::load("model.ptl");
//   wick::IValue result = module.forward({wick::Tensor::zeros({1, 3, 224, 224})});
//   const float* scores = result.to_tensor().data_ptr<const float>();
//
// Threads: const members may be called from several threads at once, methods of the model included; attributes that a
// method changes are changed for all. Members that are not const need the model to themselves: no call may be running.
// A run uses the threads of set_num_threads besides the calling one.
class Module {
 public:
  // An empty module: members throw kInvalidArgument until a loaded one is assigned.
  Module() = default;

  // Runs the model as Python's `module(x)` does: forward pre-hooks, forward, forward hooks. A model without hooks, as
  // every lite-interpreter file is, just runs "forward". Arguments and errors as for forward().
  IValue operator()(std::vector<IValue> args) const;
  // Runs "forward" alone, as torch::jit::Module::forward does. Missing trailing arguments take their defaults. Throws
  // Error: kInvalidArgument for a wrong argument count or type, kModelException for an exception the model raises, or
  // what an operator throws.
  IValue forward(std::vector<IValue> args) const;
  // The same within bounds: kCancelled, kDeadlineExceeded or kLimitExceeded when they are reached.
  IValue forward(std::vector<IValue> args, const RunOptions& options) const;
  // Runs any method; kNotFound, with the names there are, when it does not exist.
  IValue run_method(std::string_view name, std::vector<IValue> args) const;
  // By keyword: values in `named` are matched to arguments by name.
  IValue run_method(std::string_view name, std::vector<IValue> args, const std::map<std::string, IValue>& named) const;
  IValue run_method(std::string_view name, std::vector<IValue> args, const std::map<std::string, IValue>& named,
                    const RunOptions& options) const;

  // Planning is on by default: the first run with inputs of new shapes prepares the method for them, further runs
  // are faster and take memory for intermediate results once. Answers are the same either way. Plans take the
  // module's tensors as they are: after writing into one from outside, switch planning off and on again, or give it to
  // setattr().
  void set_planning(bool on);
  // Plans may compute 3x3 convolutions by Winograd's method, which is faster and rounds differently (by less than 1e-4
  // of a layer's largest value). On: they don't. Off by default.
  void set_exact(bool on);
  // What the processor computes floating-point layers in; kAuto until this is called. Models stored in float16 compute
  // in float16 with kFloat16 alone, too. How far results of float16 are off is in docs/kernels.md. Needs planning, and
  // set_exact() goes before it. A GPU has BackendOptions::precision.
  void set_precision(Precision precision);
  // Where runs compute, from the next one on; kCpu until this is called. On a GPU, results that round differently are
  // as close as docs/gpu.md says, and what it can't do runs on the processor. Throws kUnsupported, with what to
  // install, when there is no GPU (kAuto: stays with the processor). Needs planning. When a run fails because the GPU
  // is lost or has no memory left (kIo, kOutOfMemory), set_backend(kCpu) makes the module usable again.
  void set_backend(Backend backend, const BackendOptions& options = {});
  // Threads that an operator of this module's runs may use, the calling one included, and no more than
  // set_num_threads() says; 0, the default: as many. RunOptions::max_threads of a run may lower it further.
  void set_max_threads(int n);

  bool has_method(std::string_view name) const;
  std::vector<MethodInfo> methods() const;
  // A method as a callable; kNotFound, with the names there are, when it does not exist.
  Method get_method(std::string_view name) const;

  // An attribute of the module; dots reach into submodules ("layer1.0.weight"). kNotFound when absent.
  IValue attr(std::string_view path) const;
  // Gives an attribute, found as attr() finds it, a new value; later runs see it, whether planned or not. The value
  // must be of the attribute's declared type (TorchScript files declare them, lite files do not) or convert to it as an
  // argument would: an int to a float, a list to a typed one. Throws kNotFound when the attribute does not exist,
  // kInvalidArgument for a value of another type.
  void setattr(std::string_view path, IValue value);
  // Tensors of the module and its submodules by path. TorchScript files say what is a parameter and what a buffer; of
  // others, parameters are the tensors that require a gradient.
  std::vector<std::pair<std::string, Tensor>> named_parameters() const;
  std::vector<std::pair<std::string, Tensor>> named_buffers() const;

  // Switches the module and its submodules to training or to inference: sets their attribute "training". A module that
  // has none (frozen, or stored without it) stays as it is.
  void train(bool on = true);
  void eval() { train(false); }

  // Files stored beside the model ("metadata.json"). kNotFound when absent.
  const std::map<std::string, std::string>& extra_files() const;

  // Inputs stored with the model for a method: one list of arguments each; empty when there are none.
  std::vector<std::vector<IValue>> bundled_inputs(std::string_view method = "forward") const;
  IValue run_on_bundled_input(size_t index, std::string_view method = "forward") const;

  // Names of operators the model uses ("aten::add.Tensor").
  std::vector<std::string> operators() const;

 private:
  friend class ModuleAccess;
  explicit Module(std::shared_ptr<ModuleState> state) : state_(std::move(state)) {}
  std::shared_ptr<ModuleState> state_;
};

// A method of a module, to be called by its own name or passed on. Shares the module, and is found again by name at
// each call.
//
//   wick::Method encode = module.get_method("encode");
//   wick::IValue code = encode({image});
//
// Threads: as Module's const members.
class Method {
 public:
  const std::string& name() const noexcept { return name_; }
  MethodInfo info() const;
  // As Module::run_method.
  IValue operator()(std::vector<IValue> args) const { return module_.run_method(name_, std::move(args)); }
  IValue operator()(std::vector<IValue> args, const std::map<std::string, IValue>& named) const {
    return module_.run_method(name_, std::move(args), named);
  }
  IValue operator()(std::vector<IValue> args, const std::map<std::string, IValue>& named,
                    const RunOptions& options) const {
    return module_.run_method(name_, std::move(args), named, options);
  }

 private:
  friend class Module;
  Method(Module module, std::string_view name) : module_(std::move(module)), name_(name) {}
  Module module_;
  std::string name_;
};

inline IValue Module::forward(std::vector<IValue> args) const { return run_method("forward", std::move(args)); }
inline IValue Module::forward(std::vector<IValue> args, const RunOptions& options) const {
  return run_method("forward", std::move(args), {}, options);
}
inline IValue Module::run_method(std::string_view name, std::vector<IValue> args) const {
  return run_method(name, std::move(args), {});
}
inline std::vector<std::vector<IValue>> Module::bundled_inputs(std::string_view method) const {
  std::string getter = "get_all_bundled_inputs_for_" + std::string(method);
  if (!has_method(getter) && method == "forward") getter = "get_all_bundled_inputs";
  std::vector<std::vector<IValue>> out;
  if (!has_method(getter)) return out;
  const IValue all = run_method(getter, {});
  for (const IValue& example : all.to_list().items) out.push_back(example.to_tuple().items);
  return out;
}

// Loads a lite-interpreter file (.ptl, zip or flatbuffer) or a TorchScript file (.pt); the content tells which. The
// file is mapped, unless options.copy; weights are not copied. Throws Error: kNotFound, kIo, kCorruptFile,
// kUnsupportedVersion, kMissingOperator.
Module load(const std::string& path, const LoadOptions& options = {});
// From memory; the bytes are copied.
Module load(std::span<const uint8_t> bytes, const LoadOptions& options = {});
// From an open file descriptor: `length` bytes at `offset` (length 0: to the end of the file).
// The descriptor may be closed afterwards.
Module load(int fd, uint64_t offset, uint64_t length, const LoadOptions& options = {});

// Threads an operator may use, the calling one included; 0: the default.
void set_num_threads(int n);
int num_threads();
// Seeds the default random generator, as torch.manual_seed.
void manual_seed(uint64_t seed);

// Reads what torch.save writes: tensors, tuples, lists, dicts, strings, numbers.
IValue load_tensors(const std::string& path);

}  // namespace wick
