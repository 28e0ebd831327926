package org.pytorch.torchvision;

import android.graphics.Bitmap;
import java.lang.reflect.Method;
import java.nio.IntBuffer;
import org.jetbrains.annotations.Nullable;

/**
 * Pixels as a bitmap keeps them: a copy of its memory, which takes a fraction of {@link Bitmap#getPixels}. Their colors
 * are the same where they are opaque.
 */
final class StoredPixels {
  private static final int MOST = 1 << 24; // pixels that are copied where a part of them may be wanted
  private static final int COLOR = 0xff010203;
  private static final int SWAPPED_COLOR = 0xff030201;
  private static volatile int storedColor; // how COLOR is stored; 0: not tried
  private static volatile Boolean hasColorSpaces;
  private static Method getColorSpace;
  private static Method isSrgb;

  private StoredPixels() {}

  /** All pixels of the bitmap, when half of them are wanted at least; null when they can't be copied so. */
  static @Nullable int[] of(Bitmap bitmap, int x, int y, int width, int height) {
    final int columns = bitmap.getWidth();
    final int rows = bitmap.getHeight();
    final boolean isInside = x >= 0 && y >= 0 && width > 0 && height > 0 && x <= columns - width && y <= rows - height;
    final long count = (long) columns * rows;
    if (!isInside || count > MOST || 2L * width * height < count || !canCopy(bitmap)) {
      return null;
    }
    final int[] pixels = new int[(int) count];
    bitmap.copyPixelsToBuffer(IntBuffer.wrap(pixels));
    return pixels;
  }

  private static boolean canCopy(Bitmap bitmap) {
    return !bitmap.isRecycled() && bitmap.getConfig() == Bitmap.Config.ARGB_8888
        && bitmap.getRowBytes() == 4 * bitmap.getWidth() && isOrderKnown() && isSrgb(bitmap);
  }

  private static boolean isOrderKnown() {
    if (storedColor == 0) {
      final int[] pixel = {-1};
      try {
        Bitmap.createBitmap(new int[] {COLOR}, 1, 1, Bitmap.Config.ARGB_8888)
            .copyPixelsToBuffer(IntBuffer.wrap(pixel));
      } catch (RuntimeException e) {
        // not implemented there
      }
      storedColor = pixel[0];
    }
    return storedColor == COLOR || storedColor == SWAPPED_COLOR;
  }

  /** Whether they are 0xAABBGGRR, as on Android, and not 0xAARRGGBB, as bitmaps of test frameworks may have them. */
  static boolean areSwapped() {
    return storedColor == SWAPPED_COLOR;
  }

  // getPixels converts the colors of others. Before API level 26 there are no others.
  private static boolean isSrgb(Bitmap bitmap) {
    if (hasColorSpaces == null) {
      synchronized (StoredPixels.class) {
        try {
          getColorSpace = Bitmap.class.getMethod("getColorSpace");
          isSrgb = getColorSpace.getReturnType().getMethod("isSrgb");
          hasColorSpaces = true;
        } catch (NoSuchMethodException e) {
          hasColorSpaces = false;
        }
      }
    }
    if (!hasColorSpaces) {
      return true;
    }
    try {
      final Object space = getColorSpace.invoke(bitmap);
      return space != null && (Boolean) isSrgb.invoke(space);
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }
}
