package org.pytorch;

import android.content.res.AssetManager;
import org.jetbrains.annotations.NotNull;

/** What {@link PyTorchAndroid} is, for models in the mode they were saved in, as {@link LiteModuleLoader}'s. */
public final class LitePyTorchAndroid {
  /** Loads a model that is an asset of the app. */
  public static @NotNull Module loadModuleFromAsset(AssetManager assetManager, String assetName, Device device) {
    return LiteModuleLoader.loadModuleFromAsset(assetManager, assetName, device);
  }

  /** Loads a model that is an asset of the app. */
  public static @NotNull Module loadModuleFromAsset(AssetManager assetManager, String assetName) {
    return LiteModuleLoader.loadModuleFromAsset(assetManager, assetName);
  }

  /** How many threads an operator may use, the calling one included; for all models, from the next call on. */
  public static void setNumThreads(int numThreads) {
    PyTorchAndroid.setNumThreads(numThreads);
  }
}
