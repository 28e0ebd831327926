// The native methods of org.pytorch.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "api/load_source.h"
#include "api/profile.h"
#include "handles.h"
#include "jvm.h"
#include "natives.h"
#include "pytorch_words.h"
#include "values.h"

namespace wick::java {
namespace {

using SharedModule = std::shared_ptr<const Module>;

// As PyTorch's classes do, the exception's own name is the message.
SharedModule module_of(int64_t handle) {
  SharedModule module = handles().get<SharedModule>(handle);
  if (!module) throw JavaError{"java/lang/NullPointerException", "java.lang.NullPointerException"};
  return module;
}

std::optional<Cancellation> cancellation_of(JNIEnv* env, jobject options, jfieldID field) {
  const Local object(env, env->GetObjectField(options, field));
  if (!object) return std::nullopt;
  return handles().get<Cancellation>(env->GetLongField(object.get(), jvm().cancellation_handle));
}

LoadOptions load_options(JNIEnv* env, jobject object) {
  if (!object) fail_null("the options are null");
  const Jvm& j = jvm();
  LoadOptions options;
  options.timeout = std::chrono::milliseconds(env->GetLongField(object, j.load_timeout));
  options.max_memory = static_cast<uint64_t>(env->GetLongField(object, j.load_memory));
  options.max_plan_memory = static_cast<uint64_t>(env->GetLongField(object, j.load_plan_memory));
  options.copy = env->GetBooleanField(object, j.load_copies);
  options.allow_missing_operators = env->GetBooleanField(object, j.load_allows_missing);
  options.cancellation = cancellation_of(env, object, j.load_cancellation);
  return options;
}

RunOptions run_options(JNIEnv* env, jobject object, jint threads) {
  RunOptions options;
  options.max_threads = threads;
  if (!object) return options;
  const Jvm& j = jvm();
  options.timeout = std::chrono::milliseconds(env->GetLongField(object, j.run_timeout));
  options.max_memory = static_cast<uint64_t>(env->GetLongField(object, j.run_memory));
  options.max_operations = env->GetLongField(object, j.run_operations);
  if (const jint own = env->GetIntField(object, j.run_threads)) options.max_threads = own;
  options.cancellation = cancellation_of(env, object, j.run_cancellation);
  return options;
}

bool is_bounded(const RunOptions& options) {
  return options.timeout.count() > 0 || options.max_memory > 0 || options.max_operations > 0 ||
         options.max_threads > 0 || options.cancellation;
}

// Loads with `load`, and says as PyTorch does what is wrong with the file, whose size `size` gives.
template <class Load, class Size>
jlong load_module(jboolean eval, jint device, Load load, Size size) {
  if (device != 1 && device != 2) fail_argument("Unknown device");
  Module module;
  try {
    module = load();
  } catch (const Error& error) {
    throw loading_in_pytorch_words(error, size());
  }
  if (eval) module.eval();
  if (device == 2 && is_gpu_available()) module.set_backend(Backend::kGpu);
  return handles().add(std::make_shared<const Module>(std::move(module)));
}

void check_readable(const std::string& path) {
  if (::access(path.c_str(), R_OK) == 0) return;
  const int error = errno;
  throw Error(error == ENOENT || error == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kIo,
              "open file failed because of errno " + std::to_string(error) + " on fopen: " + std::strerror(error) +
                  ", file path: " + path);
}

// Bytes of Java, copied once.
class NativeBytes : public ByteSource {
 public:
  ~NativeBytes() override { std::free(data_); }
  Bytes bytes() const override { return {data_, size_}; }

  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    void* bigger = std::realloc(data_, capacity);
    if (!bigger) throw std::bad_alloc();
    data_ = static_cast<uint8_t*>(bigger);
    capacity_ = capacity;
  }
  void append(JNIEnv* env, jbyteArray array, jint offset, jint count) {
    const size_t wanted = size_ + static_cast<size_t>(count);
    if (wanted > capacity_) reserve(size_ == 0 ? wanted : std::max(wanted, 2 * capacity_));
    env->GetByteArrayRegion(array, offset, count, reinterpret_cast<jbyte*>(data_ + size_));
    check(env);
    size_ = wanted;
  }

 private:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

uint64_t size_of_file(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 ? static_cast<uint64_t>(info.st_size) : 0;
}

jlong load_file(JNIEnv* env, jclass, jstring path, jboolean eval, jint device, jobject options) {
  return guarded(env, [&] {
    std::string name;
    return load_module(
        eval, device,
        [&] {
          name = to_utf8(env, path, "the path of the model is null");
          if (name.find('\0') != name.npos) fail_argument("the path of the model holds a NUL character");
          check_readable(name);
          return load(name, load_options(env, options));
        },
        [&] { return size_of_file(name); });
  });
}

jlong load_buffer(JNIEnv* env, jclass, jobject buffer, jint offset, jint length, jboolean eval, jint device,
                  jobject options) {
  return guarded(env, [&] {
    const auto* bytes = static_cast<const uint8_t*>(env->GetDirectBufferAddress(buffer));
    if (offset < 0 || length < 0 || env->GetDirectBufferCapacity(buffer) < jlong{offset} + length) {
      fail_argument("the bytes of the model are not within their buffer");
    }
    const std::span model(bytes + offset, static_cast<size_t>(length));
    return load_module(
        eval, device, [&] { return load(model, load_options(env, options)); }, [&] { return model.size(); });
  });
}

jlong load_array(JNIEnv* env, jclass, jbyteArray array, jint offset, jint length, jboolean eval, jint device,
                 jobject options) {
  return guarded(env, [&] {
    auto bytes = make_ref<NativeBytes>();
    bytes->append(env, array, offset, length);
    return load_module(
        eval, device, [&] { return api::load_source(bytes, load_options(env, options)); },
        [&] { return bytes->bytes().size(); });
  });
}

jlong load_stream(JNIEnv* env, jclass, jobject stream, jbyteArray block, jint expected, jboolean eval, jint device,
                  jobject options) {
  return guarded(env, [&] {
    auto bytes = make_ref<NativeBytes>();
    bytes->reserve(static_cast<size_t>(std::max(expected, 0)));
    while (true) {
      const jint count = checked(env, env->CallIntMethod(stream, jvm().read_stream, block));
      if (count < 0) break;
      bytes->append(env, block, 0, count);
    }
    return load_module(
        eval, device, [&] { return api::load_source(bytes, load_options(env, options)); },
        [&] { return bytes->bytes().size(); });
  });
}

jlong load_descriptor(JNIEnv* env, jclass, jint fd, jlong offset, jlong length, jboolean eval, jint device,
                      jobject options) {
  return guarded(env, [&] {
    if (offset < 0 || length <= 0) fail_argument("the part of the file that is the model is empty");
    const auto start = static_cast<uint64_t>(offset), size = static_cast<uint64_t>(length);
    return load_module(
        eval, device, [&] { return load(fd, start, size, load_options(env, options)); }, [&] { return size; });
  });
}

jobjectArray extra_files(JNIEnv* env, jclass, jobject, jlong handle, jobjectArray names) {
  return guarded(env, [&] {
    const SharedModule module = module_of(handle);
    const auto& files = module->extra_files();
    const jsize count = env->GetArrayLength(names);
    Local contents(env, checked(env, env->NewObjectArray(count, jvm().string, nullptr)));
    for (jsize i = 0; i < count; ++i) {
      const Local name(env, static_cast<jstring>(checked(env, env->GetObjectArrayElement(names, i))));
      const auto file = files.find(to_utf8(env, name.get(), "the name of an extra file is null"));
      const Local content(env,
                          new_string(env, file == files.end() ? std::string_view() : std::string_view(file->second)));
      env->SetObjectArrayElement(contents.get(), i, content.get());
    }
    return contents.release();
  });
}

// Runs a method; the tensors of Java that it shares stay alive with what shares them.
IValue run_model(JNIEnv* env, const Module& module, const std::string& method, const RunOptions& options,
                 jobjectArray inputs) {
  Arguments arguments(env, inputs);
  IValue result;
  try {
    result = is_bounded(options) ? module.run_method(method, arguments.take(), {}, options)
                                 : module.run_method(method, arguments.take());
  } catch (const Error& error) {
    arguments.keep_shared(env);
    if (error.code() == ErrorCode::kNotFound && !module.has_method(method)) fail_argument("Undefined method " + method);
    throw calling_in_pytorch_words(error, module, method);
  } catch (...) {
    arguments.keep_shared(env);
    throw;
  }
  arguments.keep_shared(env);
  return result;
}

jobject run(JNIEnv* env, jclass, jobject, jlong handle, jstring method, jobject options, jint threads,
            jobjectArray outputs, jobjectArray inputs) {
  return guarded(env, [&]() -> jobject {
    const SharedModule module = module_of(handle);
    const std::string name = to_utf8(env, method, "the name of the method is null");
    const IValue result = run_model(env, *module, name, run_options(env, options, threads), inputs);
    if (!outputs) return to_java(env, result);
    copy_results(env, result, outputs);
    return nullptr;
  });
}

jobject forward(JNIEnv* env, jobject peer, jobjectArray inputs) {
  return guarded(env, [&] {
    const SharedModule module = module_of(env->GetLongField(peer, jvm().peer_handle));
    return to_java(env, run_model(env, *module, "forward", {}, inputs));
  });
}

jobject run_method(JNIEnv* env, jobject peer, jstring method, jobjectArray inputs) {
  return guarded(env, [&] {
    const SharedModule module = module_of(env->GetLongField(peer, jvm().peer_handle));
    const std::string name = to_utf8(env, method, "the name of the method is null");
    return to_java(env, run_model(env, *module, name, {}, inputs));
  });
}

void put(JNIEnv* env, jobjectArray row, jsize i, std::string_view text) {
  const Local string(env, new_string(env, text));
  env->SetObjectArrayElement(row, i, string.get());
}

jobjectArray methods(JNIEnv* env, jclass, jobject, jlong handle) {
  return guarded(env, [&] {
    const std::vector<MethodInfo> infos = module_of(handle)->methods();
    Local rows(env, checked(env, env->NewObjectArray(static_cast<jsize>(infos.size()), jvm().string_array, nullptr)));
    for (size_t i = 0; i < infos.size(); ++i) {
      const auto& arguments = infos[i].arguments;
      const auto columns = static_cast<jsize>(2 + 3 * arguments.size());
      const Local row(env, checked(env, env->NewObjectArray(columns, jvm().string, nullptr)));
      put(env, row.get(), 0, infos[i].name);
      put(env, row.get(), 1, infos[i].return_type);
      for (size_t a = 0; a < arguments.size(); ++a) {
        const auto column = static_cast<jsize>(2 + 3 * a);
        put(env, row.get(), column, arguments[a].name);
        put(env, row.get(), column + 1, arguments[a].type);
        if (arguments[a].has_default) put(env, row.get(), column + 2, repr(arguments[a].default_value));
      }
      env->SetObjectArrayElement(rows.get(), static_cast<jsize>(i), row.get());
    }
    return rows.release();
  });
}

// A row of the memory in bytes, then one for each step: name, kind, output, begin and duration in nanoseconds.
jobjectArray profile(JNIEnv* env, jclass, jobject, jlong handle, jstring method, jobject options, jint threads,
                     jobjectArray inputs) {
  return guarded(env, [&] {
    const SharedModule module = module_of(handle);
    const std::string name = to_utf8(env, method, "the name of the method is null");
    api::Profile profile;
    {
      const api::ProfileScope scope(profile);
      run_model(env, *module, name, run_options(env, options, threads), inputs);
    }
    const auto row_of = [&](std::initializer_list<std::string> texts) {
      Local row(env, checked(env, env->NewObjectArray(static_cast<jsize>(texts.size()), jvm().string, nullptr)));
      jsize column = 0;
      for (const std::string& text : texts) put(env, row.get(), column++, text);
      return row;
    };
    const auto steps = static_cast<jsize>(profile.steps.size());
    Local rows(env, checked(env, env->NewObjectArray(steps + 1, jvm().string_array, nullptr)));
    const Local memory = row_of({std::to_string(profile.arena_bytes), std::to_string(profile.packed_bytes)});
    env->SetObjectArrayElement(rows.get(), 0, memory.get());
    for (jsize i = 0; i < steps; ++i) {
      const api::StepTime& step = profile.steps[static_cast<size_t>(i)];
      const int64_t begin = step.start_ns - profile.steps[0].start_ns;
      const Local row = row_of(
          {step.name, std::string(step.kind), step.output, std::to_string(begin), std::to_string(step.duration_ns)});
      env->SetObjectArrayElement(rows.get(), i + 1, row.get());
    }
    return rows.release();
  });
}

jlong new_cancellation(JNIEnv* env, jclass) {
  return guarded(env, [&]() -> jlong { return handles().add(Cancellation()); });
}
void cancel(JNIEnv* env, jclass, jobject, jlong handle) {
  guarded(env, [&] { handles().get<Cancellation>(handle).cancel(); });
}
jboolean is_cancelled(JNIEnv* env, jclass, jobject, jlong handle) {
  return guarded(env, [&]() -> jboolean { return handles().get<Cancellation>(handle).is_cancelled(); });
}

void release(JNIEnv*, jclass, jlong handle) { handles().release(handle); }
jlong live_handles(JNIEnv*, jclass) { return static_cast<jlong>(handles().size()); }
jboolean has_gpu(JNIEnv*, jclass) { return is_gpu_available(); }
void set_threads(JNIEnv* env, jclass, jint threads) {
  guarded(env, [&] { set_num_threads(threads); });
}

template <class F>
JNINativeMethod native(const char* name, const char* type, F* function) {
  return {const_cast<char*>(name), const_cast<char*>(type), reinterpret_cast<void*>(function)};
}

constexpr char kForward[] = "([Lorg/pytorch/IValue;)Lorg/pytorch/IValue;";
constexpr char kRunMethod[] = "(Ljava/lang/String;[Lorg/pytorch/IValue;)Lorg/pytorch/IValue;";

}  // namespace

std::span<const JNINativeMethod> natives_methods() {
  static const JNINativeMethod methods_of_natives[] = {
      native("loadFile", "(Ljava/lang/String;ZILorg/pytorch/LoadOptions;)J", load_file),
      native("loadBuffer", "(Ljava/nio/ByteBuffer;IIZILorg/pytorch/LoadOptions;)J", load_buffer),
      native("loadArray", "([BIIZILorg/pytorch/LoadOptions;)J", load_array),
      native("loadStream", "(Ljava/io/InputStream;[BIZILorg/pytorch/LoadOptions;)J", load_stream),
      native("loadDescriptor", "(IJJZILorg/pytorch/LoadOptions;)J", load_descriptor),
      native("extraFiles", "(Ljava/lang/Object;J[Ljava/lang/String;)[Ljava/lang/String;", extra_files),
      native(
          "run",
          "(Ljava/lang/Object;JLjava/lang/String;Lorg/pytorch/RunOptions;I[Lorg/pytorch/Tensor;[Lorg/pytorch/IValue;)"
          "Lorg/pytorch/IValue;",
          run),
      native("methods", "(Ljava/lang/Object;J)[[Ljava/lang/String;", methods),
      native(
          "profile",
          "(Ljava/lang/Object;JLjava/lang/String;Lorg/pytorch/RunOptions;I[Lorg/pytorch/IValue;)[[Ljava/lang/String;",
          profile),
      native("newCancellation", "()J", new_cancellation),
      native("cancel", "(Ljava/lang/Object;J)V", cancel),
      native("isCancelled", "(Ljava/lang/Object;J)Z", is_cancelled),
      native("release", "(J)V", release),
      native("liveHandles", "()J", live_handles),
      native("setNumThreads", "(I)V", set_threads),
      native("hasGpu", "()Z", has_gpu),
  };
  return methods_of_natives;
}

std::span<const JNINativeMethod> peer_methods() {
  static const JNINativeMethod methods_of_peer[] = {
      native("forward", kForward, forward),
      native("runMethod", kRunMethod, run_method),
  };
  return methods_of_peer;
}

}  // namespace wick::java
