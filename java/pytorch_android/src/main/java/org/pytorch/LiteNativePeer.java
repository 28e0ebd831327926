package org.pytorch;

import java.util.Map;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/** The native side of modules from {@link LiteModuleLoader}: they are in the mode they were saved in. */
class LiteNativePeer implements INativePeer {
  private final long mHandleId; // read by native code
  private final NativeHandle mHandle;

  LiteNativePeer(String path, @Nullable Map<String, String> extraFiles, @NotNull Device device) {
    this(ModelSource.file(path), extraFiles, device, LoadOptions.DEFAULT);
  }

  LiteNativePeer(ModelSource source, @Nullable Map<String, String> extraFiles, Device device, LoadOptions options) {
    mHandleId = source.load(false, device, options);
    mHandle = NativeHandle.of(this, mHandleId, 0);
    if (extraFiles != null && !extraFiles.isEmpty()) {
      readExtraFiles(extraFiles);
    }
  }

  private void readExtraFiles(Map<String, String> extraFiles) {
    try {
      final String[] names = extraFiles.keySet().toArray(new String[0]);
      final String[] contents = Natives.extraFiles(this, mHandleId, names);
      for (int i = 0; i < names.length; i++) {
        extraFiles.put(names[i], contents[i]);
      }
    } catch (RuntimeException e) {
      mHandle.release();
      throw e;
    }
  }

  @Override
  public void resetNative() {
    mHandle.release();
  }

  @Override public native IValue forward(IValue... inputs);

  @Override public native IValue runMethod(String methodName, IValue... inputs);

  @Override
  public long handle() {
    return mHandleId;
  }
}
