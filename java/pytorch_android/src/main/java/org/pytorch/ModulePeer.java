package org.pytorch;

import java.util.Map;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/** A loaded model as native code has it. */
abstract class ModulePeer implements INativePeer {
  private final long mHandleId; // read by native code
  private final NativeHandle mHandle;

  /** @param eval whether the model is put into inference mode, or stays in the one it was saved in */
  ModulePeer(boolean eval, @NotNull ModelSource source, @Nullable Map<String, String> extraFiles,
      @NotNull Device device, @NotNull LoadOptions options) {
    mHandleId = source.load(eval, device, options);
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
