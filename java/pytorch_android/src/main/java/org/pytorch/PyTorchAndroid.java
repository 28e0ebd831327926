package org.pytorch;

import android.content.res.AssetManager;
import org.jetbrains.annotations.NotNull;

/** Models among the assets of an app, and the threads that all models share. */
public final class PyTorchAndroid {
  /** Loads a model that is an asset of the app, in inference mode. */
  public static @NotNull Module loadModuleFromAsset(AssetManager assetManager, String assetName, Device device) {
    return new Module(new NativePeer(new AssetSource(assetManager, assetName), null, device, LoadOptions.DEFAULT));
  }

  /** Loads a model that is an asset of the app, in inference mode. */
  public static @NotNull Module loadModuleFromAsset(AssetManager assetManager, String assetName) {
    return loadModuleFromAsset(assetManager, assetName, Device.CPU);
  }

  /** How many threads an operator may use, the calling one included; for all models, from the next call on. */
  public static void setNumThreads(int numThreads) {
    if (numThreads < 1) {
      throw new IllegalArgumentException("Number of threads cannot be less than 1");
    }
    NativeLibraries.loadMain();
    Natives.setNumThreads(numThreads);
  }
}
