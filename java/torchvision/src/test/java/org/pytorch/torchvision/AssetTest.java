package org.pytorch.torchvision;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import android.content.res.AssetFileDescriptor;
import android.content.res.AssetManager;
import android.os.ParcelFileDescriptor;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.pytorch.Device;
import org.pytorch.IValue;
import org.pytorch.LiteModuleLoader;
import org.pytorch.LitePyTorchAndroid;
import org.pytorch.Module;
import org.pytorch.PyTorchAndroid;
import org.pytorch.Tensor;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowArscAssetManager14;

/** Models among the assets of an app, stored as they are or compressed. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = 35, manifest = Config.NONE, shadows = AssetTest.Assets.class)
public class AssetTest {
  private static final int OFFSET = 4096;

  /** "stored.ptl" lies in the middle of a file, as in an APK; "compressed.ptl" can only be read as a stream. */
  @Implements(value = AssetManager.class, isInAndroidSdk = false)
  public static class Assets extends ShadowArscAssetManager14 {
    @Implementation
    protected AssetFileDescriptor openFd(String name) throws IOException {
      if (!name.equals("stored.ptl")) {
        throw new FileNotFoundException(name);
      }
      final byte[] model = model();
      final File apk = File.createTempFile("app", ".apk");
      Files.write(
          apk.toPath(), ByteBuffer.allocate(OFFSET + model.length + 100).put(new byte[OFFSET]).put(model).array());
      return new AssetFileDescriptor(
          ParcelFileDescriptor.open(apk, ParcelFileDescriptor.MODE_READ_ONLY), OFFSET, model.length);
    }

    @Implementation
    protected InputStream open(String name) throws IOException {
      switch (name) {
        case "compressed.ptl":
          return new ByteArrayInputStream(model());
        case "unknown_size.ptl":
          return new ByteArrayInputStream(model()) {
            @Override
            public int available() {
              return 1;
            }

            @Override
            public int read(byte[] block) throws IOException {
              return super.read(block, 0, 100);
            }
          };
        case "damaged.ptl":
          return new ByteArrayInputStream(model()) {
            @Override
            public int read(byte[] block) throws IOException {
              throw new EOFException("in the middle");
            }
          };
        default:
          throw new FileNotFoundException(name);
      }
    }
  }

  private static byte[] model() throws IOException {
    final Path file = Paths.get(System.getProperty("wick.testdata"), "tiny.ptl");
    return Files.readAllBytes(file);
  }

  private static void assertRuns(Module module) {
    final IValue input = IValue.from(Tensor.fromBlob(new float[] {1, 2}, new long[] {2}));
    assertArrayEquals(new float[] {2, 3}, module.forward(input).toTensor().getDataAsFloatArray(), 0);
    module.destroy();
  }

  @Test
  public void storedAndCompressed() {
    final AssetManager assets = RuntimeEnvironment.getApplication().getAssets();
    for (final String name : new String[] {"stored.ptl", "compressed.ptl", "unknown_size.ptl"}) {
      assertRuns(LiteModuleLoader.loadModuleFromAsset(assets, name));
      assertRuns(LiteModuleLoader.loadModuleFromAsset(assets, name, Device.CPU));
      assertRuns(LitePyTorchAndroid.loadModuleFromAsset(assets, name));
      assertRuns(LitePyTorchAndroid.loadModuleFromAsset(assets, name, Device.CPU));
      assertRuns(PyTorchAndroid.loadModuleFromAsset(assets, name));
      assertRuns(PyTorchAndroid.loadModuleFromAsset(assets, name, Device.CPU));
    }
  }

  @Test
  public void threadsOfBothNames() {
    PyTorchAndroid.setNumThreads(1);
    LitePyTorchAndroid.setNumThreads(2);
    assertEquals("Number of threads cannot be less than 1",
        assertThrows(IllegalArgumentException.class, () -> LitePyTorchAndroid.setNumThreads(0)).getMessage());
  }

  @Test
  public void failures() {
    final AssetManager assets = RuntimeEnvironment.getApplication().getAssets();
    assertEquals("Failed to open asset 'missing.ptl'",
        assertThrows(IllegalArgumentException.class, () -> LiteModuleLoader.loadModuleFromAsset(assets, "missing.ptl"))
            .getMessage());
    final Exception damaged =
        assertThrows(IllegalArgumentException.class, () -> LiteModuleLoader.loadModuleFromAsset(assets, "damaged.ptl"));
    assertEquals("Could not get buffer for asset 'damaged.ptl'", damaged.getMessage());
    assertEquals("in the middle", damaged.getCause().getMessage());
    assertEquals("Unable to get asset manager",
        assertThrows(IllegalArgumentException.class, () -> PyTorchAndroid.loadModuleFromAsset(null, "x")).getMessage());
  }
}
