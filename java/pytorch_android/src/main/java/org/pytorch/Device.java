package org.pytorch;

/** Where a model runs. */
public enum Device {
  /** On the processor. */
  CPU(1),
  /** On the GPU where the native library has it, else on the processor; the answers are the same. */
  VULKAN(2);

  /** What native code knows it by. */
  final int jniCode;

  Device(int jniCode) {
    this.jniCode = jniCode;
  }
}
