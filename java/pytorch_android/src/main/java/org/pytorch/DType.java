package org.pytorch;

/** Element types of a {@link Tensor}. */
public enum DType {
  /** torch.uint8, in a {@link java.nio.ByteBuffer}. */
  UINT8(1),
  /** torch.int8, in a {@link java.nio.ByteBuffer}. */
  INT8(2),
  /** torch.int32. */
  INT32(3),
  /** torch.float32. */
  FLOAT32(4),
  /** torch.int64. */
  INT64(5),
  /** torch.float64. */
  FLOAT64(6);

  /** What native code knows it by. */
  final int jniCode;

  DType(int jniCode) {
    this.jniCode = jniCode;
  }
}
