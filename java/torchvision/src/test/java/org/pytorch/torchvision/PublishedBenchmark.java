package org.pytorch.torchvision;

import static org.junit.Assert.assertArrayEquals;

import android.graphics.Bitmap;
import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.pytorch.Tensor;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

/** Bitmaps to floats, beside PyTorch's published classes in the same virtual machine; run by bench/java_images.py. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = 35, manifest = Config.NONE)
public class PublishedBenchmark {
  private static final float[] MEAN = TensorImageUtils.TORCHVISION_NORM_MEAN_RGB;
  private static final float[] STD = TensorImageUtils.TORCHVISION_NORM_STD_RGB;
  private static final int ROUNDS = 100;

  /** Has the published classes before those of its parent. */
  private static final class Published extends URLClassLoader {
    Published(URL classes) {
      super(new URL[] {classes}, PublishedBenchmark.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (!name.startsWith("org.pytorch.torchvision.")) {
          return super.loadClass(name, resolve);
        }
        final Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
      }
    }
  }

  private interface Conversion {
    void run() throws Exception;
  }

  // The least of the rounds of each, which take turns: what others do on the machine only adds to it.
  private static double[] microseconds(int calls, Conversion... conversions) throws Exception {
    final double[][] times = new double[conversions.length][ROUNDS];
    for (int round = -ROUNDS; round < ROUNDS; round++) { // the first are for the compiler
      for (int i = 0; i < conversions.length; i++) {
        final long start = System.nanoTime();
        for (int call = 0; call < calls; call++) {
          conversions[i].run();
        }
        if (round >= 0) {
          times[i][round] = (System.nanoTime() - start) / 1e3 / calls;
        }
      }
    }
    return Arrays.stream(times).mapToDouble(t -> Arrays.stream(t).min().getAsDouble()).toArray();
  }

  @Test
  public void bitmaps() throws Exception {
    try (Published loader = new Published(new File(System.getProperty("wick.published")).toURI().toURL())) {
      final Class<?> published = loader.loadClass(TensorImageUtils.class.getName());
      final Method toBuffer = published.getMethod("bitmapToFloatBuffer", Bitmap.class, int.class, int.class, int.class,
          int.class, float[].class, float[].class, FloatBuffer.class, int.class);
      for (final int kind : new int[] {0, 1, 2, 3}) {
        final int side = kind % 2 == 0 ? 224 : 640;
        final boolean isOpaque = kind < 2;
        final int[] pixels =
            new Random(1).ints((long) side * side).map(p -> isOpaque ? p | 0xff000000 : p).toArray();
        final Bitmap bitmap = Bitmap.createBitmap(pixels, side, side, Bitmap.Config.ARGB_8888);
        final FloatBuffer ours = Tensor.allocateFloatBuffer(3 * side * side);
        final FloatBuffer theirs = Tensor.allocateFloatBuffer(3 * side * side);
        final int[] copy = new int[side * side];
        final double[] times = microseconds(224 * 224 * 20 / (side * side),
            ()
                -> TensorImageUtils.bitmapToFloatBuffer(bitmap, 0, 0, side, side, MEAN, STD, ours, 0),
            ()
                -> toBuffer.invoke(null, bitmap, 0, 0, side, side, MEAN, STD, theirs, 0),
            () -> bitmap.getPixels(copy, 0, side, 0, 0, side, side));
        final float[] found = new float[3 * side * side];
        final float[] expected = new float[3 * side * side];
        ours.duplicate().get(found);
        theirs.duplicate().get(expected);
        assertArrayEquals(expected, found, 0);
        System.out.printf(
            "%d x %d, %s: Wick %.0f us, PyTorch %.0f us, %.1f times as fast; Bitmap.getPixels alone %.0f us%n", side,
            side, isOpaque ? "opaque" : "translucent", times[0], times[1], times[1] / times[0], times[2]);
      }
    }
  }
}
