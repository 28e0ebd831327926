// libpytorch_vision_jni: the native methods of org.pytorch.torchvision.
#include <jni.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <vector>

#include "vision_kernels.h"

namespace wick::java {
namespace {

void throw_new(JNIEnv* env, const char* class_name, const char* message) {
  if (jclass cls = env->FindClass(class_name)) env->ThrowNew(cls, message);
}
void throw_argument(JNIEnv* env, const char* message) { throw_new(env, "java/lang/IllegalArgumentException", message); }

struct Norm {
  float mean[3];
  float std[3];
};

// False, with a Java exception, for arrays that do not have three elements.
bool read_norm(JNIEnv* env, jfloatArray mean, jfloatArray std, Norm& out) {
  if (!mean || !std) {
    throw_new(env, "java/lang/NullPointerException", "the mean or the standard deviation is null");
    return false;
  }
  env->GetFloatArrayRegion(mean, 0, 3, out.mean);
  if (!env->ExceptionCheck()) env->GetFloatArrayRegion(std, 0, 3, out.std);
  return !env->ExceptionCheck();
}

// Where `count` pixels go in a direct buffer of floats; to is null, with a Java exception, when they do not fit.
Floats output(JNIEnv* env, jobject buffer, jint offset, int64_t count, jint format) {
  auto* floats = buffer ? static_cast<float*>(env->GetDirectBufferAddress(buffer)) : nullptr;
  if (format != 1 && format != 2) {
    throw_argument(env, "Illegal memory format code");
  } else if (!floats) {
    throw_argument(env, "the output must be a direct buffer");
  } else if (offset < 0 || count > (env->GetDirectBufferCapacity(buffer) - offset) / 3) {
    throw_new(env, "java/lang/IllegalStateException", "Buffer underflow");
  } else {
    return {floats + offset, format == 1 ? static_cast<size_t>(count) : 0};
  }
  return {nullptr, 0};
}

// One plane of an image: an element for every pixel, or for every second one of every second row.
struct Plane {
  const uint8_t* data = nullptr;
  int64_t row_stride = 0, pixel_stride = 0;
  int64_t columns = 0, rows = 0;

  // False, with a Java exception, when the buffer does not hold this many elements, or the `least`.
  bool set(JNIEnv* env, jobject buffer, jint row, jint pixel, int64_t all_columns, int64_t all_rows,
           int64_t least_columns, int64_t least_rows) {
    data = buffer ? static_cast<const uint8_t*>(env->GetDirectBufferAddress(buffer)) : nullptr;
    row_stride = row;
    pixel_stride = pixel;
    if (!data || row < 0 || pixel < 0) {
      throw_argument(env, "the planes of an image must be direct buffers, with strides that are not negative");
      return false;
    }
    const int64_t capacity = env->GetDirectBufferCapacity(buffer);
    const auto fits = [&](int64_t width, int64_t height) {
      columns = width;
      rows = height;
      return (rows - 1) * row_stride + (columns - 1) * pixel_stride < capacity;
    };
    if (fits(all_columns, all_rows) || fits(least_columns, all_rows) || fits(all_columns, least_rows) ||
        fits(least_columns, least_rows)) {
      return true;
    }
    throw_argument(env, "a plane of the image is smaller than its size and strides say");
    return false;
  }
};

// Which pixels of the image the tensor samples: a crop around the center, of the tensor's proportions, from its first
// edge on in steps of whole pixels. 90 and 270 degrees mirror an axis, and do not transpose.
struct Sampling {
  int64_t width, height;  // of the image
  int64_t crop_width, crop_height;
  int64_t left, top;
  int64_t step;
  bool mirrors_x, mirrors_y;

  Sampling(int64_t image_width, int64_t image_height, int rotation, int64_t tensor_width, int64_t tensor_height)
      : width(image_width), height(image_height) {
    const bool is_turned = rotation == 90 || rotation == 270;
    const int64_t upright_width = is_turned ? height : width, upright_height = is_turned ? width : height;
    int64_t cropped_width = upright_width, cropped_height = upright_height;
    if (tensor_width * upright_height <= tensor_height * upright_width) {
      cropped_width = tensor_width * upright_height / tensor_height;
    } else {
      cropped_height = tensor_height * upright_width / tensor_width;
    }
    crop_width = is_turned ? cropped_height : cropped_width;
    crop_height = is_turned ? cropped_width : cropped_height;
    left = (width - crop_width) / 2;
    top = (height - crop_height) / 2;
    step = cropped_width / tensor_width;
    mirrors_x = rotation == 180 || rotation == 270;
    mirrors_y = rotation == 180 || rotation == 90;
  }
  // Tensors that are not square may ask for pixels beside the image when they are turned: the nearest is taken.
  int64_t source_x(int64_t x) const {
    return std::clamp<int64_t>(left + (mirrors_x ? crop_width - 1 - x * step : x * step), 0, width - 1);
  }
  int64_t source_y(int64_t y) const {
    return std::clamp<int64_t>(top + (mirrors_y ? crop_height - 1 - y * step : y * step), 0, height - 1);
  }
};

// Takes the elements of a row that the tensor samples.
void gather(const uint8_t* row, const std::vector<int64_t>& offsets, uint8_t* out) {
  for (size_t i = 0; i < offsets.size(); ++i) out[i] = row[offsets[i]];
}

void convert(const Plane (&planes)[3], const Sampling& sampling, int64_t tensor_width, int64_t tensor_height,
             const Norm& norm, Floats out) {
  const auto columns = static_cast<size_t>(tensor_width);
  // The two planes of colors may end at different places.
  const int64_t chroma_columns = std::min(planes[1].columns, planes[2].columns);
  const int64_t chroma_rows = std::min(planes[1].rows, planes[2].rows);
  std::vector<int64_t> luma(columns), chroma(columns);
  for (size_t x = 0; x < columns; ++x) {
    const int64_t sx = sampling.source_x(static_cast<int64_t>(x));
    luma[x] = sx * planes[0].pixel_stride;
    chroma[x] = std::min(sx >> 1, chroma_columns - 1) * planes[1].pixel_stride;
  }
  std::vector<uint8_t> rows(3 * columns);
  for (int64_t y = 0; y < tensor_height; ++y) {
    const int64_t sy = sampling.source_y(y);
    for (int k = 0; k < 3; ++k) {
      const int64_t row = (k == 0 ? sy : std::min(sy >> 1, chroma_rows - 1)) * planes[k].row_stride;
      gather(planes[k].data + row, k == 0 ? luma : chroma, rows.data() + static_cast<size_t>(k) * columns);
    }
    const auto at = static_cast<size_t>(y) * columns;
    const Floats here{out.to + (out.plane == 0 ? 3 * at : at), out.plane};
    yuv_to_floats(rows.data(), rows.data() + columns, rows.data() + 2 * columns, columns, norm.mean, norm.std, here);
  }
}

void JNICALL yuv_to_buffer(JNIEnv* env, jclass, jobject y, jint y_row_stride, jint y_pixel_stride, jobject u, jobject v,
                           jint uv_row_stride, jint uv_pixel_stride, jint width, jint height, jint rotation,
                           jint tensor_width, jint tensor_height, jfloatArray mean, jfloatArray std, jobject buffer,
                           jint offset, jint format) {
  Norm norm;
  if (!read_norm(env, mean, std, norm)) return;
  if (width <= 0 || height <= 0 || tensor_width <= 0 || tensor_height <= 0) {
    throw_argument(env, "the sizes of the image and of the tensor must be positive");
    return;
  }
  const Floats out = output(env, buffer, offset, int64_t{tensor_width} * tensor_height, format);
  if (!out.to) return;
  // Of an image of an odd size some cameras give the colors of its last column or row, others do not: the nearest are
  // taken then.
  const int64_t columns = (int64_t{width} + 1) / 2, rows = (int64_t{height} + 1) / 2;
  const int64_t least_columns = std::max(width / 2, 1), least_rows = std::max(height / 2, 1);
  Plane planes[3];
  if (!planes[0].set(env, y, y_row_stride, y_pixel_stride, width, height, width, height) ||
      !planes[1].set(env, u, uv_row_stride, uv_pixel_stride, columns, rows, least_columns, least_rows) ||
      !planes[2].set(env, v, uv_row_stride, uv_pixel_stride, columns, rows, least_columns, least_rows)) {
    return;
  }
  for (int k = 0; k < 3; ++k) {
    norm.mean[k] *= 255.0f;
    norm.std[k] *= 255.0f;
  }
  try {
    convert(planes, {width, height, rotation, tensor_width, tensor_height}, tensor_width, tensor_height, norm, out);
  } catch (const std::bad_alloc&) {
    throw_new(env, "java/lang/OutOfMemoryError", "native memory");
  }
}

void JNICALL pixels_to_buffer(JNIEnv* env, jclass, jintArray pixels, jfloatArray mean, jfloatArray std, jobject buffer,
                              jint offset, jint format) {
  Norm norm;
  if (!read_norm(env, mean, std, norm)) return;
  const jsize count = env->GetArrayLength(pixels);
  const Floats out = output(env, buffer, offset, count, format);
  if (!out.to) return;
  void* data = env->GetPrimitiveArrayCritical(pixels, nullptr);
  if (!data) return;  // an exception is pending
  pixels_to_floats(static_cast<const int32_t*>(data), static_cast<size_t>(count), norm.mean, norm.std, out);
  env->ReleasePrimitiveArrayCritical(pixels, data, JNI_ABORT);
}

// An area of the whole bitmap's pixels, which lie `row_pixels` apart from row to row; its first is the one at `begin`.
// False, with the output partly written, when a pixel is not opaque.
jboolean JNICALL stored_to_buffer(JNIEnv* env, jclass, jintArray pixels, jboolean is_swapped, jint begin,
                                  jint row_pixels, jint width, jint height, jfloatArray mean, jfloatArray std,
                                  jobject buffer, jint offset, jint format) {
  Norm norm;
  if (!read_norm(env, mean, std, norm)) return false;
  const int64_t last = begin + (int64_t{height} - 1) * row_pixels + width;
  if (begin < 0 || width <= 0 || height <= 0 || row_pixels < width || last > env->GetArrayLength(pixels)) {
    throw_argument(env, "the area is not within the pixels");
    return false;
  }
  const Floats out = output(env, buffer, offset, int64_t{width} * height, format);
  if (!out.to) return false;
  void* data = env->GetPrimitiveArrayCritical(pixels, nullptr);
  if (!data) return false;  // an exception is pending
  const bool is_whole = width == row_pixels;
  const int64_t rows = is_whole ? 1 : height, columns = is_whole ? int64_t{width} * height : width;
  constexpr int64_t kBlock = 4096;  // pixels, after which one that is not opaque ends it
  bool is_opaque = true;
  for (int64_t y = 0; y < rows && is_opaque; ++y) {
    const int32_t* row = static_cast<const int32_t*>(data) + begin + y * row_pixels;
    for (int64_t x = 0; x < columns && is_opaque; x += kBlock) {
      const auto at = static_cast<size_t>(y * columns + x);
      const Floats here{out.to + (out.plane == 0 ? 3 * at : at), out.plane};
      const auto count = static_cast<size_t>(std::min(kBlock, columns - x));
      is_opaque = is_swapped ? swapped_pixels_to_floats(row + x, count, norm.mean, norm.std, here)
                             : pixels_to_floats(row + x, count, norm.mean, norm.std, here);
    }
  }
  env->ReleasePrimitiveArrayCritical(pixels, data, JNI_ABORT);
  return is_opaque;
}

bool register_one(JNIEnv* env, const char* class_name, const char* name, const char* type, void* function) {
  jclass cls = env->FindClass(class_name);
  const JNINativeMethod method = {const_cast<char*>(name), const_cast<char*>(type), function};
  return cls && env->RegisterNatives(cls, &method, 1) == JNI_OK;
}

}  // namespace
}  // namespace wick::java

extern "C" JNIEXPORT jint JNI_OnLoad(JavaVM* vm, void*) {
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  using namespace wick::java;
  if (!register_one(
          env, "org/pytorch/torchvision/TensorImageUtils$NativePeer", "imageYUV420CenterCropToFloatBuffer",
          "(Ljava/nio/ByteBuffer;IILjava/nio/ByteBuffer;Ljava/nio/ByteBuffer;IIIIIII[F[FLjava/nio/Buffer;II)V",
          reinterpret_cast<void*>(yuv_to_buffer))) {
    return JNI_ERR;
  }
  // PyTorch's own classes do not have these.
  if (!register_one(env, "org/pytorch/torchvision/NativePixels", "pixelsToFloatBuffer", "([I[F[FLjava/nio/Buffer;II)V",
                    reinterpret_cast<void*>(pixels_to_buffer)) ||
      !register_one(env, "org/pytorch/torchvision/NativePixels", "storedToFloatBuffer",
                    "([IZIIII[F[FLjava/nio/Buffer;II)Z", reinterpret_cast<void*>(stored_to_buffer))) {
    env->ExceptionClear();
  }
  return JNI_VERSION_1_6;
}
