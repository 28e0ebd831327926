package org.pytorch;

/** The order in which the elements of a {@link Tensor} lie in memory; its shape is N, C, H, W in all of them. */
public enum MemoryFormat {
  /** Row-major: N, C, H, W. */
  CONTIGUOUS(1),
  /** N, H, W, C; for tensors of 4 dimensions. */
  CHANNELS_LAST(2),
  /** N, D, H, W, C; for tensors of 5 dimensions. */
  CHANNELS_LAST_3D(3);

  /** What native code knows it by. */
  final int jniCode;

  MemoryFormat(int jniCode) {
    this.jniCode = jniCode;
  }
}
