// C++ exceptions as Java's.
#include <new>
#include <string_view>

#include "jvm.h"
#include "wick/error.h"

namespace wick::java {
namespace {

void throw_new(JNIEnv* env, const char* class_name, const std::string& message) {
  const Local cls(env, env->FindClass(class_name));
  if (!cls) return;  // an exception is pending
  jmethodID constructor = env->GetMethodID(cls.get(), "<init>", "(Ljava/lang/String;)V");
  if (!constructor) return;
  const Local text(env, new_string(env, message));
  const Local error(env, static_cast<jthrowable>(env->NewObject(cls.get(), constructor, text.get())));
  if (error) env->Throw(error.get());
}

// "model.py:12" at the start of a line "  model.py:12: x = y"; empty when the line is another one.
std::string_view location(std::string_view line) {
  if (!line.starts_with("  ")) return {};
  line.remove_prefix(2);
  for (size_t colon = line.find(':'); colon != line.npos; colon = line.find(':', colon + 1)) {
    const size_t end = line.find_first_not_of("0123456789", colon + 1);
    if (colon > 0 && end != line.npos && end > colon + 1 && line[end] == ':') return line.substr(0, end);
  }
  return {};
}

// The innermost line of the model's source that the message names: of the Python file where it is known, else of the
// source in the archive; empty: none.
std::string_view source_line(std::string_view message) {
  std::string_view found;
  for (size_t start = message.find('\n'); start != message.npos; start = message.find('\n', start + 1)) {
    const size_t end = message.find('\n', start + 1);
    const std::string_view here = location(message.substr(start + 1, end == message.npos ? end : end - start - 1));
    if (!here.empty() && !here.starts_with("code/")) return here;
    if (found.empty()) found = here;
  }
  return found;
}

void throw_error(JNIEnv* env, const Error& error) {
  const Local message(env, new_string(env, error.message()));
  const std::string_view line = source_line(error.message());
  const Local source(env, line.empty() ? nullptr : new_string(env, line));
  const Local thrown(
      env, static_cast<jthrowable>(env->NewObject(jvm().pytorch_exception, jvm().new_pytorch_exception, message.get(),
                                                  static_cast<jint>(error.code()), source.get())));
  if (thrown) env->Throw(thrown.get());
}

void rethrow(JNIEnv* env) {
  try {
    throw;
  } catch (const JavaPending&) {
  } catch (const JavaError& error) {
    throw_new(env, error.class_name, error.message);
  } catch (const Error& error) {
    throw_error(env, error);
  } catch (const std::bad_alloc&) {
    throw_new(env, "java/lang/OutOfMemoryError", "native memory");
  } catch (const std::exception& error) {
    throw_new(env, "java/lang/RuntimeException", error.what());
  } catch (...) {
    throw_new(env, "java/lang/RuntimeException", "an unknown failure in native code");
  }
}

}  // namespace

void fail_argument(std::string message) { throw JavaError{"java/lang/IllegalArgumentException", std::move(message)}; }
void fail_null(const std::string& what) { throw JavaError{"java/lang/NullPointerException", what}; }

void throw_to_java(JNIEnv* env) noexcept {
  try {
    rethrow(env);
  } catch (...) {  // no memory for the message, or Java has thrown meanwhile
    if (env->ExceptionCheck()) return;
    const Local cls(env, env->FindClass("java/lang/OutOfMemoryError"));
    if (cls) env->ThrowNew(cls.get(), "native memory, while reporting a failure");
  }
}

}  // namespace wick::java
