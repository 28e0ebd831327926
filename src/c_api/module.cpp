// The C API's modules: loading, running, attributes.
#include <algorithm>
#include <cstring>

#include "c_api/handles.h"

namespace {

using wick::IValue;
using wick::LoadOptions;
using wick::Module;
using wick::RunOptions;
using wick::c_api::give;
using wick::c_api::guard;
using wick::c_api::needed;
using wick::c_api::new_string;
using wick::c_api::values_of;

// The options that a caller has given, who may have been compiled with a struct that is shorter: what it lacks is zero.
template <class Options>
Options read_options(const Options* given) {
  Options out;
  std::memset(static_cast<void*>(&out), 0, sizeof out);
  if (!given) return out;
  WICK_CHECK(given->struct_size >= sizeof(size_t), kInvalidArgument,
             "options whose struct_size is not set: begin with WICK_RUN_OPTIONS_INIT or WICK_LOAD_OPTIONS_INIT");
  std::memcpy(static_cast<void*>(&out), given, std::min(given->struct_size, sizeof out));
  return out;
}

std::chrono::milliseconds time_of(int64_t milliseconds) {
  WICK_CHECK(milliseconds >= 0, kInvalidArgument, "a time limit of ", milliseconds, " ms");
  return std::chrono::milliseconds(milliseconds);
}

LoadOptions load_options(const wick_load_options* given) {
  const wick_load_options read = read_options(given);
  LoadOptions out;
  out.allow_missing_operators = read.allow_missing_operators;
  out.copy = read.copy;
  out.timeout = time_of(read.timeout_ms);
  out.max_memory = read.max_memory;
  out.max_plan_memory = read.max_plan_memory;
  if (read.cancellation) out.cancellation = read.cancellation->cancellation;
  return out;
}

RunOptions run_options(const wick_run_options* given) {
  const wick_run_options read = read_options(given);
  RunOptions out;
  out.timeout = time_of(read.timeout_ms);
  out.max_memory = read.max_memory;
  out.max_operations = read.max_operations;
  out.max_threads = read.max_threads;
  if (read.cancellation) out.cancellation = read.cancellation->cancellation;
  return out;
}

wick_module handle_of(Module module) {
  wick_module out{std::move(module), {}};
  for (const wick::MethodInfo& method : out.module.methods()) out.methods.push_back(method.name);
  return out;
}

const Module& module_of(const wick_module* m) { return needed(m, "module").module; }
const char* method_or_forward(const char* name) { return name ? name : "forward"; }

std::vector<uint8_t> read_all(wick_reader read, void* context, uint64_t size) {
  constexpr size_t kPiece = 1 << 20;
  std::vector<uint8_t> bytes;  // grows with what is really there, whatever the size says
  while (bytes.size() < size) {
    const size_t at = bytes.size();
    const size_t wanted = static_cast<size_t>(std::min<uint64_t>(size - at, std::max(kPiece, at)));
    bytes.resize(at + wanted);
    const size_t got = read(context, at, bytes.data() + at, wanted);
    WICK_CHECK(got == wanted, kIo, "the reader gave ", got, " bytes at ", at, " instead of ", wanted);
  }
  return bytes;
}

}  // namespace

extern "C" {

wick_status wick_cancellation_create(wick_cancellation** out, wick_error** error) {
  return give(out, error, [] { return wick::Cancellation(); });
}
void wick_cancellation_cancel(const wick_cancellation* cancellation) {
  if (cancellation) cancellation->cancellation.cancel();
}
bool wick_cancellation_is_cancelled(const wick_cancellation* cancellation) {
  return cancellation && cancellation->cancellation.is_cancelled();
}
void wick_cancellation_release(wick_cancellation* cancellation) { delete cancellation; }

wick_status wick_module_load_file(const char* path, const wick_load_options* options, wick_module** out,
                                  wick_error** error) {
  return give(out, error,
              [&] { return handle_of(wick::load(std::string(&needed(path, "path")), load_options(options))); });
}
wick_status wick_module_load_memory(const void* bytes, size_t size, const wick_load_options* options, wick_module** out,
                                    wick_error** error) {
  return give(out, error, [&] {
    WICK_CHECK(bytes || size == 0, kInvalidArgument, "argument 'bytes' is NULL");
    return handle_of(wick::load(std::span(static_cast<const uint8_t*>(bytes), size), load_options(options)));
  });
}
wick_status wick_module_load_callback(wick_reader read, void* context, uint64_t size, const wick_load_options* options,
                                      wick_module** out, wick_error** error) {
  return give(out, error, [&] {
    WICK_CHECK(read, kInvalidArgument, "argument 'read' is NULL");
    return handle_of(wick::load(read_all(read, context, size), load_options(options)));
  });
}
wick_module* wick_module_retain(const wick_module* module) {
  wick_module* out = nullptr;
  if (module) give(&out, nullptr, [&] { return *module; });
  return out;
}
void wick_module_release(wick_module* module) { delete module; }

size_t wick_module_method_count(const wick_module* module) { return module ? module->methods.size() : 0; }
const char* wick_module_method_name(const wick_module* module, size_t index) {
  return module && index < module->methods.size() ? module->methods[index].c_str() : nullptr;
}
bool wick_module_has_method(const wick_module* module, const char* method) {
  bool has = false;
  if (module && method) guard(nullptr, [&] { has = module->module.has_method(method); });
  return has;
}

wick_status wick_module_argument_count(const wick_module* module, const char* method, size_t* out, wick_error** error) {
  return guard(error, [&] {
    needed(out, "out") = module_of(module).get_method(method_or_forward(method)).info().arguments.size();
  });
}
wick_status wick_module_argument(const wick_module* module, const char* method, size_t index, char** name, char** type,
                                 wick_error** error) {
  if (name) *name = nullptr;
  if (type) *type = nullptr;
  return guard(error, [&] {
    const wick::MethodInfo info = module_of(module).get_method(method_or_forward(method)).info();
    WICK_CHECK(index < info.arguments.size(), kIndexOutOfRange, "method ", info.name, " has ", info.arguments.size(),
               " arguments, not one of number ", index);
    if (name) *name = new_string(info.arguments[index].name);
    if (type) *type = new_string(info.arguments[index].type);
  });
}

wick_status wick_module_run(const wick_module* module, const char* method, const wick_value* const* args, size_t count,
                            const wick_run_options* options, wick_value** out, wick_error** error) {
  return wick_module_run_named(module, method, args, count, nullptr, 0, options, out, error);
}
wick_status wick_module_run_named(const wick_module* module, const char* method, const wick_value* const* args,
                                  size_t count, const char* const* names, size_t named, const wick_run_options* options,
                                  wick_value** out, wick_error** error) {
  return give(out, error, [&] {
    const Module& runs = module_of(module);
    std::vector<IValue> positional = values_of(args, count);
    WICK_CHECK(named <= count && (names || named == 0), kInvalidArgument, named, " names for ", count, " arguments");
    std::map<std::string, IValue> by_name;
    for (size_t i = 0; i < named; ++i) {
      by_name.emplace(&needed(names[i], "names"), std::move(positional[count - named + i]));
    }
    positional.resize(count - named);
    if (!options) return runs.run_method(method_or_forward(method), std::move(positional), by_name);
    return runs.run_method(method_or_forward(method), std::move(positional), by_name, run_options(options));
  });
}

wick_status wick_module_attribute(const wick_module* module, const char* path, wick_value** out, wick_error** error) {
  return give(out, error, [&] { return module_of(module).attr(&needed(path, "path")); });
}
wick_status wick_module_set_attribute(wick_module* module, const char* path, const wick_value* value,
                                      wick_error** error) {
  return guard(error,
               [&] { needed(module, "module").module.setattr(&needed(path, "path"), needed(value, "value").value); });
}
wick_status wick_module_extra_file(const wick_module* module, const char* name, const char** data, size_t* size,
                                   wick_error** error) {
  return guard(error, [&] {
    const auto& files = module_of(module).extra_files();
    const auto it = files.find(&needed(name, "name"));
    WICK_CHECK(it != files.end(), kNotFound, "the model has no extra file '", name, "'");
    needed(data, "data") = it->second.data();
    needed(size, "size") = it->second.size();
  });
}
wick_status wick_module_set_max_threads(wick_module* module, int32_t threads, wick_error** error) {
  return guard(error, [&] { needed(module, "module").module.set_max_threads(threads); });
}
wick_status wick_module_set_planning(wick_module* module, bool on, wick_error** error) {
  return guard(error, [&] { needed(module, "module").module.set_planning(on); });
}

}  // extern "C"
