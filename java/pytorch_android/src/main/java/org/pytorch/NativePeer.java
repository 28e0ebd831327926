package org.pytorch;

import java.util.Map;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/** The native side of modules from {@link Module#load}: they are in inference mode (eval). */
class NativePeer extends ModulePeer {
  NativePeer(String path, @Nullable Map<String, String> extraFiles, @NotNull Device device) {
    this(ModelSource.file(path), extraFiles, device, LoadOptions.DEFAULT);
  }

  NativePeer(ModelSource source, @Nullable Map<String, String> extraFiles, Device device, LoadOptions options) {
    super(true, source, extraFiles, device, options);
  }
}
