// TORCH_LIBRARY, TORCH_LIBRARY_FRAGMENT, TORCH_LIBRARY_IMPL and RegisterOperators: operators of the application's own.
// Models that call them are loaded after they are registered. Kernels for devices other than the CPU are left aside.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/boxing.h>
#include <torch/custom_class.h>

namespace c10 {

enum class DispatchKey : uint16_t {
  Undefined,
  CPU,
  CUDA,
  HIP,
  XLA,
  MPS,
  Vulkan,
  Metal,
  Meta,
  QuantizedCPU,
  QuantizedCUDA,
  SparseCPU,
  SparseCUDA,
  MkldnnCPU,
  BackendSelect,
  ADInplaceOrView,
  AutogradOther,
  Autograd,
  AutogradCPU,
  AutogradCUDA,
  Tracer,
  Autocast,
  AutocastCPU,
  AutocastCUDA,
  CompositeImplicitAutograd,
  CompositeExplicitAutograd,
  CatchAll = CompositeImplicitAutograd,
};
enum class AliasAnalysisKind : uint8_t { INTERNAL_SPECIAL_CASE, CONSERVATIVE, FROM_SCHEMA, PURE_FUNCTION };
inline DispatchKey dispatch_key_of(DispatchKey key) { return key; }
inline DispatchKey dispatch_key_of(DeviceType type) {
  return type == DeviceType::CPU ? DispatchKey::CPU : DispatchKey::CUDA;
}

}  // namespace c10

namespace wick_compat {

// Both may come in either order; the operator is there when both have. Names are "namespace::name.overload". Throw
// c10::Error for what cannot be read and for a second definition. May be called by static initializers.
std::string define_operator(const std::string& name_space, const std::string& schema);  // gives the full name
void implement_operator(const std::string& full_name, c10::DispatchKey key, BoxedFunction kernel);
void remove_operator(const std::string& full_name) noexcept;
std::string qualified(const std::string& name_space, const std::string& name);
BoxedFunction kernel_on_stack(void (*function)(const c10::OperatorHandle&, torch::jit::Stack*), std::string full_name);

}  // namespace wick_compat

namespace torch {

using c10::DispatchKey;
struct OperatorSchema {
  std::string text;
};
inline OperatorSchema schema(const char* text, c10::AliasAnalysisKind = c10::AliasAnalysisKind::FROM_SCHEMA) {
  return {text};
}

template <class F, F* function>
struct CompileTimeFunction {};
#define TORCH_FN_TYPE(func) ::torch::CompileTimeFunction<typename std::remove_pointer<decltype(&func)>::type, &func>
#define TORCH_FN(func) TORCH_FN_TYPE(func)()

class CppFunction final {
 public:
  template <class F, F* function>
  CppFunction(CompileTimeFunction<F, function>) : CppFunction(function) {}
  template <class F, class = decltype(wick_compat::inferred_schema<typename std::decay<F>::type>())>
  CppFunction(F&& f)
      : kernel(wick_compat::box(typename std::decay<F>::type(std::forward<F>(f)))),
        inferred(wick_compat::inferred_schema<typename std::decay<F>::type>()) {}
  static CppFunction makeFallthrough() { return CppFunction(); }
  // A kernel that takes its arguments from the end of a stack and leaves its results there.
  using BoxedKernel = void(const c10::OperatorHandle&, torch::jit::Stack*);
  template <BoxedKernel* function>
  static CppFunction makeFromBoxedFunction() {
    CppFunction out;
    out.boxed = function;
    return out;
  }
  // What implements the operator of this full name.
  wick_compat::BoxedFunction kernel_of(const std::string& full_name) {
    return boxed ? wick_compat::kernel_on_stack(boxed, full_name) : std::move(kernel);
  }

  wick_compat::BoxedFunction kernel;  // empty: falls through, or is boxed
  BoxedKernel* boxed = nullptr;
  std::string inferred;
  DispatchKey key = DispatchKey::Undefined;

 private:
  CppFunction() = default;
};
template <class Key, class F>
CppFunction dispatch(Key key, F&& f) {
  CppFunction out(std::forward<F>(f));
  out.key = c10::dispatch_key_of(key);
  return out;
}

// What TORCH_LIBRARY gives to its block. Operators are there as long as it lives.
class Library final {
 public:
  enum Kind { DEF, IMPL, FRAGMENT };
  Library(Kind, std::string name_space, DispatchKey key) : namespace_(std::move(name_space)), key_(key) {}
  Library(Library&&) = default;
  Library(const Library&) = delete;
  ~Library() {
    for (const std::string& name : defined_) wick_compat::remove_operator(name);
  }

  Library& def(const char* text) & {
    defined_.push_back(wick_compat::define_operator(namespace_, text));
    return *this;
  }
  Library& def(const std::string& text) & { return def(text.c_str()); }
  Library& def(const OperatorSchema& s) & { return def(s.text); }
  template <class F>
  Library& def(const std::string& name_or_schema, F&& f) & {
    CppFunction function(std::forward<F>(f));
    const bool is_schema = name_or_schema.find('(') != std::string::npos;
    def(is_schema ? name_or_schema : name_or_schema + function.inferred);
    wick_compat::implement_operator(defined_.back(), function.key, function.kernel_of(defined_.back()));
    return *this;
  }
  template <class F>
  Library& def(const OperatorSchema& s, F&& f) & {
    return def(s.text, std::forward<F>(f));
  }
  template <class F>
  Library& impl(const std::string& name, F&& f) & {
    CppFunction function(std::forward<F>(f));
    const DispatchKey key = function.key == DispatchKey::Undefined ? key_ : function.key;
    const std::string full_name = wick_compat::qualified(namespace_, name);
    wick_compat::implement_operator(full_name, key, function.kernel_of(full_name));
    return *this;
  }
  template <class Key, class F>
  Library& impl(const std::string& name, Key key, F&& f) & {
    return impl(name, torch::dispatch(key, std::forward<F>(f)));
  }
  template <class F>
  Library& fallback(F&&) & {
    return *this;
  }
  template <class T>
  torch::class_<T> class_(const std::string& name) {
    return torch::class_<T>(namespace_, name);
  }

 private:
  std::string namespace_;
  DispatchKey key_;
  std::vector<std::string> defined_;
};

namespace detail {
class TorchLibraryInit final {
 public:
  TorchLibraryInit(Library::Kind kind, void (*block)(Library&), const char* name_space, DispatchKey key)
      : library_(kind, name_space, key) {
    block(library_);
  }

 private:
  Library library_;
};
}  // namespace detail

#define WICK_LIBRARY(name, kind, key, id, m)                                                                   \
  static void C10_CONCATENATE(wick_library_block_##name##_, id)(torch::Library&);                              \
  static const torch::detail::TorchLibraryInit C10_CONCATENATE(wick_library_##name##_, id)(                    \
      torch::Library::kind, &C10_CONCATENATE(wick_library_block_##name##_, id), #name, c10::DispatchKey::key); \
  void C10_CONCATENATE(wick_library_block_##name##_, id)(torch::Library & m)
#define TORCH_SELECTIVE_NAME(name) name
#define TORCH_SELECTIVE_SCHEMA(schema) schema
#define TORCH_SELECTIVE_CLASS(name) name
#define TORCH_LIBRARY(ns, m) WICK_LIBRARY(ns, DEF, Undefined, DEF, m)
#define TORCH_LIBRARY_FRAGMENT(ns, m) WICK_LIBRARY(ns, FRAGMENT, Undefined, __COUNTER__, m)
#define TORCH_LIBRARY_IMPL(ns, key, m) WICK_LIBRARY(ns, IMPL, key, __COUNTER__, m)

// The older way; operators are there as long as the object lives.
class RegisterOperators final {
 public:
  class Options final {
   public:
    Options&& schema(const std::string& text) && {
      schema_ = text;
      return std::move(*this);
    }
    template <class F, F* function>
    Options&& kernel(DispatchKey key) && {
      return std::move(*this).add(key, CppFunction(function));
    }
    template <class F>
    Options&& kernel(DispatchKey key, F&& f) && {
      return std::move(*this).add(key, CppFunction(std::forward<F>(f)));
    }
    template <class Functor, class... Args>
    typename std::enable_if<std::is_class<Functor>::value, Options&&>::type kernel(DispatchKey key, Args&&... args) && {
      return std::move(*this).add(key, CppFunction(Functor(std::forward<Args>(args)...)));
    }
    template <CppFunction::BoxedKernel* function>
    Options&& kernel(DispatchKey key) && {
      return std::move(*this).add(key, CppFunction::makeFromBoxedFunction<function>());
    }
    template <CppFunction::BoxedKernel* function>
    Options&& catchAllKernel() && {
      return std::move(*this).add(DispatchKey::CatchAll, CppFunction::makeFromBoxedFunction<function>());
    }
    template <class F, F* function>
    Options&& catchAllKernel() && {
      return std::move(*this).add(DispatchKey::CatchAll, CppFunction(function));
    }
    template <class F>
    Options&& catchAllKernel(F&& f) && {
      return std::move(*this).add(DispatchKey::CatchAll, CppFunction(std::forward<F>(f)));
    }
    Options&& aliasAnalysis(c10::AliasAnalysisKind) && { return std::move(*this); }

   private:
    friend class RegisterOperators;
    Options&& add(DispatchKey key, CppFunction f) && {
      f.key = key;
      kernels_.push_back(std::move(f));
      return std::move(*this);
    }
    std::string schema_;
    std::vector<CppFunction> kernels_;
  };
  static Options options() { return {}; }

  RegisterOperators() = default;
  RegisterOperators(RegisterOperators&& o) noexcept : defined_(std::move(o.defined_)) { o.defined_.clear(); }
  RegisterOperators& operator=(RegisterOperators&& o) noexcept {
    std::swap(defined_, o.defined_);
    return *this;
  }
  explicit RegisterOperators(Options&& o) { add(std::move(o)); }
  explicit RegisterOperators(const std::string& schema, Options&& o = options()) { add(std::move(o).schema(schema)); }
  template <class F>
  explicit RegisterOperators(const std::string& name_or_schema, F&& f, Options&& o = options()) {
    add(std::move(o).schema(name_or_schema).catchAllKernel(std::forward<F>(f)));
  }
  ~RegisterOperators() {
    for (const std::string& name : defined_) wick_compat::remove_operator(name);
  }

  RegisterOperators&& op(Options&& o) && {
    add(std::move(o));
    return std::move(*this);
  }
  RegisterOperators&& op(const std::string& schema, Options&& o = options()) && {
    add(std::move(o).schema(schema));
    return std::move(*this);
  }
  template <class F>
  typename std::enable_if<!std::is_same<typename std::decay<F>::type, Options>::value, RegisterOperators&&>::type op(
      const std::string& name_or_schema, F&& f, Options&& o = options()) && {
    add(std::move(o).schema(name_or_schema).catchAllKernel(std::forward<F>(f)));
    return std::move(*this);
  }

 private:
  void add(Options&& o) {
    const bool is_schema = o.schema_.find('(') != std::string::npos;
    TORCH_CHECK(is_schema || !o.kernels_.empty(), "Cannot infer operator schema for operator ", o.schema_,
                " because there is no kernel specified.");
    defined_.push_back(wick_compat::define_operator("", is_schema ? o.schema_ : o.schema_ + o.kernels_[0].inferred));
    for (CppFunction& f : o.kernels_) {
      wick_compat::implement_operator(defined_.back(), f.key, f.kernel_of(defined_.back()));
    }
  }
  std::vector<std::string> defined_;
};

}  // namespace torch

namespace c10 {
using torch::RegisterOperators;
// What a kernel with state derives from.
struct OperatorKernel {
  virtual ~OperatorKernel() = default;
};
}  // namespace c10
namespace torch {
using c10::OperatorKernel;
}  // namespace torch
