package org.pytorch;

import java.nio.ByteBuffer;
import org.jetbrains.annotations.NotNull;

/** Where the bytes of a model are. */
abstract class ModelSource {
  /** Loads it and gives the number of its {@link NativeHandle}. */
  final long load(boolean eval, @NotNull Device device, LoadOptions options) {
    final int code = device.jniCode;
    NativeLibraries.loadMain();
    return loadNative(eval, code, options);
  }

  abstract long loadNative(boolean eval, int device, LoadOptions options);

  static ModelSource file(final String path) {
    return new ModelSource() {
      @Override
      long loadNative(boolean eval, int device, LoadOptions options) {
        return Natives.loadFile(path, eval, device, options);
      }
    };
  }

  static ModelSource array(byte[] bytes) {
    return array(bytes, 0, bytes.length);
  }

  private static ModelSource array(final byte[] bytes, final int offset, final int length) {
    return new ModelSource() {
      @Override
      long loadNative(boolean eval, int device, LoadOptions options) {
        return Natives.loadArray(bytes, offset, length, eval, device, options);
      }
    };
  }

  /** The remaining bytes of the buffer. */
  static ModelSource buffer(final ByteBuffer bytes) {
    if (bytes.hasArray() && !bytes.isDirect()) {
      return array(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    }
    if (!bytes.isDirect()) {
      final byte[] array = new byte[bytes.remaining()];
      bytes.duplicate().get(array);
      return array(array);
    }
    return new ModelSource() {
      @Override
      long loadNative(boolean eval, int device, LoadOptions options) {
        return Natives.loadBuffer(bytes, bytes.position(), bytes.remaining(), eval, device, options);
      }
    };
  }
}
