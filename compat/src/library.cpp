// TORCH_LIBRARY and RegisterOperators over wick::Registry.
#include <torch/library.h>

#include <map>
#include <mutex>

#include "boxed.h"
#include "bridge.h"
#include "wick/registry.h"

namespace wick_compat {
namespace {

struct Entry {
  std::string schema;
  BoxedFunction kernel;
  bool is_registered = false;
};
// Guarded by the mutex; never destroyed, since static objects of the application remove their operators at exit.
struct Operators {
  std::mutex mutex;
  std::map<std::string, Entry> by_name;
};
Operators& operators() {
  static Operators* const all = new Operators;
  return *all;
}

void register_if_complete(Entry& entry) {
  if (entry.is_registered || entry.schema.empty() || !entry.kernel) return;
  try {
    wick::Registry::add_operator(entry.schema, wick::Registry::Function([kernel = entry.kernel](auto args) {
                                   return call_application(kernel, std::move(args));
                                 }));
  } catch (...) {
    rethrow();
  }
  entry.is_registered = true;
}

// Kernels that run on the CPU, the general ones last.
bool runs_here(c10::DispatchKey key) {
  switch (key) {
    case c10::DispatchKey::Undefined:
    case c10::DispatchKey::CPU:
    case c10::DispatchKey::QuantizedCPU:
    case c10::DispatchKey::CompositeImplicitAutograd:
    case c10::DispatchKey::CompositeExplicitAutograd:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<wick::IValue> call_application(const BoxedFunction& f, std::vector<wick::IValue> args) {
  std::vector<c10::IValue> values;
  values.reserve(args.size());
  for (wick::IValue& v : args) values.push_back(a(std::move(v)));
  std::vector<c10::IValue> results;
  try {
    results = f(values);
  } catch (const c10::Error& e) {
    throw wick::Error(wick::ErrorCode::kInvalidArgument, e.what_without_backtrace());
  } catch (const wick::Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    throw wick::Error(wick::ErrorCode::kInvalidArgument, e.what());
  }
  std::vector<wick::IValue> out;
  out.reserve(results.size());
  for (c10::IValue& v : results) out.push_back(std::move(w(v)));
  return out;
}

std::string schema_of_types(const std::vector<c10::TypePtr>& arguments, const std::vector<c10::TypePtr>& results) {
  const auto list = [](const std::vector<c10::TypePtr>& types) {
    std::string out;
    for (size_t i = 0; i < types.size(); ++i) {
      out += (i ? ", " : "") + types[i]->str() + " _" + std::to_string(i);
    }
    return out;
  };
  return "(" + list(arguments) + ") -> " + (results.size() == 1 ? list(results) : "(" + list(results) + ")");
}

std::string qualified(const std::string& name_space, const std::string& name) {
  return name.find("::") == name.npos && !name_space.empty() ? name_space + "::" + name : name;
}

std::string define_operator(const std::string& name_space, const std::string& schema) {
  const size_t paren = schema.find('(');
  TORCH_CHECK(paren != schema.npos, "expected a schema: ", schema);
  std::string name = schema.substr(0, paren);
  while (!name.empty() && name.back() == ' ') name.pop_back();
  const std::string full_name = qualified(name_space, name);
  Operators& all = operators();
  const std::lock_guard<std::mutex> lock(all.mutex);
  Entry& entry = all.by_name[full_name];
  TORCH_CHECK(entry.schema.empty(), "Tried to register an operator (", full_name,
              ") with the same name and overload name multiple times.");
  entry.schema = full_name + schema.substr(paren);
  try {
    register_if_complete(entry);
  } catch (...) {
    entry.schema.clear();
    throw;
  }
  return full_name;
}

void implement_operator(const std::string& full_name, c10::DispatchKey key, BoxedFunction kernel) {
  if (!runs_here(key) || !kernel) return;
  Operators& all = operators();
  const std::lock_guard<std::mutex> lock(all.mutex);
  Entry& entry = all.by_name[full_name];
  if (!entry.kernel) entry.kernel = std::move(kernel);
  register_if_complete(entry);
}

void remove_operator(const std::string& full_name) noexcept {
  Operators& all = operators();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto it = all.by_name.find(full_name);
  if (it == all.by_name.end()) return;
  if (it->second.is_registered) wick::Registry::remove_operator(full_name);
  all.by_name.erase(it);
}

}  // namespace wick_compat
