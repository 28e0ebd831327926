package org.pytorch;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Locale;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/**
 * An n-dimensional array, in a direct buffer that the model reads in place.
 *
 * <pre>{@code
 * FloatBuffer pixels = Tensor.allocateFloatBuffer(3 * 224 * 224);   // filled anew for every picture
 * Tensor image = Tensor.fromBlob(pixels, new long[] {1, 3, 224, 224});
 * float[] scores = module.forward(IValue.from(image)).toTensor().getDataAsFloatArray();
 * }</pre>
 *
 * <p>A tensor that a model gives refers to native memory, which is freed when the tensor is closed or, later, when
 * nothing refers to it; it stays valid after its module is destroyed. Closing a tensor of one's own does nothing.
 *
 * <p>Threads: several may read a tensor that a model gave. The getters of a tensor of one's own move the position of
 * its buffer.
 */
public abstract class Tensor implements AutoCloseable {
  private static final String BUFFER_IS_NULL = "Data buffer must be not null";
  private static final String ARRAY_IS_NULL = "Data array must be not null";
  private static final String NOT_DIRECT = "Data buffer must be direct (java.nio.ByteBuffer#allocateDirect)";
  private static final String NOT_NATIVE_ORDER =
      "Data buffer must have native byte order (java.nio.ByteOrder#nativeOrder)";

  // Native bytes of a tensor besides its elements, about.
  private static final long NATIVE_OVERHEAD = 400;

  // What native code reads. The codes: dtype, memory format (0: null) in the second byte, whether the buffer is
  // read-only in the third.
  final long[] shape;
  private final int mCodes;
  private final Buffer mBuffer;
  private final long mHandleId;

  final MemoryFormat memoryFormat;
  private final @Nullable NativeHandle mHandle; // of a tensor that a model gave
  private boolean mIsClosed; // these two under the lock of this; read by native code
  private boolean mIsShared; // a buffer was given away: closing leaves the memory to the garbage collector

  private Tensor(Buffer data, DType dtype, long[] shape, MemoryFormat memoryFormat, @Nullable NativeHandle handle) {
    this.shape = Arrays.copyOf(shape, shape.length);
    this.memoryFormat = memoryFormat;
    mBuffer = data;
    mCodes = dtype.jniCode | (memoryFormat == null ? 0 : memoryFormat.jniCode << 8) | (data.isReadOnly() ? 1 << 16 : 0);
    mHandle = handle;
    mHandleId = handle == null ? 0 : handle.id();
  }

  /** A zero-filled direct buffer in native byte order. */
  public static @NotNull ByteBuffer allocateByteBuffer(int numElements) {
    return ByteBuffer.allocateDirect(numElements).order(ByteOrder.nativeOrder());
  }

  /** A zero-filled direct buffer in native byte order. */
  public static @NotNull IntBuffer allocateIntBuffer(int numElements) {
    return allocateByteBuffer(numElements * 4).asIntBuffer();
  }

  /** A zero-filled direct buffer in native byte order. */
  public static @NotNull FloatBuffer allocateFloatBuffer(int numElements) {
    return allocateByteBuffer(numElements * 4).asFloatBuffer();
  }

  /** A zero-filled direct buffer in native byte order. */
  public static @NotNull LongBuffer allocateLongBuffer(int numElements) {
    return allocateByteBuffer(numElements * 8).asLongBuffer();
  }

  /** A zero-filled direct buffer in native byte order. */
  public static @NotNull DoubleBuffer allocateDoubleBuffer(int numElements) {
    return allocateByteBuffer(numElements * 8).asDoubleBuffer();
  }

  /** A tensor of UINT8, copied from the array. */
  public static @NotNull Tensor fromBlobUnsigned(byte[] data, long[] shape, MemoryFormat memoryFormat) {
    checkArgument(data != null, ARRAY_IS_NULL);
    checkShape(shape, data.length);
    final ByteBuffer buffer = allocateByteBuffer((int) numel(shape));
    buffer.put(data);
    return new Tensor_uint8(buffer, shape, memoryFormat, null);
  }

  /** A tensor of UINT8, copied from the array, {@link MemoryFormat#CONTIGUOUS}. */
  public static @NotNull Tensor fromBlobUnsigned(byte[] data, long[] shape) {
    return fromBlobUnsigned(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /** A tensor of INT8, copied from the array. */
  public static @NotNull Tensor fromBlob(byte[] data, long[] shape, MemoryFormat memoryFormat) {
    checkArgument(data != null, ARRAY_IS_NULL);
    checkShape(shape, data.length);
    final ByteBuffer buffer = allocateByteBuffer((int) numel(shape));
    buffer.put(data);
    return new Tensor_int8(buffer, shape, memoryFormat, null);
  }

  /** A tensor of INT8, copied from the array, {@link MemoryFormat#CONTIGUOUS}. */
  public static @NotNull Tensor fromBlob(byte[] data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /** A tensor of INT32, copied from the array. */
  public static @NotNull Tensor fromBlob(int[] data, long[] shape, MemoryFormat memoryFormat) {
    checkArgument(data != null, ARRAY_IS_NULL);
    checkShape(shape, data.length);
    final IntBuffer buffer = allocateIntBuffer((int) numel(shape));
    buffer.put(data);
    return new Tensor_int32(buffer, shape, memoryFormat, null);
  }

  /** A tensor of INT32, copied from the array, {@link MemoryFormat#CONTIGUOUS}. */
  public static @NotNull Tensor fromBlob(int[] data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /** A tensor of FLOAT32, copied from the array. */
  public static @NotNull Tensor fromBlob(float[] data, long[] shape, MemoryFormat memoryFormat) {
    checkArgument(data != null, ARRAY_IS_NULL);
    checkShape(shape, data.length);
    final FloatBuffer buffer = allocateFloatBuffer((int) numel(shape));
    buffer.put(data);
    return new Tensor_float32(buffer, shape, memoryFormat, null);
  }

  /** A tensor of FLOAT32, copied from the array, {@link MemoryFormat#CONTIGUOUS}. */
  public static @NotNull Tensor fromBlob(float[] data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /** A tensor of INT64, copied from the array. */
  public static @NotNull Tensor fromBlob(long[] data, long[] shape, MemoryFormat memoryFormat) {
    checkArgument(data != null, ARRAY_IS_NULL);
    checkShape(shape, data.length);
    final LongBuffer buffer = allocateLongBuffer((int) numel(shape));
    buffer.put(data);
    return new Tensor_int64(buffer, shape, memoryFormat, null);
  }

  /** A tensor of INT64, copied from the array, {@link MemoryFormat#CONTIGUOUS}. */
  public static @NotNull Tensor fromBlob(long[] data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /** A tensor of FLOAT64, copied from the array. */
  public static @NotNull Tensor fromBlob(double[] data, long[] shape, MemoryFormat memoryFormat) {
    checkArgument(data != null, ARRAY_IS_NULL);
    checkShape(shape, data.length);
    final DoubleBuffer buffer = allocateDoubleBuffer((int) numel(shape));
    buffer.put(data);
    return new Tensor_float64(buffer, shape, memoryFormat, null);
  }

  /** A tensor of FLOAT64, copied from the array, {@link MemoryFormat#CONTIGUOUS}. */
  public static @NotNull Tensor fromBlob(double[] data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /** A tensor of UINT8 in the buffer, which must be direct, whole and in native byte order; nothing is copied. */
  public static @NotNull Tensor fromBlobUnsigned(ByteBuffer data, long[] shape, MemoryFormat memoryFormat) {
    checkBuffer(data, data == null ? null : data.order(), shape);
    return new Tensor_uint8(data, shape, memoryFormat, null);
  }

  /** A tensor of UINT8 in the buffer, {@link MemoryFormat#CONTIGUOUS}; nothing is copied. */
  public static @NotNull Tensor fromBlobUnsigned(ByteBuffer data, long[] shape) {
    return fromBlobUnsigned(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /** A tensor of INT8 in the buffer, which must be direct, whole and in native byte order; nothing is copied. */
  public static @NotNull Tensor fromBlob(ByteBuffer data, long[] shape, MemoryFormat memoryFormat) {
    checkBuffer(data, data == null ? null : data.order(), shape);
    return new Tensor_int8(data, shape, memoryFormat, null);
  }

  /** A tensor of INT8 in the buffer, {@link MemoryFormat#CONTIGUOUS}; nothing is copied. */
  public static @NotNull Tensor fromBlob(ByteBuffer data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /** A tensor of INT32 in the buffer, which must be direct, whole and in native byte order; nothing is copied. */
  public static @NotNull Tensor fromBlob(IntBuffer data, long[] shape, MemoryFormat memoryFormat) {
    checkBuffer(data, data == null ? null : data.order(), shape);
    return new Tensor_int32(data, shape, memoryFormat, null);
  }

  /** A tensor of INT32 in the buffer, {@link MemoryFormat#CONTIGUOUS}; nothing is copied. */
  public static @NotNull Tensor fromBlob(IntBuffer data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /** A tensor of FLOAT32 in the buffer, which must be direct, whole and in native byte order; nothing is copied. */
  public static @NotNull Tensor fromBlob(FloatBuffer data, long[] shape, MemoryFormat memoryFormat) {
    checkBuffer(data, data == null ? null : data.order(), shape);
    return new Tensor_float32(data, shape, memoryFormat, null);
  }

  /** A tensor of FLOAT32 in the buffer, {@link MemoryFormat#CONTIGUOUS}; nothing is copied. */
  public static @NotNull Tensor fromBlob(FloatBuffer data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /** A tensor of INT64 in the buffer, which must be direct, whole and in native byte order; nothing is copied. */
  public static @NotNull Tensor fromBlob(LongBuffer data, long[] shape, MemoryFormat memoryFormat) {
    checkBuffer(data, data == null ? null : data.order(), shape);
    return new Tensor_int64(data, shape, memoryFormat, null);
  }

  /** A tensor of INT64 in the buffer, {@link MemoryFormat#CONTIGUOUS}; nothing is copied. */
  public static @NotNull Tensor fromBlob(LongBuffer data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /** A tensor of FLOAT64 in the buffer, which must be direct, whole and in native byte order; nothing is copied. */
  public static @NotNull Tensor fromBlob(DoubleBuffer data, long[] shape, MemoryFormat memoryFormat) {
    checkBuffer(data, data == null ? null : data.order(), shape);
    return new Tensor_float64(data, shape, memoryFormat, null);
  }

  /** A tensor of FLOAT64 in the buffer, {@link MemoryFormat#CONTIGUOUS}; nothing is copied. */
  public static @NotNull Tensor fromBlob(DoubleBuffer data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /** How many elements it has. */
  public long numel() {
    return numel(shape);
  }

  /** How many elements a tensor of this shape has, in 32 bits: more than {@code Integer.MAX_VALUE} wrap around. */
  public static long numel(long[] shape) {
    checkShape(shape);
    int count = 1;
    for (final long size : shape) {
      count *= (int) size;
    }
    return count;
  }

  /** A copy of the sizes. */
  public long @NotNull [] shape() {
    return Arrays.copyOf(shape, shape.length);
  }

  public MemoryFormat memoryFormat() {
    return memoryFormat;
  }

  public abstract @NotNull DType dtype();

  // The getters copy the elements in the order in which they lie in memory, and throw IllegalStateException when the
  // dtype is another one.

  public byte @NotNull [] getDataAsByteArray() {
    throw wrongType("byte");
  }

  public byte @NotNull [] getDataAsUnsignedByteArray() {
    throw wrongType("byte");
  }

  public int @NotNull [] getDataAsIntArray() {
    throw wrongType("int");
  }

  public float @NotNull [] getDataAsFloatArray() {
    throw wrongType("float");
  }

  public long @NotNull [] getDataAsLongArray() {
    throw wrongType("long");
  }

  public double @NotNull [] getDataAsDoubleArray() {
    throw wrongType("double");
  }

  /**
   * The elements in place: a {@link FloatBuffer} when the dtype is FLOAT32 and so on, in the order of the memory
   * format. It stays valid whatever happens to the tensor and to the module; closing the tensor then leaves its memory
   * to the garbage collector.
   */
  public @NotNull Buffer dataBuffer() {
    synchronized (this) {
      checkOpen();
      mIsShared = true;
      return duplicateData();
    }
  }

  /**
   * Frees the native memory of a tensor that a model gave; its elements cannot be read any more. Tensors that are not
   * closed are freed when nothing refers to them.
   */
  @Override
  public void close() {
    if (mHandle == null) {
      return;
    }
    synchronized (this) {
      mIsClosed = true;
      if (!mIsShared) {
        mHandle.release();
      }
    }
  }

  abstract Buffer duplicateData();

  Buffer getRawDataBuffer() {
    return mBuffer;
  }

  int dtypeJniCode() {
    return dtype().jniCode;
  }

  int memoryFormatJniCode() {
    return memoryFormat.jniCode;
  }

  // Of a tensor that a model gave, threads read duplicates; the caller's own buffer is read itself, as always.
  final boolean isNative() {
    return mHandle != null;
  }

  final void checkOpen() {
    if (mIsClosed) {
      throw new IllegalStateException("The tensor is closed");
    }
  }

  private IllegalStateException wrongType(String array) {
    return new IllegalStateException(
        "Tensor of type " + getClass().getSimpleName() + " cannot return data as " + array + " array.");
  }

  private static void checkArgument(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  private static void checkShape(long[] shape) {
    checkArgument(shape != null, "Shape must be not null");
    for (final long size : shape) {
      checkArgument(size >= 0, "Shape elements must be non negative");
    }
  }

  private static void checkShape(long[] shape, int capacity) {
    final long count = numel(shape);
    if (count != capacity) {
      throw new IllegalArgumentException(
          String.format(Locale.US, "Inconsistent data capacity:%d and shape number elements:%d shape:%s", capacity,
              count, Arrays.toString(shape)));
    }
  }

  private static void checkBuffer(Buffer data, ByteOrder order, long[] shape) {
    checkArgument(data != null, BUFFER_IS_NULL);
    checkShape(shape, data.capacity());
    checkArgument(data.isDirect(), NOT_DIRECT);
    checkArgument(order == ByteOrder.nativeOrder(), NOT_NATIVE_ORDER);
  }

  static class Tensor_uint8 extends Tensor {
    private final ByteBuffer data;

    private Tensor_uint8(ByteBuffer data, long[] shape, MemoryFormat memoryFormat, @Nullable NativeHandle handle) {
      super(data, DType.UINT8, shape, memoryFormat, handle);
      this.data = data;
    }

    @Override
    public @NotNull DType dtype() {
      return DType.UINT8;
    }

    @Override
    public byte @NotNull [] getDataAsUnsignedByteArray() {
      synchronized (this) {
        checkOpen();
        final ByteBuffer source = isNative() ? duplicateData() : data;
        ((Buffer) source).rewind();
        final byte[] array = new byte[source.remaining()];
        source.get(array);
        return array;
      }
    }

    @Override
    ByteBuffer duplicateData() {
      return data.duplicate().order(ByteOrder.nativeOrder());
    }

    @Override
    public String toString() {
      return "Tensor(" + Arrays.toString(shape) + ", dtype=torch.uint8)";
    }
  }

  static class Tensor_int8 extends Tensor {
    private final ByteBuffer data;

    private Tensor_int8(ByteBuffer data, long[] shape, MemoryFormat memoryFormat, @Nullable NativeHandle handle) {
      super(data, DType.INT8, shape, memoryFormat, handle);
      this.data = data;
    }

    @Override
    public @NotNull DType dtype() {
      return DType.INT8;
    }

    @Override
    public byte @NotNull [] getDataAsByteArray() {
      synchronized (this) {
        checkOpen();
        final ByteBuffer source = isNative() ? duplicateData() : data;
        ((Buffer) source).rewind();
        final byte[] array = new byte[source.remaining()];
        source.get(array);
        return array;
      }
    }

    @Override
    ByteBuffer duplicateData() {
      return data.duplicate().order(ByteOrder.nativeOrder());
    }

    @Override
    public String toString() {
      return "Tensor(" + Arrays.toString(shape) + ", dtype=torch.int8)";
    }
  }

  static class Tensor_int32 extends Tensor {
    private final IntBuffer data;

    private Tensor_int32(IntBuffer data, long[] shape, MemoryFormat memoryFormat, @Nullable NativeHandle handle) {
      super(data, DType.INT32, shape, memoryFormat, handle);
      this.data = data;
    }

    @Override
    public @NotNull DType dtype() {
      return DType.INT32;
    }

    @Override
    public int @NotNull [] getDataAsIntArray() {
      synchronized (this) {
        checkOpen();
        final IntBuffer source = isNative() ? duplicateData() : data;
        ((Buffer) source).rewind();
        final int[] array = new int[source.remaining()];
        source.get(array);
        return array;
      }
    }

    @Override
    IntBuffer duplicateData() {
      return data.duplicate();
    }

    @Override
    public String toString() {
      return "Tensor(" + Arrays.toString(shape) + ", dtype=torch.int32)";
    }
  }

  static class Tensor_float32 extends Tensor {
    private final FloatBuffer data;

    private Tensor_float32(FloatBuffer data, long[] shape, MemoryFormat memoryFormat, @Nullable NativeHandle handle) {
      super(data, DType.FLOAT32, shape, memoryFormat, handle);
      this.data = data;
    }

    @Override
    public @NotNull DType dtype() {
      return DType.FLOAT32;
    }

    @Override
    public float @NotNull [] getDataAsFloatArray() {
      synchronized (this) {
        checkOpen();
        final FloatBuffer source = isNative() ? duplicateData() : data;
        ((Buffer) source).rewind();
        final float[] array = new float[source.remaining()];
        source.get(array);
        return array;
      }
    }

    @Override
    FloatBuffer duplicateData() {
      return data.duplicate();
    }

    @Override
    public String toString() {
      return "Tensor(" + Arrays.toString(shape) + ", dtype=torch.float32)";
    }
  }

  static class Tensor_int64 extends Tensor {
    private final LongBuffer data;

    private Tensor_int64(LongBuffer data, long[] shape, MemoryFormat memoryFormat, @Nullable NativeHandle handle) {
      super(data, DType.INT64, shape, memoryFormat, handle);
      this.data = data;
    }

    @Override
    public @NotNull DType dtype() {
      return DType.INT64;
    }

    @Override
    public long @NotNull [] getDataAsLongArray() {
      synchronized (this) {
        checkOpen();
        final LongBuffer source = isNative() ? duplicateData() : data;
        ((Buffer) source).rewind();
        final long[] array = new long[source.remaining()];
        source.get(array);
        return array;
      }
    }

    @Override
    LongBuffer duplicateData() {
      return data.duplicate();
    }

    @Override
    public String toString() {
      return "Tensor(" + Arrays.toString(shape) + ", dtype=torch.int64)";
    }
  }

  static class Tensor_float64 extends Tensor {
    private final DoubleBuffer data;

    private Tensor_float64(DoubleBuffer data, long[] shape, MemoryFormat memoryFormat, @Nullable NativeHandle handle) {
      super(data, DType.FLOAT64, shape, memoryFormat, handle);
      this.data = data;
    }

    @Override
    public @NotNull DType dtype() {
      return DType.FLOAT64;
    }

    @Override
    public double @NotNull [] getDataAsDoubleArray() {
      synchronized (this) {
        checkOpen();
        final DoubleBuffer source = isNative() ? duplicateData() : data;
        ((Buffer) source).rewind();
        final double[] array = new double[source.remaining()];
        source.get(array);
        return array;
      }
    }

    @Override
    DoubleBuffer duplicateData() {
      return data.duplicate();
    }

    @Override
    public String toString() {
      return "Tensor(" + Arrays.toString(shape) + ", dtype=torch.float64)";
    }
  }

  /** Called by native code: the elements of a direct view, in a buffer that native code can read. */
  static Buffer alignedCopy(Buffer view) {
    final int count = view.capacity();
    if (view instanceof FloatBuffer) {
      return allocateFloatBuffer(count).put((FloatBuffer) ((FloatBuffer) view).duplicate().clear());
    } else if (view instanceof IntBuffer) {
      return allocateIntBuffer(count).put((IntBuffer) ((IntBuffer) view).duplicate().clear());
    } else if (view instanceof LongBuffer) {
      return allocateLongBuffer(count).put((LongBuffer) ((LongBuffer) view).duplicate().clear());
    } else if (view instanceof DoubleBuffer) {
      return allocateDoubleBuffer(count).put((DoubleBuffer) ((DoubleBuffer) view).duplicate().clear());
    }
    return allocateByteBuffer(count).put((ByteBuffer) ((ByteBuffer) view).duplicate().clear());
  }

  /** For native code: a tensor that a model gave, whose memory the handle keeps. */
  private static Tensor nativeNewTensor(
      ByteBuffer data, long[] shape, int dtypeCode, int memoryFormatCode, long handleId) {
    final NativeHandle handle = NativeHandle.of(data, handleId, data.capacity() + NATIVE_OVERHEAD);
    final ByteBuffer bytes = data.order(ByteOrder.nativeOrder());
    final MemoryFormat format = memoryFormatCode == MemoryFormat.CONTIGUOUS.jniCode ? MemoryFormat.CONTIGUOUS
        : memoryFormatCode == MemoryFormat.CHANNELS_LAST.jniCode                    ? MemoryFormat.CHANNELS_LAST
                                                                                    : MemoryFormat.CHANNELS_LAST_3D;
    switch (dtypeCode) {
      case 1:
        return new Tensor_uint8(bytes, shape, format, handle);
      case 2:
        return new Tensor_int8(bytes, shape, format, handle);
      case 3:
        return new Tensor_int32(bytes.asIntBuffer(), shape, format, handle);
      case 4:
        return new Tensor_float32(bytes.asFloatBuffer(), shape, format, handle);
      case 5:
        return new Tensor_int64(bytes.asLongBuffer(), shape, format, handle);
      case 6:
        return new Tensor_float64(bytes.asDoubleBuffer(), shape, format, handle);
      default:
        throw new IllegalArgumentException("Unknown Tensor dtype " + dtypeCode);
    }
  }
}
