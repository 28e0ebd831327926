package org.pytorch;

import java.util.Map;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/** The native side of modules from {@link LiteModuleLoader}: they are in the mode they were saved in. */
class LiteNativePeer extends ModulePeer {
  LiteNativePeer(String path, @Nullable Map<String, String> extraFiles, @NotNull Device device) {
    this(ModelSource.file(path), extraFiles, device, LoadOptions.DEFAULT);
  }

  LiteNativePeer(ModelSource source, @Nullable Map<String, String> extraFiles, Device device, LoadOptions options) {
    super(false, source, extraFiles, device, options);
  }
}
