package org.pytorch;

import android.content.res.AssetFileDescriptor;
import android.content.res.AssetManager;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;

/**
 * A model among the assets of an app: mapped where it lies in the APK when it is stored there as it is, else inflated
 * into native memory, once. The only class besides the loaders that needs Android.
 */
final class AssetSource extends ModelSource {
  private final AssetManager mAssets;
  private final String mName;

  AssetSource(AssetManager assets, String name) {
    if (assets == null) {
      throw new IllegalArgumentException("Unable to get asset manager");
    }
    mAssets = assets;
    mName = name;
  }

  @Override
  long loadNative(boolean eval, int device, LoadOptions options) {
    try {
      final AssetFileDescriptor file = open();
      if (file == null) {
        return loadStream(eval, device, options);
      }
      try {
        return Natives.loadDescriptor(
            file.getParcelFileDescriptor().getFd(), file.getStartOffset(), file.getLength(), eval, device, options);
      } finally {
        file.close();
      }
    } catch (FileNotFoundException e) {
      throw new IllegalArgumentException("Failed to open asset '" + mName + "'", e);
    } catch (IOException e) {
      throw new IllegalArgumentException("Could not get buffer for asset '" + mName + "'", e);
    }
  }

  // Null when the asset is compressed, or does not exist.
  private AssetFileDescriptor open() {
    try {
      final AssetFileDescriptor file = mAssets.openFd(mName);
      if (file != null && file.getLength() <= 0) {
        file.close();
        return null;
      }
      return file;
    } catch (IOException e) {
      return null;
    }
  }

  // Into native memory, where the model uses it.
  private long loadStream(boolean eval, int device, LoadOptions options) throws IOException {
    final InputStream stream = mAssets.open(mName);
    try {
      return Natives.loadStream(stream, new byte[1 << 16], stream.available(), eval, device, options);
    } finally {
      stream.close();
    }
  }
}
