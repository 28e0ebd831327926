package org.pytorch.torchvision;

import java.nio.Buffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import org.pytorch.NativeLibraries;

/** Pixels of a bitmap as floats, in native code where there is some. */
final class NativePixels {
  // Null: not tried. No static initializer: the library looks for this class while it is loaded.
  private static volatile Boolean isLoaded;

  private NativePixels() {}

  private static boolean load() {
    if (isLoaded == null) {
      try {
        NativeLibraries.loadVision();
        isLoaded = true;
      } catch (LinkageError e) {
        isLoaded = false; // bitmaps need no native library
      }
    }
    return isLoaded;
  }

  /** Whether native code can write into the buffer. */
  static boolean canWrite(FloatBuffer out) {
    return out.isDirect() && !out.isReadOnly() && out.order() == ByteOrder.nativeOrder() && load();
  }

  /** The codes of the formats: 1: contiguous, 2: channels last. */
  static native void pixelsToFloatBuffer(
      int[] pixels, float[] mean, float[] std, Buffer out, int offset, int memoryFormat);

  /**
   * Of {@link StoredPixels}: {@code width} x {@code height} of them from {@code begin} on, in rows that are {@code
   * rowPixels} apart. False, after a part of them, when one is not opaque.
   */
  static native boolean storedToFloatBuffer(int[] pixels, boolean areSwapped, int begin, int rowPixels, int width,
      int height, float[] mean, float[] std, Buffer out, int offset, int memoryFormat);
}
