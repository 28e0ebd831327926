package org.pytorch.torchvision;

import android.graphics.Bitmap;
import android.graphics.ImageFormat;
import android.media.Image;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Locale;
import org.jetbrains.annotations.NotNull;
import org.pytorch.MemoryFormat;
import org.pytorch.NativeLibraries;
import org.pytorch.Tensor;

/**
 * Bitmaps and camera images as tensors: red, green and blue from 0 to 1, less a mean and divided by a standard
 * deviation for each.
 *
 * <p>Threads: every method may be called from any thread.
 */
public final class TensorImageUtils {
  /** What the models of torchvision expect. */
  public static float[] TORCHVISION_NORM_MEAN_RGB = {0.485f, 0.456f, 0.406f};

  /** What the models of torchvision expect. */
  public static float[] TORCHVISION_NORM_STD_RGB = {0.229f, 0.224f, 0.225f};

  // What native code knows the formats by.
  private static final int CONTIGUOUS = 1;
  private static final int CHANNELS_LAST = 2;

  /** The whole bitmap, {@link MemoryFormat#CONTIGUOUS}; the tensor's shape is {1, 3, height, width}. */
  public static @NotNull Tensor bitmapToFloat32Tensor(Bitmap bitmap, float[] normMeanRGB, float[] normStdRGB) {
    return bitmapToFloat32Tensor(bitmap, normMeanRGB, normStdRGB, MemoryFormat.CONTIGUOUS);
  }

  /** The whole bitmap; the tensor's shape is {1, 3, height, width}. */
  public static @NotNull Tensor bitmapToFloat32Tensor(
      Bitmap bitmap, float[] normMeanRGB, float[] normStdRGB, MemoryFormat memoryFormat) {
    return bitmapToFloat32Tensor(
        bitmap, 0, 0, bitmap.getWidth(), bitmap.getHeight(), normMeanRGB, normStdRGB, memoryFormat);
  }

  /** A part of the bitmap, {@link MemoryFormat#CONTIGUOUS}; the tensor's shape is {1, 3, height, width}. */
  public static @NotNull Tensor bitmapToFloat32Tensor(
      Bitmap bitmap, int x, int y, int width, int height, float[] normMeanRGB, float[] normStdRGB) {
    return bitmapToFloat32Tensor(bitmap, x, y, width, height, normMeanRGB, normStdRGB, MemoryFormat.CONTIGUOUS);
  }

  /** A part of the bitmap; the tensor's shape is {1, 3, height, width}. */
  public static @NotNull Tensor bitmapToFloat32Tensor(Bitmap bitmap, int x, int y, int width, int height,
      float[] normMeanRGB, float[] normStdRGB, MemoryFormat memoryFormat) {
    checkNormMeanArg(normMeanRGB);
    checkNormStdArg(normStdRGB);
    final FloatBuffer buffer = Tensor.allocateFloatBuffer(3 * width * height);
    bitmapToFloatBuffer(bitmap, x, y, width, height, normMeanRGB, normStdRGB, buffer, 0, memoryFormat);
    return Tensor.fromBlob(buffer, new long[] {1, 3, height, width}, memoryFormat);
  }

  /** A part of the bitmap into a buffer, from {@code outBufferOffset} on, {@link MemoryFormat#CONTIGUOUS}. */
  public static void bitmapToFloatBuffer(Bitmap bitmap, int x, int y, int width, int height, float[] normMeanRGB,
      float[] normStdRGB, FloatBuffer outBuffer, int outBufferOffset) {
    bitmapToFloatBuffer(
        bitmap, x, y, width, height, normMeanRGB, normStdRGB, outBuffer, outBufferOffset, MemoryFormat.CONTIGUOUS);
  }

  /**
   * A part of the bitmap into a buffer of any kind, from {@code outBufferOffset} on; the buffer's position stays.
   */
  public static void bitmapToFloatBuffer(Bitmap bitmap, int x, int y, int width, int height, float[] normMeanRGB,
      float[] normStdRGB, FloatBuffer outBuffer, int outBufferOffset, MemoryFormat memoryFormat) {
    checkOutBufferCapacity(outBuffer, outBufferOffset, width, height);
    checkNormMeanArg(normMeanRGB);
    checkNormStdArg(normStdRGB);
    if (memoryFormat != MemoryFormat.CONTIGUOUS && memoryFormat != MemoryFormat.CHANNELS_LAST) {
      throw new IllegalArgumentException("Unsupported memory format " + memoryFormat);
    }
    final int count = width * height;
    final boolean isPlanar = memoryFormat == MemoryFormat.CONTIGUOUS;
    final boolean isNative = NativePixels.canWrite(outBuffer);
    final int format = isPlanar ? CONTIGUOUS : CHANNELS_LAST;
    if (isNative) {
      final int[] stored = StoredPixels.of(bitmap, x, y, width, height);
      final int columns = bitmap.getWidth();
      if (stored != null
          && NativePixels.storedToFloatBuffer(stored, StoredPixels.areSwapped(), y * columns + x, columns, width, height,
              normMeanRGB, normStdRGB, outBuffer, outBufferOffset, format)) {
        return;
      }
    }
    final int[] pixels = new int[count];
    bitmap.getPixels(pixels, 0, width, x, y, width, height);
    if (isNative) {
      NativePixels.pixelsToFloatBuffer(pixels, normMeanRGB, normStdRGB, outBuffer, outBufferOffset, format);
      return;
    }
    final int next = isPlanar ? 1 : 3;
    final int channel = isPlanar ? count : 1;
    for (int k = 0; k < 3; k++) {
      final float[] values = new float[256]; // of each byte: there are fewer of them than of pixels
      for (int c = 0; c < 256; c++) {
        values[c] = (c / 255.0f - normMeanRGB[k]) / normStdRGB[k];
      }
      final int shift = 16 - 8 * k;
      int at = outBufferOffset + k * channel;
      for (int i = 0; i < count; i++, at += next) {
        outBuffer.put(at, values[(pixels[i] >> shift) & 0xff]);
      }
    }
  }

  /**
   * The center of a camera image, in the proportions of the tensor, turned clockwise, {@link MemoryFormat#CONTIGUOUS}.
   */
  public static @NotNull Tensor imageYUV420CenterCropToFloat32Tensor(
      Image image, int rotateCWDegrees, int tensorWidth, int tensorHeight, float[] normMeanRGB, float[] normStdRGB) {
    return imageYUV420CenterCropToFloat32Tensor(
        image, rotateCWDegrees, tensorWidth, tensorHeight, normMeanRGB, normStdRGB, MemoryFormat.CONTIGUOUS);
  }

  /** The center of a camera image, in the proportions of the tensor, turned clockwise. */
  public static @NotNull Tensor imageYUV420CenterCropToFloat32Tensor(Image image, int rotateCWDegrees, int tensorWidth,
      int tensorHeight, float[] normMeanRGB, float[] normStdRGB, MemoryFormat memoryFormat) {
    checkImage(image, rotateCWDegrees, tensorWidth, tensorHeight, normMeanRGB, normStdRGB);
    final FloatBuffer buffer = Tensor.allocateFloatBuffer(3 * tensorWidth * tensorHeight);
    imageYUV420CenterCropToFloatBuffer(
        image, rotateCWDegrees, tensorWidth, tensorHeight, normMeanRGB, normStdRGB, buffer, 0, memoryFormat);
    return Tensor.fromBlob(buffer, new long[] {1, 3, tensorHeight, tensorWidth}, memoryFormat);
  }

  /** The center of a camera image into a direct buffer, {@link MemoryFormat#CONTIGUOUS}. */
  public static void imageYUV420CenterCropToFloatBuffer(Image image, int rotateCWDegrees, int tensorWidth,
      int tensorHeight, float[] normMeanRGB, float[] normStdRGB, FloatBuffer outBuffer, int outBufferOffset) {
    imageYUV420CenterCropToFloatBuffer(image, rotateCWDegrees, tensorWidth, tensorHeight, normMeanRGB, normStdRGB,
        outBuffer, outBufferOffset, MemoryFormat.CONTIGUOUS);
  }

  /**
   * The center of a camera image into a direct buffer, from {@code outBufferOffset} on. Pixels are taken in steps of
   * whole pixels; 90 and 270 degrees mirror an axis, as they always have.
   */
  public static void imageYUV420CenterCropToFloatBuffer(Image image, int rotateCWDegrees, int tensorWidth,
      int tensorHeight, float[] normMeanRGB, float[] normStdRGB, FloatBuffer outBuffer, int outBufferOffset,
      MemoryFormat memoryFormat) {
    checkOutBufferCapacity(outBuffer, outBufferOffset, tensorWidth, tensorHeight);
    checkImage(image, rotateCWDegrees, tensorWidth, tensorHeight, normMeanRGB, normStdRGB);
    if (outBuffer.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    if (outBuffer.order() != ByteOrder.nativeOrder()) {
      throw new IllegalArgumentException("the output must be a buffer in native byte order");
    }
    final Image.Plane[] planes = image.getPlanes();
    NativePeer.convert(planes[0].getBuffer(), planes[0].getRowStride(), planes[0].getPixelStride(),
        planes[1].getBuffer(), planes[2].getBuffer(), planes[1].getRowStride(), planes[1].getPixelStride(),
        image.getWidth(), image.getHeight(), rotateCWDegrees, tensorWidth, tensorHeight, normMeanRGB, normStdRGB,
        outBuffer, outBufferOffset,
        memoryFormat == MemoryFormat.CONTIGUOUS          ? CONTIGUOUS
            : memoryFormat == MemoryFormat.CHANNELS_LAST ? CHANNELS_LAST
                                                         : 0);
  }

  private static void checkImage(
      Image image, int rotateCWDegrees, int tensorWidth, int tensorHeight, float[] normMeanRGB, float[] normStdRGB) {
    if (image.getFormat() != ImageFormat.YUV_420_888) {
      throw new IllegalArgumentException(
          String.format(Locale.US, "Image format %d != ImageFormat.YUV_420_888", image.getFormat()));
    }
    checkNormMeanArg(normMeanRGB);
    checkNormStdArg(normStdRGB);
    if (rotateCWDegrees != 0 && rotateCWDegrees != 90 && rotateCWDegrees != 180 && rotateCWDegrees != 270) {
      throw new IllegalArgumentException("rotateCWDegrees must be one of 0, 90, 180, 270");
    }
    if (tensorWidth <= 0 || tensorHeight <= 0) {
      throw new IllegalArgumentException("tensorHeight and tensorWidth must be positive");
    }
  }

  private static void checkOutBufferCapacity(FloatBuffer outBuffer, int outBufferOffset, int width, int height) {
    final long count = (long) width * height;
    // Compared in two steps: three times the count may be more than a long holds.
    if (count > outBuffer.capacity() || outBufferOffset + 3 * count > outBuffer.capacity()) {
      throw new IllegalStateException("Buffer underflow");
    }
  }

  private static void checkNormMeanArg(float[] normMeanRGB) {
    if (normMeanRGB.length != 3) {
      throw new IllegalArgumentException("normMeanRGB length must be 3");
    }
  }

  private static void checkNormStdArg(float[] normStdRGB) {
    if (normStdRGB.length != 3) {
      throw new IllegalArgumentException("normStdRGB length must be 3");
    }
  }

  // Loads the library when a camera image is first converted. A lock and no static initializer: the library looks for
  // this class while it is loaded.
  private static class NativePeer {
    private NativePeer() {}

    static void convert(ByteBuffer y, int yRowStride, int yPixelStride, ByteBuffer u, ByteBuffer v, int uvRowStride,
        int uvPixelStride, int imageWidth, int imageHeight, int rotateCWDegrees, int tensorWidth, int tensorHeight,
        float[] normMeanRGB, float[] normStdRGB, Buffer outBuffer, int outBufferOffset, int memoryFormatCode) {
      NativeLibraries.loadVision();
      imageYUV420CenterCropToFloatBuffer(y, yRowStride, yPixelStride, u, v, uvRowStride, uvPixelStride, imageWidth,
          imageHeight, rotateCWDegrees, tensorWidth, tensorHeight, normMeanRGB, normStdRGB, outBuffer, outBufferOffset,
          memoryFormatCode);
    }

    private static native void imageYUV420CenterCropToFloatBuffer(ByteBuffer y, int yRowStride, int yPixelStride,
        ByteBuffer u, ByteBuffer v, int uvRowStride, int uvPixelStride, int imageWidth, int imageHeight,
        int rotateCWDegrees, int tensorWidth, int tensorHeight, float[] normMeanRGB, float[] normStdRGB,
        Buffer outBuffer, int outBufferOffset, int memoryFormatCode);
  }
}
