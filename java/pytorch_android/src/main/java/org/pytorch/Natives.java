package org.pytorch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Functions of the native library. Modules and cancellations are named by the numbers of {@link NativeHandle}; whoever
 * owns the number is an argument, too: it could be collected, and the number released, before native code has used it.
 */
final class Natives {
  private Natives() {}

  static native long loadFile(String path, boolean eval, int device, LoadOptions options);

  /** {@code length} bytes at {@code offset} of a direct buffer. */
  static native long loadBuffer(
      ByteBuffer bytes, int offset, int length, boolean eval, int device, LoadOptions options);

  /** {@code length} bytes at {@code offset} of an array. */
  static native long loadArray(
      byte[] bytes, int offset, int length, boolean eval, int device, LoadOptions options);

  /** What the stream gives, read by blocks; {@code expected} bytes, or more or less. */
  static native long loadStream(InputStream stream, byte[] block, int expected, boolean eval, int device,
      LoadOptions options) throws IOException;

  /** The descriptor may be closed afterwards. */
  static native long loadDescriptor(
      int descriptor, long offset, long length, boolean eval, int device, LoadOptions options);

  static native String[] extraFiles(Object owner, long module, String[] names);

  /** Runs a method; {@code outputs}, when not null, take the results, and null is returned. */
  static native IValue run(
      Object owner, long module, String method, RunOptions options, int threads, Tensor[] outputs, IValue[] inputs);

  /** A row for each method: name, type of the result, then name, type and default (null: none) of each argument. */
  static native String[][] methods(Object owner, long module);

  /**
   * Runs a method. A row with the bytes of working memory and of packed weights, then one for each step: name, kind,
   * output, begin and duration in nanoseconds.
   */
  static native String[][] profile(
      Object owner, long module, String method, RunOptions options, int threads, IValue[] inputs);

  static native long newCancellation();

  static native void cancel(Object owner, long cancellation);

  static native boolean isCancelled(Object owner, long cancellation);

  static native void release(long handle);

  /** How many handles of modules, tensors and cancellations there are. */
  static native long liveHandles();

  static native void setNumThreads(int threads);

  static native boolean hasGpu();
}
