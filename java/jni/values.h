// Values between Java and the library.
#pragma once

#include <jni.h>

#include <memory>
#include <vector>

#include "wick/ivalue.h"

namespace wick::java {

// The arguments of a call. Tensors use the buffers of the Java side in place; one that is still in use when the call
// has ended (a result or an attribute shares its memory) is kept from the garbage collector until it is not.
class Arguments {
 public:
  Arguments(JNIEnv* env, jobjectArray values);
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  // To be called once, for the call.
  std::vector<IValue> take() { return std::move(values_); }
  // To be called when the call has ended, however it did, before results are converted.
  void keep_shared(JNIEnv* env);

  class Buffer;  // what keeps a Java buffer

 private:
  struct Borrowed {
    std::shared_ptr<Buffer> owner;
    jobject buffer;  // local reference
  };
  IValue value(JNIEnv* env, jobject object, int depth);
  IValue list(JNIEnv* env, jobjectArray items, int depth);
  std::vector<IValue> items(JNIEnv* env, jobjectArray array, int depth);
  IValue dict(JNIEnv* env, jobject map, bool has_string_keys, int depth);
  IValue tensor_list(JNIEnv* env, jobjectArray tensors, int depth);
  Tensor tensor(JNIEnv* env, jobject object, int depth);
  std::vector<IValue> values_;
  std::vector<Borrowed> borrowed_;
};

// Where the elements of a Java tensor are.
struct JavaTensor {
  DType dtype = DType::kFloat;
  IntVec sizes;
  IntVec strides;
  void* data = nullptr;
  bool is_read_only = false;
  Tensor native;             // of one that a model gave: what owns the elements
  jobject buffer = nullptr;  // local reference; of others: their buffer
};
// Checks everything that memory safety needs.
JavaTensor read_tensor(JNIEnv* env, jobject object);

// A result as an org.pytorch.IValue; results of tensors as an org.pytorch.Tensor.
jobject to_java(JNIEnv* env, const IValue& value);
// Copies results, a tensor or a tuple or list of tensors, into the buffers of Java tensors.
void copy_results(JNIEnv* env, const IValue& result, jobjectArray outputs);
// The codes of org.pytorch.DType; throws IllegalArgumentException for dtypes Java does not have.
int java_code(DType dtype);

}  // namespace wick::java
