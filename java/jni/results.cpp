// Results of the model as values of Java.
#include "handles.h"
#include "jvm.h"
#include "strided.h"
#include "values.h"

namespace wick::java {
namespace {

constexpr int kMaxDepth = 256;

jobject convert(JNIEnv* env, const IValue& value, int depth);

// In one of the layouts that Java knows, and which.
Tensor with_java_layout(const Tensor& t, int& format) {
  format = 1;
  if (t.dim() == 4 && t.is_contiguous(MemoryFormat::kChannelsLast)) {
    format = 2;
  } else if (t.dim() == 5 && t.is_contiguous(MemoryFormat::kChannelsLast3d)) {
    format = 3;
  } else if (!t.is_contiguous()) {
    Tensor packed = Tensor::empty(t.sizes(), t.dtype());
    copy_strided(packed.data_ptr(), packed.strides(), t.data_ptr(), t.strides(), t.sizes(), t.itemsize());
    return packed;
  }
  return t;
}

jobject new_tensor(JNIEnv* env, const Tensor& result) {
  const int code = java_code(result.dtype());
  if (result.numel() > static_cast<int64_t>(INT32_MAX / result.itemsize())) {  // before any of it is copied
    fail_argument("a result of " + std::to_string(result.numel()) + " elements is larger than a buffer of Java may be");
  }
  int format;
  // A handle of its own: what a later call makes of the model's tensor does not concern this one.
  const Tensor t = with_java_layout(result, format).alias();
  static char nothing;  // an empty buffer has an address, too
  const Local shape(env, checked(env, env->NewLongArray(static_cast<jsize>(t.dim()))));
  env->SetLongArrayRegion(shape.get(), 0, static_cast<jsize>(t.dim()),
                          reinterpret_cast<const jlong*>(t.sizes().data()));
  void* data = t.nbytes() > 0 ? t.data_ptr() : &nothing;
  const Local buffer(env, checked(env, env->NewDirectByteBuffer(data, static_cast<jlong>(t.nbytes()))));
  if (!buffer) throw JavaError{"java/lang/UnsupportedOperationException", "this Java has no direct buffers"};
  const int64_t handle = handles().add(t);
  jobject tensor = env->CallStaticObjectMethod(jvm().tensor, jvm().new_tensor, buffer.get(), shape.get(), code, format,
                                               static_cast<jlong>(handle));
  if (env->ExceptionCheck()) {
    handles().release(handle);
    throw JavaPending();
  }
  return tensor;
}

template <class... Args>
jobject call(JNIEnv* env, jmethodID method, Args... args) {
  return checked(env, env->CallStaticObjectMethod(jvm().ivalue, method, args...));
}

jobject convert_items(JNIEnv* env, jmethodID method, const std::vector<IValue>& items, int depth) {
  const Local array(env, checked(env, env->NewObjectArray(static_cast<jsize>(items.size()), jvm().ivalue, nullptr)));
  for (size_t i = 0; i < items.size(); ++i) {
    const Local item(env, convert(env, items[i], depth + 1));
    env->SetObjectArrayElement(array.get(), static_cast<jsize>(i), item.get());
  }
  return call(env, method, array.get());
}

jobject convert_tensors(JNIEnv* env, const std::vector<IValue>& items) {
  const Local array(env, checked(env, env->NewObjectArray(static_cast<jsize>(items.size()), jvm().tensor, nullptr)));
  for (size_t i = 0; i < items.size(); ++i) {
    const Local item(env, new_tensor(env, items[i].to_tensor()));
    env->SetObjectArrayElement(array.get(), static_cast<jsize>(i), item.get());
  }
  return call(env, jvm().from_tensors, array.get());
}

jobject convert_numbers(JNIEnv* env, TypeKind kind, const std::vector<IValue>& items) {
  const auto count = static_cast<jsize>(items.size());
  if (kind == TypeKind::kBool) {
    std::vector<jboolean> values;
    for (const IValue& item : items) values.push_back(item.to_bool());
    const Local array(env, checked(env, env->NewBooleanArray(count)));
    env->SetBooleanArrayRegion(array.get(), 0, count, values.data());
    return call(env, jvm().from_bools, array.get());
  }
  if (kind == TypeKind::kInt) {
    std::vector<jlong> values;
    for (const IValue& item : items) values.push_back(item.to_int());
    const Local array(env, checked(env, env->NewLongArray(count)));
    env->SetLongArrayRegion(array.get(), 0, count, values.data());
    return call(env, jvm().from_longs, array.get());
  }
  std::vector<jdouble> values;
  for (const IValue& item : items) values.push_back(item.to_double());
  const Local array(env, checked(env, env->NewDoubleArray(count)));
  env->SetDoubleArrayRegion(array.get(), 0, count, values.data());
  return call(env, jvm().from_doubles, array.get());
}

jobject convert_list(JNIEnv* env, const ListImpl& list, int depth) {
  if (list.items.size() > INT32_MAX) fail_argument("a list of the model is longer than Java allows");
  const TypeKind kind = list.element_type->kind();
  if (kind == TypeKind::kTensor) return convert_tensors(env, list.items);
  if (kind == TypeKind::kBool || kind == TypeKind::kInt || kind == TypeKind::kFloat) {
    return convert_numbers(env, kind, list.items);
  }
  return convert_items(env, jvm().from_list, list.items, depth);
}

jobject convert_dict(JNIEnv* env, DictImpl& dict, int depth) {
  const Jvm& j = jvm();
  const bool has_string_keys = dict.key_type->is(TypeKind::kString);
  if (!has_string_keys && !dict.key_type->is(TypeKind::kInt)) {
    fail_argument("Unsupported IValue-Dict key type: " + dict.key_type->str());
  }
  const Local map(env, checked(env, env->NewObject(j.hash_map, j.new_hash_map)));
  for (const auto& [key, value] : dict.entries()) {
    const Local java_key(
        env, has_string_keys
                 ? static_cast<jobject>(new_string(env, key.to_string()))
                 : checked(env, env->CallStaticObjectMethod(j.long_box, j.new_long, static_cast<jlong>(key.to_int()))));
    const Local java_value(env, convert(env, value, depth + 1));
    const Local old(env,
                    checked(env, env->CallObjectMethod(map.get(), j.hash_map_put, java_key.get(), java_value.get())));
  }
  return call(env, has_string_keys ? j.from_string_dict : j.from_long_dict, map.get());
}

jobject convert(JNIEnv* env, const IValue& value, int depth) {
  if (depth > kMaxDepth) {
    fail_argument("the result is nested deeper than " + std::to_string(kMaxDepth) + ", or holds itself");
  }
  const Jvm& j = jvm();
  switch (value.tag()) {
    case IValue::Tag::kNone:
      return call(env, j.null_value);
    case IValue::Tag::kTensor: {
      const Local tensor(env, new_tensor(env, value.to_tensor()));
      return call(env, j.from_tensor, tensor.get());
    }
    case IValue::Tag::kBool:
      return call(env, j.from_bool, static_cast<jboolean>(value.to_bool()));
    case IValue::Tag::kInt:
      return call(env, j.from_long, static_cast<jlong>(value.to_int()));
    case IValue::Tag::kDouble:
      return call(env, j.from_double, static_cast<jdouble>(value.to_double()));
    case IValue::Tag::kString: {
      const Local text(env, new_string(env, value.to_string()));
      return call(env, j.from_string, text.get());
    }
    case IValue::Tag::kTuple:
      return in_frame(env, [&] { return convert_items(env, j.from_tuple, value.to_tuple().items, depth); });
    case IValue::Tag::kList:
      return in_frame(env, [&] { return convert_list(env, value.to_list(), depth); });
    case IValue::Tag::kDict:
      return in_frame(env, [&] { return convert_dict(env, value.to_dict(), depth); });
    default:
      fail_argument(std::string("Unsupported IValue type ") + value.tag_name());
  }
}

void copy_result(JNIEnv* env, const Tensor& result, jobject output) {
  const JavaTensor java = read_tensor(env, output);
  const Local buffer(env, java.buffer);
  if (java.is_read_only) fail_argument("the buffer of an output is read-only");
  if (java.dtype != result.dtype() || !(IntSpan(java.sizes) == result.sizes())) {
    const IValue shapes[] = {IValue::int_list(result.sizes()), IValue::int_list(java.sizes)};
    fail_argument(std::string("the result is a tensor of ") + torch_name_of(result.dtype()) + " and shape " +
                  repr(shapes[0]) + ", the output one of " + torch_name_of(java.dtype) + " and shape " +
                  repr(shapes[1]));
  }
  copy_strided(java.data, java.strides, result.data_ptr(), result.strides(), result.sizes(), result.itemsize());
}

}  // namespace

int java_code(DType dtype) {
  switch (dtype) {
    case DType::kByte:
      return 1;
    case DType::kChar:
      return 2;
    case DType::kInt:
      return 3;
    case DType::kFloat:
      return 4;
    case DType::kLong:
      return 5;
    case DType::kDouble:
      return 6;
    default:
      fail_argument(std::string("at::Tensor scalar type ") + name_of(dtype) + " is not supported on java side");
  }
}

jobject to_java(JNIEnv* env, const IValue& value) { return convert(env, value, 0); }

void copy_results(JNIEnv* env, const IValue& result, jobjectArray outputs) {
  std::vector<IValue> results;
  if (result.is_tuple()) {
    results = result.to_tuple().items;
  } else if (result.is_list()) {
    results = result.to_list().items;
  } else {
    results.push_back(result);
  }
  const jsize count = env->GetArrayLength(outputs);
  if (results.size() != static_cast<size_t>(count)) {
    fail_argument("the model gives " + std::to_string(results.size()) + " results, for " + std::to_string(count) +
                  " outputs");
  }
  for (jsize i = 0; i < count; ++i) {
    if (!results[i].is_tensor()) {
      fail_argument(std::string("result ") + std::to_string(i) + " is not a tensor but " + results[i].tag_name());
    }
    const Local output(env, checked(env, env->GetObjectArrayElement(outputs, i)));
    copy_result(env, results[i].to_tensor(), output.get());
  }
}

}  // namespace wick::java
