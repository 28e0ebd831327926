package org.pytorch;

import android.content.res.AssetManager;
import java.util.Map;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/**
 * Loads models without changing their mode: one that was saved in training mode runs in it. Files may be of any kind
 * that {@link Module} takes.
 */
public class LiteModuleLoader {
  /**
   * Loads a model.
   *
   * @param extraFiles files stored beside the model, by name; their contents are put into the map, an empty string for
   *     one that does not exist. May be null.
   */
  public static @NotNull Module load(String modelPath, @Nullable Map<String, String> extraFiles, Device device) {
    return new Module(new LiteNativePeer(modelPath, extraFiles, device));
  }

  /** Loads a model. */
  public static @NotNull Module load(String modelPath) {
    return load(modelPath, null, Device.CPU);
  }

  /** Loads a model that is an asset of the app. */
  public static @NotNull Module loadModuleFromAsset(AssetManager assetManager, String assetName, Device device) {
    return new Module(new LiteNativePeer(new AssetSource(assetManager, assetName), null, device, LoadOptions.DEFAULT));
  }

  /** Loads a model that is an asset of the app. */
  public static @NotNull Module loadModuleFromAsset(AssetManager assetManager, String assetName) {
    return loadModuleFromAsset(assetManager, assetName, Device.CPU);
  }
}
