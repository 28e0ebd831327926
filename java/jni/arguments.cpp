// Arguments: values of Java as the model takes them.
#include <cstring>
#include <exception>
#include <new>

#include "handles.h"
#include "jvm.h"
#include "strided.h"
#include "values.h"

namespace wick::java {
namespace {

// Values inside of values; beyond, arrays that hold themselves are assumed.
constexpr int kMaxDepth = 256;

// The codes of org.pytorch.IValue.
enum Code : jint {
  kNull = 1,
  kTensor,
  kBool,
  kLong,
  kDouble,
  kString,
  kTuple,
  kBoolList,
  kLongList,
  kDoubleList,
  kTensorList,
  kList,
  kStringDict,
  kLongDict,
};

DType dtype_of(int code) {
  constexpr DType kDTypes[] = {DType::kByte, DType::kChar, DType::kInt, DType::kFloat, DType::kLong, DType::kDouble};
  if (code < 1 || code > 6) fail_argument("Unknown Tensor jdtype " + std::to_string(code));
  return kDTypes[code - 1];
}

// Strides of elements that lie with the channels last: the dims from the innermost outwards.
IntVec channels_last(const IntVec& sizes, bool is_3d) {
  const size_t space = is_3d ? 3 : 2;
  if (sizes.size() != space + 1 && sizes.size() != space + 2) {
    throw Error(ErrorCode::kInvalidArgument, std::string("ChannelsLast") + (is_3d ? "3d" : "2d") +
                                                 " doesn't support size " + std::to_string(sizes.size()));
  }
  const size_t channel = sizes.size() - space - 1;
  IntVec strides(sizes.size());
  int64_t step = 1;
  const auto next = [&](size_t dim) {
    strides[dim] = step;
    step *= std::max<int64_t>(sizes[dim], 1);
  };
  next(channel);
  for (size_t dim = sizes.size() - 1; dim > channel; --dim) next(dim);
  if (channel == 1) next(0);
  return strides;
}

IntVec strides_of(const IntVec& sizes, int format) {
  switch (format) {
    case 1:
      return contiguous_strides(sizes);
    case 2:
      return channels_last(sizes, false);
    case 3:
      return channels_last(sizes, true);
    default:
      fail_null("the memory format of a tensor is null");
  }
}

IntVec sizes_of(JNIEnv* env, jobject object) {
  const Local shape(env, static_cast<jlongArray>(env->GetObjectField(object, jvm().tensor_shape)));
  const jsize count = env->GetArrayLength(shape.get());
  std::vector<jlong> sizes(static_cast<size_t>(count));
  env->GetLongArrayRegion(shape.get(), 0, count, sizes.data());
  check(env);
  return IntVec(IntSpan(reinterpret_cast<const int64_t*>(sizes.data()), sizes.size()));
}

void check_capacity(const IntVec& sizes, size_t itemsize, jlong capacity) {
  int64_t count = 1;
  for (const int64_t size : sizes) {
    // checked_numel says what is wrong with shapes that nothing can hold.
    if (size < 0 || __builtin_mul_overflow(count, size, &count)) return;
  }
  if (count == capacity) return;
  fail_argument("Tensor dimensions(elements number:" + std::to_string(count) + ", element byte size:" +
                std::to_string(itemsize) + ", total bytes:" + std::to_string(static_cast<uint64_t>(count) * itemsize) +
                ") inconsistent with buffer capacity(" + std::to_string(capacity) + ")");
}

template <class T, class Array>
std::vector<T> copy_array(JNIEnv* env, Array array, void (JNIEnv::*region)(Array, jsize, jsize, T*)) {
  if (!array) fail_null("a list is null");
  const jsize count = env->GetArrayLength(array);
  std::vector<T> out(static_cast<size_t>(count));
  (env->*region)(array, 0, count, out.data());
  check(env);
  return out;
}

}  // namespace

// A Java buffer that native tensors share; the reference is made only when they outlive the call.
class Arguments::Buffer {
 public:
  ~Buffer() {
    if (!object_) return;
    JNIEnv* env = nullptr;
    JavaVM* vm = vm_;
    if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) == JNI_OK) {
      env->DeleteGlobalRef(object_);
    } else if (vm->AttachCurrentThreadAsDaemon(reinterpret_cast<Env>(&env), nullptr) == JNI_OK) {
      env->DeleteGlobalRef(object_);
      vm->DetachCurrentThread();
    }
  }
  void keep(JNIEnv* env, jobject buffer) {
    vm_ = jvm().vm;
    object_ = env->NewGlobalRef(buffer);
    if (!object_) throw std::bad_alloc();
  }

 private:
#ifdef __ANDROID__
  using Env = JNIEnv**;
#else
  using Env = void**;
#endif
  JavaVM* vm_ = nullptr;
  jobject object_ = nullptr;  // global reference
};

JavaTensor read_tensor(JNIEnv* env, jobject object) {
  if (!object) fail_null("a tensor is null");
  JavaTensor out;
  const jint codes = env->GetIntField(object, jvm().tensor_codes);
  out.dtype = dtype_of(codes & 0xFF);
  out.is_read_only = (codes >> 16) != 0;
  out.sizes = sizes_of(env, object);
  const auto stride = [&] {
    checked_numel(out.sizes);
    out.strides = strides_of(out.sizes, (codes >> 8) & 0xFF);
  };
  if (const jlong handle = env->GetLongField(object, jvm().tensor_handle)) {
    out.native = handles().get<Tensor>(handle);
    if (!out.native.defined() || env->GetBooleanField(object, jvm().tensor_closed))
      throw JavaError{"java/lang/IllegalStateException", "The tensor is closed"};
    out.data = out.native.data_ptr();
    stride();
    return out;
  }
  out.buffer = env->GetObjectField(object, jvm().tensor_buffer);
  jlong capacity = env->GetDirectBufferCapacity(out.buffer);
  if (capacity < 0) {
    // A view that does not begin at a multiple of its elements' size, on a processor that needs that: the JVM gives
    // no address of it.
    const Local view(env, out.buffer);
    out.buffer = checked(env, env->CallStaticObjectMethod(jvm().tensor, jvm().aligned_copy, view.get()));
    out.is_read_only = true;
    capacity = env->GetDirectBufferCapacity(out.buffer);
  }
  check_capacity(out.sizes, wick::itemsize(out.dtype), capacity);
  stride();
  out.data = env->GetDirectBufferAddress(out.buffer);
  return out;
}

Arguments::Arguments(JNIEnv* env, jobjectArray values) {
  if (!values) fail_null("the inputs are null");
  const jsize count = env->GetArrayLength(values);
  if (env->EnsureLocalCapacity(count + 16) != 0) throw JavaPending();
  values_.reserve(static_cast<size_t>(count) + 1);
  for (jsize i = 0; i < count; ++i) {
    const Local item(env, checked(env, env->GetObjectArrayElement(values, i)));
    values_.push_back(value(env, item.get(), 0));
  }
}

void Arguments::keep_shared(JNIEnv* env) {
  std::exception_ptr failure;
  for (Borrowed& one : borrowed_) {
    try {
      if (one.owner.use_count() > 1) one.owner->keep(env, one.buffer);
    } catch (...) {
      failure = std::current_exception();  // the others are kept nevertheless
    }
    env->DeleteLocalRef(one.buffer);
  }
  borrowed_.clear();
  if (failure) std::rethrow_exception(failure);
}

Tensor Arguments::tensor(JNIEnv* env, jobject object, int depth) {
  JavaTensor java = read_tensor(env, object);
  const size_t itemsize = wick::itemsize(java.dtype);
  if (java.native.defined()) {
    // Another storage on the same memory: one that the model resizes must not move what Java reads.
    auto owner = std::make_shared<Tensor>(java.native);
    return Tensor::from_blob(java.data, java.sizes, java.dtype, java.strides, std::move(owner));
  }
  Local buffer(env, java.buffer);
  const bool is_aligned = reinterpret_cast<uintptr_t>(java.data) % itemsize == 0;
  if (java.is_read_only || !is_aligned || !java.data) {  // the model might write, or read whole vectors
    Tensor copy = Tensor::empty_strided(java.sizes, java.strides, java.dtype);
    if (const int64_t count = checked_numel(java.sizes)) {
      std::memcpy(copy.data_ptr(), java.data, static_cast<size_t>(count) * itemsize);
    }
    return copy;
  }
  auto owner = std::make_shared<Buffer>();
  if (depth == 0) {
    borrowed_.push_back({owner, buffer.get()});
    buffer.release();
  } else {  // any number of them: local references would be too many
    owner->keep(env, buffer.get());
  }
  return Tensor::from_blob(java.data, java.sizes, java.dtype, java.strides, std::move(owner));
}

IValue Arguments::value(JNIEnv* env, jobject object, int depth) {
  if (!object) fail_null("an input is null");
  if (depth > kMaxDepth) {
    fail_argument("values nested deeper than " + std::to_string(kMaxDepth) + ", or that hold themselves");
  }
  const Jvm& j = jvm();
  const jint code = env->GetIntField(object, j.ivalue_code);
  switch (code) {
    case kNull:
      return {};
    case kBool:
      return IValue(checked(env, env->CallBooleanMethod(object, j.to_bool)) != 0);
    case kLong:
      return IValue(int64_t{checked(env, env->CallLongMethod(object, j.to_long))});
    case kDouble:
      return IValue(checked(env, env->CallDoubleMethod(object, j.to_double)));
    default:
      break;
  }
  Local data(env, env->GetObjectField(object, j.ivalue_data));
  if (code == kTensor) return tensor(env, data.get(), depth);
  const LocalFrame frame(env);
  switch (code) {
    case kString:
      return IValue(to_utf8(env, static_cast<jstring>(data.get()), "a string is null"));
    case kTuple:
      return IValue::tuple(items(env, static_cast<jobjectArray>(data.get()), depth));
    case kBoolList: {
      const auto flags = copy_array(env, static_cast<jbooleanArray>(data.get()), &JNIEnv::GetBooleanArrayRegion);
      return IValue::bool_list(std::vector<bool>(flags.begin(), flags.end()));
    }
    case kLongList: {
      const auto longs = copy_array(env, static_cast<jlongArray>(data.get()), &JNIEnv::GetLongArrayRegion);
      return IValue::int_list(IntSpan(reinterpret_cast<const int64_t*>(longs.data()), longs.size()));
    }
    case kDoubleList:
      return IValue::double_list(copy_array(env, static_cast<jdoubleArray>(data.get()), &JNIEnv::GetDoubleArrayRegion));
    case kTensorList:
      return tensor_list(env, static_cast<jobjectArray>(data.get()), depth);
    case kList:
      return list(env, static_cast<jobjectArray>(data.get()), depth);
    case kStringDict:
    case kLongDict:
      return dict(env, data.get(), code == kStringDict, depth);
    default:
      fail_argument("Unknown IValue typeCode " + std::to_string(code));
  }
}

std::vector<IValue> Arguments::items(JNIEnv* env, jobjectArray array, int depth) {
  if (!array) fail_null("a list or tuple is null");
  const jsize count = env->GetArrayLength(array);
  std::vector<IValue> out;
  out.reserve(static_cast<size_t>(count));
  for (jsize i = 0; i < count; ++i) {
    const Local item(env, checked(env, env->GetObjectArrayElement(array, i)));
    out.push_back(value(env, item.get(), depth + 1));
  }
  return out;
}

// Of the type of its first item; an empty one has tensors.
IValue Arguments::list(JNIEnv* env, jobjectArray array, int depth) {
  std::vector<IValue> values = items(env, array, depth);
  TypePtr type = values.empty() ? types::tensor() : values[0].type();
  return IValue::list(std::move(type), std::move(values));
}

IValue Arguments::tensor_list(JNIEnv* env, jobjectArray array, int depth) {
  if (!array) fail_null("a list of tensors is null");
  const jsize count = env->GetArrayLength(array);
  std::vector<Tensor> tensors;
  tensors.reserve(static_cast<size_t>(count));
  for (jsize i = 0; i < count; ++i) {
    const Local item(env, checked(env, env->GetObjectArrayElement(array, i)));
    tensors.push_back(tensor(env, item.get(), depth + 1));
  }
  return IValue::tensor_list(std::move(tensors));
}

IValue Arguments::dict(JNIEnv* env, jobject map, bool has_string_keys, int depth) {
  if (!map) fail_null("a map is null");
  const Jvm& j = jvm();
  const Local set(env, checked(env, env->CallObjectMethod(map, j.map_entry_set)));
  if (!set) fail_null("the entries of a map are null");
  const Local entries(env, static_cast<jobjectArray>(checked(env, env->CallObjectMethod(set.get(), j.set_to_array))));
  if (!entries) fail_null("the entries of a map are null");
  auto out = make_ref<DictImpl>();
  out->key_type = has_string_keys ? types::string() : types::integer();
  out->value_type = types::tensor();
  const jsize count = env->GetArrayLength(entries.get());
  for (jsize i = 0; i < count; ++i) {
    const Local entry(env, checked(env, env->GetObjectArrayElement(entries.get(), i)));
    if (!entry) fail_null("an entry of a map is null");
    const Local key(env, checked(env, env->CallObjectMethod(entry.get(), j.entry_key)));
    const Local value(env, checked(env, env->CallObjectMethod(entry.get(), j.entry_value)));
    if (!key) fail_null("a key of a map is null");
    if (!env->IsInstanceOf(key.get(), has_string_keys ? j.string : j.long_box) ||
        (value && !env->IsInstanceOf(value.get(), j.ivalue))) {
      throw JavaError{"java/lang/ClassCastException",
                      has_string_keys ? "expected a Map<String, IValue>" : "expected a Map<Long, IValue>"};
    }
    IValue item = this->value(env, value.get(), depth + 1);
    if (i == 0) out->value_type = item.type();
    out->set(has_string_keys ? IValue(to_utf8(env, static_cast<jstring>(key.get()), "a key"))
                             : IValue(int64_t{checked(env, env->CallLongMethod(key.get(), j.long_value))}),
             std::move(item));
  }
  return IValue(std::move(out));
}

}  // namespace wick::java
