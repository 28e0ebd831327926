package org.pytorch;

/** Where a model runs. */
public enum Device {
  /** On the processor. */
  CPU(1),
  /** On the GPU where there is one and the native library can use it, else on the processor. */
  VULKAN(2);

  /** What native code knows it by. */
  final int jniCode;

  Device(int jniCode) {
    this.jniCode = jniCode;
  }

  /** Whether models that are loaded for this device run on it: {@link #VULKAN} needs a GPU and a library that uses it. */
  public boolean isAvailable() {
    if (this == CPU) {
      return true;
    }
    NativeLibraries.loadMain();
    return Natives.hasGpu();
  }
}
