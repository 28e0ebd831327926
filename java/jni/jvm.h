// The Java side as native code sees it: classes, fields and methods it uses, local references, failures.
#pragma once

#include <jni.h>

#include <string>

namespace wick::java {

// What is looked up once, when the library is loaded; classes are global references. Read-only after that, so that
// threads share it.
struct Jvm {
  JavaVM* vm = nullptr;
  jclass ivalue = nullptr;
  jclass tensor = nullptr;
  jclass pytorch_exception = nullptr;
  jclass string = nullptr;
  jclass string_array = nullptr;
  jclass hash_map = nullptr;
  jclass long_box = nullptr;

  jfieldID ivalue_code, ivalue_data;
  jmethodID to_bool, to_long, to_double;
  jmethodID null_value, from_tensor, from_bool, from_long, from_double, from_string;
  jmethodID from_bools, from_longs, from_doubles, from_tensors, from_list, from_tuple, from_string_dict, from_long_dict;
  jfieldID tensor_shape, tensor_codes, tensor_buffer, tensor_handle, tensor_closed;
  jmethodID new_tensor, aligned_copy;
  jfieldID peer_handle, cancellation_handle;
  jfieldID load_timeout, load_memory, load_plan_memory, load_copies, load_allows_missing, load_cancellation;
  jfieldID run_timeout, run_memory, run_operations, run_threads, run_cancellation;
  jmethodID new_pytorch_exception;
  jmethodID map_entry_set, set_to_array, entry_key, entry_value;
  jmethodID new_hash_map, hash_map_put;
  jmethodID new_long, long_value;
  jmethodID read_stream;
};
// Of the class loader that has loaded the library.
const Jvm& jvm();
// Looks everything up and registers the native methods. False, with a Java exception, when it fails.
bool attach(JavaVM* vm, JNIEnv* env);
void detach(JNIEnv* env);

// Thrown by C++ code when a Java exception is pending, which then goes on.
struct JavaPending {};
// Becomes an exception of a class of Java's ("java/lang/IllegalArgumentException").
struct JavaError {
  const char* class_name;
  std::string message;
};
[[noreturn]] void fail_argument(std::string message);  // IllegalArgumentException
[[noreturn]] void fail_null(const std::string& what);  // NullPointerException
inline void check(JNIEnv* env) {
  if (env->ExceptionCheck()) throw JavaPending();
}
template <class T>
T checked(JNIEnv* env, T value) {
  check(env);
  return value;
}

// Inside of a catch block: makes the C++ exception a Java one.
void throw_to_java(JNIEnv* env) noexcept;
// Runs f; C++ exceptions become Java's, and a zero is returned.
template <class F>
auto guarded(JNIEnv* env, F f) noexcept -> decltype(f()) {
  try {
    return f();
  } catch (...) {
    throw_to_java(env);
    return decltype(f())();
  }
}

// A local reference that is given back at the end of the scope.
template <class T = jobject>
class Local {
 public:
  Local(JNIEnv* env, T object) : env_(env), object_(object) {}
  Local(Local&& other) noexcept : env_(other.env_), object_(other.release()) {}
  Local(const Local&) = delete;
  Local& operator=(const Local&) = delete;
  ~Local() {
    if (object_) env_->DeleteLocalRef(object_);
  }
  T get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  T release() {
    T object = object_;
    object_ = nullptr;
    return object;
  }

 private:
  JNIEnv* env_;
  T object_;
};

// Local references of its own, so that values nested in values do not add up to too many.
class LocalFrame {
 public:
  explicit LocalFrame(JNIEnv* env) : env_(env) {
    if (env->PushLocalFrame(16) != 0) throw JavaPending();
  }
  LocalFrame(const LocalFrame&) = delete;
  LocalFrame& operator=(const LocalFrame&) = delete;
  ~LocalFrame() {
    if (env_) env_->PopLocalFrame(nullptr);
  }
  // Ends it; the object is a reference outside of it.
  jobject pop(jobject object) {
    JNIEnv* env = env_;
    env_ = nullptr;
    return env->PopLocalFrame(object);
  }

 private:
  JNIEnv* env_;
};
// What f gives, made in a frame of its own.
template <class F>
jobject in_frame(JNIEnv* env, F f) {
  LocalFrame frame(env);
  return frame.pop(f());
}

// Text in UTF-8; what is not valid in the one becomes U+FFFD in the other. A null string throws NullPointerException
// that names it.
std::string to_utf8(JNIEnv* env, jstring text, const char* what);
jstring new_string(JNIEnv* env, std::string_view utf8);

}  // namespace wick::java
