package org.pytorch.torchvision;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import android.graphics.Bitmap;
import android.graphics.ColorSpace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.pytorch.MemoryFormat;
import org.pytorch.Tensor;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

/** Bitmaps: values, areas, formats, kinds of buffers and failures. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = 35, manifest = Config.NONE)
public class BitmapTest {
  private static final float[] MEAN = TensorImageUtils.TORCHVISION_NORM_MEAN_RGB;
  private static final float[] STD = TensorImageUtils.TORCHVISION_NORM_STD_RGB;

  private static Bitmap randomBitmap(int width, int height, Random random) {
    final int[] pixels = random.ints((long) width * height).map(p -> p | 0xff000000).toArray();
    final Bitmap bitmap = Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888);
    bitmap.setPixels(pixels, 0, width, 0, 0, width, height);
    return bitmap;
  }

  private static float[] reference(Bitmap bitmap, int x, int y, int w, int h, boolean planar) {
    final float[] out = new float[3 * w * h];
    for (int i = 0; i < w * h; i++) {
      final int pixel = bitmap.getPixel(x + i % w, y + i / w);
      for (int k = 0; k < 3; k++) {
        final int c = (pixel >> (16 - 8 * k)) & 0xff;
        out[planar ? k * w * h + i : 3 * i + k] = (c / 255.0f - MEAN[k]) / STD[k];
      }
    }
    return out;
  }

  @Test
  public void smoke() {
    final Bitmap bitmap = Bitmap.createBitmap(320, 240, Bitmap.Config.ARGB_8888);
    final Tensor tensor = TensorImageUtils.bitmapToFloat32Tensor(bitmap, MEAN, STD);
    assertArrayEquals(new long[] {1, 3, 240, 320}, tensor.shape());
    assertEquals(MemoryFormat.CONTIGUOUS, tensor.memoryFormat());
    assertArrayEquals(new float[] {0.485f, 0.456f, 0.406f}, MEAN, 0);
    assertArrayEquals(new float[] {0.229f, 0.224f, 0.225f}, STD, 0);
  }

  @Test
  public void exactForAreasFormatsAndBuffers() {
    final Random random = new Random(2);
    for (int round = 0; round < 40; round++) {
      final Bitmap bitmap = randomBitmap(5 + random.nextInt(40), 5 + random.nextInt(40), random);
      final int x = random.nextInt(4);
      final int y = random.nextInt(4);
      final int w = 1 + random.nextInt(bitmap.getWidth() - x);
      final int h = 1 + random.nextInt(bitmap.getHeight() - y);
      for (final MemoryFormat format : new MemoryFormat[] {MemoryFormat.CONTIGUOUS, MemoryFormat.CHANNELS_LAST}) {
        final float[] expected = reference(bitmap, x, y, w, h, format == MemoryFormat.CONTIGUOUS);
        final Tensor tensor = TensorImageUtils.bitmapToFloat32Tensor(bitmap, x, y, w, h, MEAN, STD, format);
        assertEquals(format, tensor.memoryFormat());
        assertArrayEquals(new long[] {1, 3, h, w}, tensor.shape());
        assertArrayEquals(expected, tensor.getDataAsFloatArray(), 0);
        final int count = 3 * w * h;
        final FloatBuffer[] buffers = {Tensor.allocateFloatBuffer(count + 5), FloatBuffer.allocate(count + 5),
            ByteBuffer.allocateDirect(4 * (count + 5)).order(ByteOrder.BIG_ENDIAN).asFloatBuffer()};
        for (final FloatBuffer buffer : buffers) {
          TensorImageUtils.bitmapToFloatBuffer(bitmap, x, y, w, h, MEAN, STD, buffer, 5, format);
          assertEquals(0, buffer.position());
          final float[] actual = new float[count];
          buffer.position(5);
          buffer.get(actual);
          assertArrayEquals(expected, actual, 0);
        }
      }
    }
  }

  @Test
  public void storedPixelsAreUsedWhereTheirColorsAreTheSame() {
    final Random random = new Random(3);
    final Bitmap opaque = randomBitmap(30, 20, random);
    assertNotNull(StoredPixels.of(opaque, 0, 0, 30, 20));
    assertNotNull(StoredPixels.of(opaque, 1, 2, 29, 18));
    assertNull("less than half", StoredPixels.of(opaque, 0, 0, 10, 20));
    assertNull("outside", StoredPixels.of(opaque, 1, 0, 30, 20));
    assertNull("an overflow", StoredPixels.of(opaque, 1, 0, Integer.MAX_VALUE, 20));
    assertNull(StoredPixels.of(opaque.copy(Bitmap.Config.RGB_565, false), 0, 0, 30, 20));
    final ColorSpace wide = ColorSpace.get(ColorSpace.Named.DISPLAY_P3);
    final Bitmap photo = Bitmap.createBitmap(30, 20, Bitmap.Config.ARGB_8888, true, wide);
    photo.eraseColor(0xff336699);
    assertNull(StoredPixels.of(photo, 0, 0, 30, 20));
    final Bitmap recycled = randomBitmap(30, 20, random);
    recycled.recycle();
    assertNull(StoredPixels.of(recycled, 0, 0, 30, 20));
  }

  @Test
  public void onePixelThatIsNotOpaqueIsEnough() {
    final Random random = new Random(4);
    for (int round = 0; round < 40; round++) {
      final int width = 60 + random.nextInt(20);
      final int height = 70 + random.nextInt(60); // more than a block of native code
      final Bitmap bitmap = randomBitmap(width, height, random);
      bitmap.setPixel(random.nextInt(width), random.nextInt(height), 0x80c08040);
      final boolean planar = round % 2 == 0;
      final Tensor tensor = TensorImageUtils.bitmapToFloat32Tensor(bitmap, round % 3, 0, width - round % 3, height,
          MEAN, STD, planar ? MemoryFormat.CONTIGUOUS : MemoryFormat.CHANNELS_LAST);
      assertArrayEquals(reference(bitmap, round % 3, 0, width - round % 3, height, planar),
          tensor.getDataAsFloatArray(), 0);
    }
  }

  @Test
  public void bothOrdersOfStoredPixels() {
    final Random random = new Random(6);
    final Bitmap bitmap = randomBitmap(67, 90, random);
    final int[] pixels = new int[67 * 90];
    bitmap.getPixels(pixels, 0, 67, 0, 0, 67, 90);
    final int[] swapped = new int[pixels.length];
    for (int i = 0; i < pixels.length; i++) {
      swapped[i] = (pixels[i] & 0xff00ff00) | (pixels[i] & 0xff) << 16 | (pixels[i] >> 16 & 0xff);
    }
    final FloatBuffer out = Tensor.allocateFloatBuffer(3 * pixels.length);
    assertTrue(NativePixels.canWrite(out));
    for (final int[] area : new int[][] {{0, 0, 67, 90}, {3, 5, 61, 80}, {66, 89, 1, 1}}) {
      for (int format = 1; format <= 2; format++) {
        final int begin = area[1] * 67 + area[0];
        final float[] expected = reference(bitmap, area[0], area[1], area[2], area[3], format == 1);
        final float[] found = new float[expected.length];
        for (final boolean areSwapped : new boolean[] {false, true}) {
          assertTrue(NativePixels.storedToFloatBuffer(areSwapped ? swapped : pixels, areSwapped, begin, 67, area[2],
              area[3], MEAN, STD, out, 0, format));
          out.duplicate().get(found);
          assertArrayEquals(expected, found, 0);
        }
      }
    }
    swapped[67 * 90 - 1] &= 0xfeffffff;
    assertFalse(NativePixels.storedToFloatBuffer(swapped, true, 0, 67, 67, 90, MEAN, STD, out, 0, 1));
    assertTrue(NativePixels.storedToFloatBuffer(swapped, true, 0, 67, 66, 90, MEAN, STD, out, 0, 1));
    for (final int[] area : new int[][] {{-1, 67, 67, 90}, {1, 67, 67, 90}, {0, 66, 67, 90}, {0, 67, 0, 90},
             {0, Integer.MAX_VALUE, 67, Integer.MAX_VALUE}}) {
      assertThrows(IllegalArgumentException.class,
          ()
              -> NativePixels.storedToFloatBuffer(
                  swapped, true, area[0], area[1], area[2], area[3], MEAN, STD, out, 0, 1));
    }
  }

  @Test
  public void configurations() {
    final Random random = new Random(5);
    final Bitmap bitmap = randomBitmap(33, 21, random);
    for (final Bitmap.Config config : new Bitmap.Config[] {Bitmap.Config.RGB_565, Bitmap.Config.RGBA_F16}) {
      final Bitmap copy = bitmap.copy(config, false);
      assertArrayEquals(reference(copy, 0, 0, 33, 21, true),
          TensorImageUtils.bitmapToFloat32Tensor(copy, MEAN, STD).getDataAsFloatArray(), 0);
    }
  }

  private static void assertRefused(Class<? extends RuntimeException> type, String message, Runnable action) {
    assertEquals(message, assertThrows(type, action::run).getMessage());
  }

  @Test
  public void checks() {
    final Bitmap bitmap = Bitmap.createBitmap(2, 2, Bitmap.Config.ARGB_8888);
    final FloatBuffer out = Tensor.allocateFloatBuffer(12);
    assertRefused(IllegalStateException.class, "Buffer underflow",
        () -> TensorImageUtils.bitmapToFloatBuffer(bitmap, 0, 0, 2, 2, new float[1], new float[1], out, 1));
    assertRefused(IllegalArgumentException.class, "normMeanRGB length must be 3",
        () -> TensorImageUtils.bitmapToFloatBuffer(bitmap, 0, 0, 2, 2, new float[1], new float[1], out, 0, null));
    assertRefused(IllegalArgumentException.class, "normStdRGB length must be 3",
        () -> TensorImageUtils.bitmapToFloatBuffer(bitmap, 0, 0, 2, 2, MEAN, new float[1], out, 0, null));
    assertRefused(IllegalArgumentException.class, "Unsupported memory format CHANNELS_LAST_3D",
        () -> TensorImageUtils.bitmapToFloat32Tensor(bitmap, MEAN, STD, MemoryFormat.CHANNELS_LAST_3D));
    assertThrows(RuntimeException.class, // of the bitmap
        () -> TensorImageUtils.bitmapToFloat32Tensor(bitmap, 1, 0, 2, 2, MEAN, STD));
    assertThrows(NullPointerException.class, () -> TensorImageUtils.bitmapToFloat32Tensor(bitmap, null, STD));
  }
}
