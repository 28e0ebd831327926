// Jvm: classes, fields and methods looked up when the library is loaded.
#include "jvm.h"

#include <new>
#include <string_view>

#include "natives.h"

namespace wick::java {
namespace {

Jvm* current = nullptr;

// Looks up one after the other; after the first failure, which leaves a Java exception, does nothing.
class Lookup {
 public:
  explicit Lookup(JNIEnv* env) : env_(env) {}
  jclass global_class(const char* name) {
    const Local local(env_, find(name));
    return local ? static_cast<jclass>(env_->NewGlobalRef(local.get())) : nullptr;
  }
  Local<jclass> local_class(const char* name) { return {env_, find(name)}; }
  jfieldID field(jclass cls, const char* name, const char* type) {
    return failed() ? nullptr : env_->GetFieldID(cls, name, type);
  }
  jmethodID method(jclass cls, const char* name, const char* type) {
    return failed() ? nullptr : env_->GetMethodID(cls, name, type);
  }
  jmethodID static_method(jclass cls, const char* name, const char* type) {
    return failed() ? nullptr : env_->GetStaticMethodID(cls, name, type);
  }
  void natives(jclass cls, std::span<const JNINativeMethod> methods) {
    if (!failed()) env_->RegisterNatives(cls, methods.data(), static_cast<jint>(methods.size()));
  }
  bool failed() const { return env_->ExceptionCheck(); }

 private:
  jclass find(const char* name) { return failed() ? nullptr : env_->FindClass(name); }
  JNIEnv* env_;
};

#define WICK_IVALUE "Lorg/pytorch/IValue;"
#define WICK_CANCELLATION "Lorg/pytorch/Cancellation;"

void find_values(Lookup& look, Jvm& j) {
  j.ivalue = look.global_class("org/pytorch/IValue");
  j.ivalue_code = look.field(j.ivalue, "mTypeCode", "I");
  j.ivalue_data = look.field(j.ivalue, "mData", "Ljava/lang/Object;");
  j.to_bool = look.method(j.ivalue, "toBool", "()Z");
  j.to_long = look.method(j.ivalue, "toLong", "()J");
  j.to_double = look.method(j.ivalue, "toDouble", "()D");
  const auto factory = [&](const char* name, const char* type) { return look.static_method(j.ivalue, name, type); };
  j.null_value = factory("optionalNull", "()" WICK_IVALUE);
  j.from_tensor = factory("from", "(Lorg/pytorch/Tensor;)" WICK_IVALUE);
  j.from_bool = factory("from", "(Z)" WICK_IVALUE);
  j.from_long = factory("from", "(J)" WICK_IVALUE);
  j.from_double = factory("from", "(D)" WICK_IVALUE);
  j.from_string = factory("from", "(Ljava/lang/String;)" WICK_IVALUE);
  j.from_bools = factory("listFrom", "([Z)" WICK_IVALUE);
  j.from_longs = factory("listFrom", "([J)" WICK_IVALUE);
  j.from_doubles = factory("listFrom", "([D)" WICK_IVALUE);
  j.from_tensors = factory("listFrom", "([Lorg/pytorch/Tensor;)" WICK_IVALUE);
  j.from_list = factory("listFrom", "([" WICK_IVALUE ")" WICK_IVALUE);
  j.from_tuple = factory("tupleFrom", "([" WICK_IVALUE ")" WICK_IVALUE);
  j.from_string_dict = factory("dictStringKeyFrom", "(Ljava/util/Map;)" WICK_IVALUE);
  j.from_long_dict = factory("dictLongKeyFrom", "(Ljava/util/Map;)" WICK_IVALUE);
  j.tensor = look.global_class("org/pytorch/Tensor");
  j.tensor_shape = look.field(j.tensor, "shape", "[J");
  j.tensor_codes = look.field(j.tensor, "mCodes", "I");
  j.tensor_buffer = look.field(j.tensor, "mBuffer", "Ljava/nio/Buffer;");
  j.tensor_handle = look.field(j.tensor, "mHandleId", "J");
  j.tensor_closed = look.field(j.tensor, "mIsClosed", "Z");
  j.aligned_copy = look.static_method(j.tensor, "alignedCopy", "(Ljava/nio/Buffer;)Ljava/nio/Buffer;");
  j.new_tensor = look.static_method(j.tensor, "nativeNewTensor", "(Ljava/nio/ByteBuffer;[JIIJ)Lorg/pytorch/Tensor;");
}

void find_options(Lookup& look, Jvm& j) {
  const auto load = look.local_class("org/pytorch/LoadOptions");
  j.load_timeout = look.field(load.get(), "mTimeoutMillis", "J");
  j.load_memory = look.field(load.get(), "mMaxMemory", "J");
  j.load_plan_memory = look.field(load.get(), "mMaxPlanMemory", "J");
  j.load_copies = look.field(load.get(), "mCopiesFile", "Z");
  j.load_allows_missing = look.field(load.get(), "mAllowsMissingOperators", "Z");
  j.load_cancellation = look.field(load.get(), "mCancellation", WICK_CANCELLATION);
  const auto run = look.local_class("org/pytorch/RunOptions");
  j.run_timeout = look.field(run.get(), "mTimeoutMillis", "J");
  j.run_memory = look.field(run.get(), "mMaxMemory", "J");
  j.run_operations = look.field(run.get(), "mMaxOperations", "J");
  j.run_threads = look.field(run.get(), "mMaxThreads", "I");
  j.run_cancellation = look.field(run.get(), "mCancellation", WICK_CANCELLATION);
  const auto cancellation = look.local_class("org/pytorch/Cancellation");
  j.cancellation_handle = look.field(cancellation.get(), "mHandleId", "J");
}

void find_java(Lookup& look, Jvm& j) {
  j.string = look.global_class("java/lang/String");
  j.string_array = look.global_class("[Ljava/lang/String;");
  j.hash_map = look.global_class("java/util/HashMap");
  j.new_hash_map = look.method(j.hash_map, "<init>", "()V");
  j.hash_map_put = look.method(j.hash_map, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;");
  j.long_box = look.global_class("java/lang/Long");
  j.new_long = look.static_method(j.long_box, "valueOf", "(J)Ljava/lang/Long;");
  j.long_value = look.method(j.long_box, "longValue", "()J");
  j.map_entry_set = look.method(look.local_class("java/util/Map").get(), "entrySet", "()Ljava/util/Set;");
  j.set_to_array = look.method(look.local_class("java/util/Set").get(), "toArray", "()[Ljava/lang/Object;");
  const auto entry = look.local_class("java/util/Map$Entry");
  j.entry_key = look.method(entry.get(), "getKey", "()Ljava/lang/Object;");
  j.entry_value = look.method(entry.get(), "getValue", "()Ljava/lang/Object;");
  j.read_stream = look.method(look.local_class("java/io/InputStream").get(), "read", "([B)I");
  j.pytorch_exception = look.global_class("org/pytorch/PyTorchException");
  j.new_pytorch_exception = look.method(j.pytorch_exception, "<init>", "(Ljava/lang/String;ILjava/lang/String;)V");
}

void register_all(Lookup& look, Jvm& j) {
  const auto peer = look.local_class("org/pytorch/ModulePeer");
  j.peer_handle = look.field(peer.get(), "mHandleId", "J");
  look.natives(peer.get(), peer_methods());
  look.natives(look.local_class("org/pytorch/Natives").get(), natives_methods());
}

void forget(JNIEnv* env, Jvm* j) {
  for (jclass cls :
       {j->ivalue, j->tensor, j->pytorch_exception, j->string, j->string_array, j->hash_map, j->long_box}) {
    if (cls) env->DeleteGlobalRef(cls);
  }
  delete j;
}

// The library may be loaded under a second name; its classes must be the same then.
bool is_current(JNIEnv* env) {
  Lookup look(env);
  const auto ivalue = look.local_class("org/pytorch/IValue");
  if (look.failed()) return false;
  if (env->IsSameObject(ivalue.get(), current->ivalue)) return true;
  const auto error = look.local_class("java/lang/UnsatisfiedLinkError");
  if (error) env->ThrowNew(error.get(), "libpytorch_jni is in use by another class loader");
  return false;
}

}  // namespace

const Jvm& jvm() { return *current; }

bool attach(JavaVM* vm, JNIEnv* env) {
  if (current) return is_current(env);
  Jvm* j = new (std::nothrow) Jvm;
  if (!j) return false;
  j->vm = vm;
  Lookup look(env);
  find_values(look, *j);
  find_options(look, *j);
  find_java(look, *j);
  register_all(look, *j);
  if (look.failed()) {
    forget(env, j);
    return false;
  }
  current = j;
  return true;
}

void detach(JNIEnv* env) {
  if (current) forget(env, current);
  current = nullptr;
}

}  // namespace wick::java
