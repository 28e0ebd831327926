package org.pytorch.torchvision;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import android.graphics.Bitmap;
import android.graphics.ImageFormat;
import android.media.Image;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.pytorch.IValue;
import org.pytorch.LiteModuleLoader;
import org.pytorch.MemoryFormat;
import org.pytorch.Module;
import org.pytorch.Tensor;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

/** PyTorch's published TensorImageUtils on our tensors, models and native library. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = 35, manifest = Config.NONE)
public class PublishedTest {
  private static final float[] ZERO = {0, 0, 0};
  private static final float[] ONE = {1, 1, 1};

  /** 4 x 4 pixels of one color. */
  private static final class Gray extends Image {
    private static final class Bytes extends Plane {
      private final ByteBuffer bytes = ByteBuffer.allocateDirect(16);
      private final int rowStride;

      Bytes(int rowStride, int value) {
        this.rowStride = rowStride;
        for (int i = 0; i < 16; i++) {
          bytes.put(i, (byte) value);
        }
      }

      @Override
      public int getRowStride() {
        return rowStride;
      }

      @Override
      public int getPixelStride() {
        return 1;
      }

      @Override
      public ByteBuffer getBuffer() {
        return bytes;
      }
    }

    private final Plane[] planes = {new Bytes(4, 100), new Bytes(2, 200), new Bytes(2, 50)};

    @Override
    public int getFormat() {
      return ImageFormat.YUV_420_888;
    }

    @Override
    public int getWidth() {
      return 4;
    }

    @Override
    public int getHeight() {
      return 4;
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
  }

  @Test
  public void theClassesArePyTorchs() {
    assertThrows(ClassNotFoundException.class, () -> Class.forName("org.pytorch.torchvision.NativePixels"));
  }

  @Test
  public void bitmapsGoThroughModels() {
    final Bitmap bitmap = Bitmap.createBitmap(3, 2, Bitmap.Config.ARGB_8888);
    bitmap.eraseColor(0xff336699);
    final Tensor tensor = TensorImageUtils.bitmapToFloat32Tensor(bitmap, ZERO, ONE);
    assertArrayEquals(new long[] {1, 3, 2, 3}, tensor.shape());
    assertEquals(MemoryFormat.CONTIGUOUS, tensor.memoryFormat());
    final Path model = Paths.get(System.getProperty("wick.testdata"), "tiny.ptl"); // adds 1
    try (Module module = LiteModuleLoader.load(model.toString())) {
      final float[] result = module.forward(IValue.from(tensor)).toTensor().getDataAsFloatArray();
      for (int i = 0; i < result.length; i++) {
        assertEquals(new int[] {0x33, 0x66, 0x99}[i / 6] / 255f + 1, result[i], 0);
      }
    }
    final FloatBuffer buffer = Tensor.allocateFloatBuffer(20);
    TensorImageUtils.bitmapToFloatBuffer(bitmap, 0, 0, 3, 2, ZERO, ONE, buffer, 2);
    assertEquals(0x33 / 255f, buffer.get(2), 0);
    assertEquals(0x99 / 255f, buffer.get(19), 0);
  }

  @Test
  public void cameraImagesAreConvertedByOurLibrary() {
    for (final int rotation : new int[] {0, 90, 180, 270}) {
      final Tensor tensor =
          TensorImageUtils.imageYUV420CenterCropToFloat32Tensor(new Gray(), rotation, 2, 2, ZERO, ONE);
      final float[] found = tensor.getDataAsFloatArray();
      for (int i = 0; i < found.length; i++) {
        assertEquals(new int[] {0, 133, 243}[i / 4], Math.round(found[i] * 255));
      }
    }
  }
}
