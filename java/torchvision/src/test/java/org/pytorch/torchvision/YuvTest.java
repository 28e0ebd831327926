package org.pytorch.torchvision;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import android.graphics.ImageFormat;
import android.media.Image;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Random;
import org.junit.Test;
import org.pytorch.MemoryFormat;
import org.pytorch.Tensor;

/** Camera images: colors, geometry of all rotations, strides, formats and failures. */
public class YuvTest {
  private static final float[] ZERO = {0, 0, 0};
  private static final float[] ONE = {1, 1, 1};

  /** An image in memory, planar or with U and V side by side. */
  static final class YuvImage extends Image {
    final int width;
    final int height;
    int format = ImageFormat.YUV_420_888;
    final Plane[] planes = new Plane[3];

    YuvImage(int width, int height, int padding, int chromaPixelStride) {
      this.width = width;
      this.height = height;
      planes[0] = new BytePlane(width + padding, 1, width, height);
      final int chromaWidth = (width + 1) / 2;
      for (int k = 1; k < 3; k++) {
        planes[k] =
            new BytePlane(chromaWidth * chromaPixelStride + padding, chromaPixelStride, chromaWidth, (height + 1) / 2);
      }
    }

    void set(int plane, int x, int y, int value) {
      final BytePlane p = (BytePlane) planes[plane];
      p.bytes.put(y * p.rowStride + x * p.pixelStride, (byte) value);
    }

    int get(int plane, int x, int y) {
      final BytePlane p = (BytePlane) planes[plane];
      return p.bytes.get(y * p.rowStride + x * p.pixelStride) & 0xff;
    }

    void fill(int y, int u, int v) {
      final int[] values = {y, u, v};
      for (int k = 0; k < 3; k++) {
        final ByteBuffer bytes = ((BytePlane) planes[k]).bytes;
        for (int i = 0; i < bytes.capacity(); i++) {
          bytes.put(i, (byte) values[k]);
        }
      }
    }

    @Override
    public int getFormat() {
      return format;
    }

    @Override
    public int getWidth() {
      return width;
    }

    @Override
    public int getHeight() {
      return height;
    }

    @Override
    public long getTimestamp() {
      return 0;
    }

    @Override
    public int getTransform() {
      return 0;
    }

    @Override
    public int getScalingMode() {
      return 0;
    }

    @Override
    public int getPlaneCount() {
      return 3;
    }

    @Override
    public Plane[] getPlanes() {
      return planes;
    }

    @Override
    public void close() {}

    /** A plane whose last row ends with its last element, as those of cameras do. */
    static final class BytePlane extends Plane {
      final ByteBuffer bytes;
      final int rowStride;
      final int pixelStride;

      BytePlane(int rowStride, int pixelStride, int columns, int rows) {
        this.rowStride = rowStride;
        this.pixelStride = pixelStride;
        bytes = ByteBuffer.allocateDirect((rows - 1) * rowStride + (columns - 1) * pixelStride + 1);
      }

      @Override
      public int getRowStride() {
        return rowStride;
      }

      @Override
      public int getPixelStride() {
        return pixelStride;
      }

      @Override
      public ByteBuffer getBuffer() {
        return bytes;
      }
    }
  }

  private static float[] convert(YuvImage image, int rotation, int width, int height, MemoryFormat format) {
    final Tensor tensor =
        TensorImageUtils.imageYUV420CenterCropToFloat32Tensor(image, rotation, width, height, ZERO, ONE, format);
    assertArrayEquals(new long[] {1, 3, height, width}, tensor.shape());
    assertEquals(format, tensor.memoryFormat());
    final float[] out = tensor.getDataAsFloatArray();
    for (int i = 0; i < out.length; i++) {
      out[i] = Math.round(out[i] * 255);
    }
    return out;
  }

  @Test
  public void colors() {
    final int[][] vectors = {{16, 128, 128, 0, 0, 0}, {235, 128, 128, 254, 254, 254}, {255, 128, 128, 255, 255, 255},
        {0, 0, 0, 0, 154, 0}, {255, 255, 255, 255, 125, 255}, {128, 128, 128, 130, 130, 130}, {81, 90, 240, 254, 0, 0},
        {145, 54, 34, 0, 255, 0}, {41, 240, 110, 0, 0, 255}, {100, 200, 50, 0, 133, 243},
        {126, 128, 129, 129, 127, 128}};
    final YuvImage image = new YuvImage(4, 4, 0, 1);
    for (final int[] v : vectors) {
      image.fill(v[0], v[1], v[2]);
      assertArrayEquals(new float[] {v[3], v[4], v[5]}, convert(image, 0, 1, 1, MemoryFormat.CONTIGUOUS), 0);
    }
    image.fill(128, 128, 128);
    final float[] normalized =
        TensorImageUtils
            .imageYUV420CenterCropToFloat32Tensor(
                image, 0, 1, 1, TensorImageUtils.TORCHVISION_NORM_MEAN_RGB, TensorImageUtils.TORCHVISION_NORM_STD_RGB)
            .getDataAsFloatArray();
    assertArrayEquals(new float[] {0.108314015f, 0.240196094f, 0.461350799f}, normalized, 0);
  }

  /** Luma tells the pixel: y' = 16 + index, so that red is about the index. */
  private static void assertSources(int tensorWidth, int tensorHeight, int rotation, int[] xs, int[] ys) {
    final YuvImage image = new YuvImage(6, 4, 3, 2);
    image.fill(0, 128, 128);
    for (int y = 0; y < 4; y++) {
      for (int x = 0; x < 6; x++) {
        image.set(0, x, y, 16 + 8 * (y * 6 + x));
      }
    }
    final float[] actual = convert(image, rotation, tensorWidth, tensorHeight, MemoryFormat.CONTIGUOUS);
    for (int y = 0; y < tensorHeight; y++) {
      for (int x = 0; x < tensorWidth; x++) {
        final int expected = (1192 * 8 * (ys[y] * 6 + xs[x])) >> 10;
        assertEquals("(" + x + ", " + y + ") turned by " + rotation, expected, actual[y * tensorWidth + x], 0);
      }
    }
  }

  @Test
  public void geometry() {
    assertSources(2, 2, 0, new int[] {1, 3}, new int[] {0, 2});
    assertSources(2, 2, 90, new int[] {1, 3}, new int[] {3, 1});
    assertSources(2, 2, 180, new int[] {4, 2}, new int[] {3, 1});
    assertSources(2, 2, 270, new int[] {4, 2}, new int[] {0, 2});
    assertSources(4, 4, 0, new int[] {1, 2, 3, 4}, new int[] {0, 1, 2, 3});
    assertSources(4, 4, 90, new int[] {1, 2, 3, 4}, new int[] {3, 2, 1, 0});
    assertSources(4, 4, 180, new int[] {4, 3, 2, 1}, new int[] {3, 2, 1, 0});
    assertSources(4, 4, 270, new int[] {4, 3, 2, 1}, new int[] {0, 1, 2, 3});
    assertSources(3, 2, 0, new int[] {0, 2, 4}, new int[] {0, 2});
    assertSources(5, 5, 0, new int[] {1, 1, 1, 1, 1}, new int[] {0, 0, 0, 0, 0});
    assertSources(8, 8, 0, new int[] {1, 1, 1, 1, 1, 1, 1, 1}, new int[] {0, 0, 0, 0, 0, 0, 0, 0});
  }

  /** What the formulas of the specification give, pixel by pixel. */
  private static float[] reference(
      YuvImage image, int rotation, int tw, int th, float[] mean, float[] std, boolean planar) {
    final boolean turned = rotation == 90 || rotation == 270;
    final int w = turned ? image.height : image.width;
    final int h = turned ? image.width : image.height;
    final int cw = tw * h <= th * w ? tw * h / th : w;
    final int ch = tw * h <= th * w ? h : th * w / tw;
    final int cropW = turned ? ch : cw;
    final int cropH = turned ? cw : ch;
    final int offX = (image.width - cropW) / 2;
    final int offY = (image.height - cropH) / 2;
    final float scale = cw / tw;
    final float[] out = new float[3 * tw * th];
    for (int y = 0; y < th; y++) {
      for (int x = 0; x < tw; x++) {
        int sx = offX + (rotation >= 180 ? cropW - 1 - (int) (x * scale) : (int) (x * scale));
        int sy = offY + (rotation == 90 || rotation == 180 ? cropH - 1 - (int) (y * scale) : (int) (y * scale));
        sx = Math.max(0, Math.min(image.width - 1, sx));
        sy = Math.max(0, Math.min(image.height - 1, sy));
        final int a = 1192 * Math.max(image.get(0, sx, sy) - 16, 0);
        final int u = image.get(1, sx >> 1, sy >> 1) - 128;
        final int v = image.get(2, sx >> 1, sy >> 1) - 128;
        final int[] rgb = {(a + 1634 * v) >> 10, (a - 833 * v - 400 * u) >> 10, (a + 2066 * u) >> 10};
        for (int k = 0; k < 3; k++) {
          final int c = Math.max(0, Math.min(255, rgb[k]));
          final int at = planar ? k * tw * th + y * tw + x : 3 * (y * tw + x) + k;
          out[at] = (c - 255f * mean[k]) / (255f * std[k]);
        }
      }
    }
    return out;
  }

  @Test
  public void exactForAllRotationsStridesAndFormats() {
    final Random random = new Random(1);
    int images = 0;
    for (int i = 0; i < 400; i++) {
      final YuvImage image =
          new YuvImage(1 + random.nextInt(70), 1 + random.nextInt(50), random.nextInt(9), 1 + random.nextInt(2));
      for (final Image.Plane plane : image.planes) {
        final byte[] bytes = new byte[plane.getBuffer().capacity()];
        random.nextBytes(bytes);
        plane.getBuffer().duplicate().put(bytes);
      }
      final float[] mean = {random.nextFloat(), random.nextFloat(), random.nextFloat()};
      final float[] std = {random.nextFloat() + 0.1f, random.nextFloat() + 0.1f, random.nextFloat() + 0.1f};
      final int tw = 1 + random.nextInt(40);
      final int th = random.nextBoolean() ? tw : 1 + random.nextInt(40);
      final int offset = random.nextInt(5);
      for (final int rotation : new int[] {0, 90, 180, 270}) {
        for (final MemoryFormat format : new MemoryFormat[] {MemoryFormat.CONTIGUOUS, MemoryFormat.CHANNELS_LAST}) {
          final FloatBuffer out = Tensor.allocateFloatBuffer(3 * tw * th + offset + 2);
          out.put(offset + 3 * tw * th, 77);
          TensorImageUtils.imageYUV420CenterCropToFloatBuffer(image, rotation, tw, th, mean, std, out, offset, format);
          final float[] actual = new float[3 * tw * th];
          assertEquals(0, out.position());
          out.position(offset);
          out.get(actual);
          assertEquals("after the last", 77f, out.get(), 0);
          assertArrayEquals(
              reference(image, rotation, tw, th, mean, std, format == MemoryFormat.CONTIGUOUS), actual, 0);
          images++;
        }
      }
    }
    assertEquals(3200, images);
  }

  /** Of an odd size, cameras may leave out the colors of the last column and row: the nearest stand for them. */
  @Test
  public void oddSizesWithoutTheLastColors() {
    final Random random = new Random(2);
    for (final int stride : new int[] {1, 2}) {
      for (final int[] size : new int[][] {{2, 1}, {2, 2}, {3, 1}}) { // columns and rows of the colors of 5 x 3 pixels
        final YuvImage whole = new YuvImage(5, 3, 1, stride);
        final YuvImage cut = new YuvImage(5, 3, 1, stride);
        for (int k = 0; k < 3; k++) {
          final byte[] bytes = new byte[whole.planes[k].getBuffer().capacity()];
          random.nextBytes(bytes);
          whole.planes[k].getBuffer().duplicate().put(bytes);
        }
        cut.planes[0] = whole.planes[0];
        for (int k = 1; k < 3; k++) {
          cut.planes[k] = new YuvImage.BytePlane(size[0] * stride, stride, size[0], size[1]);
          for (int y = 0; y < 2; y++) {
            for (int x = 0; x < 3; x++) {
              final int value = whole.get(k, Math.min(x, size[0] - 1), Math.min(y, size[1] - 1));
              whole.set(k, x, y, value);
              if (x < size[0] && y < size[1]) {
                cut.set(k, x, y, value);
              }
            }
          }
        }
        for (final int rotation : new int[] {0, 90, 180, 270}) {
          assertArrayEquals(convert(whole, rotation, 3, 3, MemoryFormat.CONTIGUOUS),
              convert(cut, rotation, 3, 3, MemoryFormat.CONTIGUOUS), 0);
          assertArrayEquals(convert(whole, rotation, 5, 3, MemoryFormat.CONTIGUOUS),
              convert(cut, rotation, 5, 3, MemoryFormat.CONTIGUOUS), 0);
        }
      }
    }
  }

  private static void assertRefused(Class<?> type, String message, Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      assertEquals(type, e.getClass());
      assertEquals(message, e.getMessage());
      return;
    }
    throw new AssertionError("it did not fail");
  }

  @Test
  public void checks() {
    final YuvImage image = new YuvImage(6, 4, 0, 1);
    final FloatBuffer out = Tensor.allocateFloatBuffer(12);
    final Class<?> argument = IllegalArgumentException.class;
    assertRefused(IllegalStateException.class, "Buffer underflow",
        () -> TensorImageUtils.imageYUV420CenterCropToFloatBuffer(image, 1, 2, 2, new float[1], ONE, out, 1));
    assertRefused(IllegalStateException.class, "Buffer underflow",
        () -> TensorImageUtils.imageYUV420CenterCropToFloatBuffer(image, 0, 2, 2, ZERO, ONE, out, -1));
    assertRefused(IllegalStateException.class, "Buffer underflow",
        () -> TensorImageUtils.imageYUV420CenterCropToFloatBuffer(image, 0, 0, 2, ZERO, ONE, out, 13));
    assertRefused(argument, "normMeanRGB length must be 3",
        () -> TensorImageUtils.imageYUV420CenterCropToFloatBuffer(image, 1, 2, 2, new float[1], new float[1], out, 0));
    assertRefused(argument, "normStdRGB length must be 3",
        () -> TensorImageUtils.imageYUV420CenterCropToFloat32Tensor(image, 1, 2, 2, ZERO, new float[4]));
    assertRefused(argument, "rotateCWDegrees must be one of 0, 90, 180, 270",
        () -> TensorImageUtils.imageYUV420CenterCropToFloat32Tensor(image, 45, 0, 2, ZERO, ONE));
    assertRefused(argument, "tensorHeight and tensorWidth must be positive",
        () -> TensorImageUtils.imageYUV420CenterCropToFloat32Tensor(image, 0, 2, 0, ZERO, ONE));
    assertRefused(argument, "Illegal memory format code",
        ()
            -> TensorImageUtils.imageYUV420CenterCropToFloat32Tensor(
                image, 0, 2, 2, ZERO, ONE, MemoryFormat.CHANNELS_LAST_3D));
    assertRefused(argument, "the output must be a direct buffer",
        ()
            -> TensorImageUtils.imageYUV420CenterCropToFloatBuffer(
                image, 0, 2, 2, ZERO, ONE, FloatBuffer.allocate(12), 0));
    image.planes[2] = new YuvImage.BytePlane(1, 1, 1, 1);
    assertRefused(argument, "a plane of the image is smaller than its size and strides say",
        () -> TensorImageUtils.imageYUV420CenterCropToFloat32Tensor(image, 0, 2, 2, ZERO, ONE));
    image.format = ImageFormat.NV21;
    assertRefused(argument, "Image format 17 != ImageFormat.YUV_420_888",
        () -> TensorImageUtils.imageYUV420CenterCropToFloat32Tensor(image, 1, 0, 0, new float[0], ONE));
  }
}
