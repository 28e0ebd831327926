package org.pytorch;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.junit.Test;

/** Tensors need no native library. */
public class TensorTest {
  private static void assertRefused(String message, Runnable action) {
    final Throwable failure = Models.failure(action);
    assertEquals(IllegalArgumentException.class, failure.getClass());
    assertEquals(message, failure.getMessage());
  }

  @Test
  public void buffersAreDirectZeroFilledAndOfNativeOrder() {
    assertTrue(Tensor.allocateByteBuffer(3).isDirect());
    assertEquals(ByteOrder.nativeOrder(), Tensor.allocateByteBuffer(3).order());
    assertEquals(5, Tensor.allocateIntBuffer(5).capacity());
    assertEquals(ByteOrder.nativeOrder(), Tensor.allocateIntBuffer(5).order());
    assertEquals(0f, Tensor.allocateFloatBuffer(5).get(4), 0);
    assertEquals(5, Tensor.allocateLongBuffer(5).capacity());
    assertEquals(5, Tensor.allocateDoubleBuffer(5).capacity());
    assertEquals(602112, 4 * Tensor.allocateFloatBuffer(3 * 224 * 224).capacity());
    assertEquals(IllegalArgumentException.class, Models.failure(() -> Tensor.allocateByteBuffer(-1)).getClass());
  }

  @Test
  public void dtypesAndText() {
    final long[] shape = {2, 3};
    assertEquals("Tensor([2, 3], dtype=torch.uint8)", Tensor.fromBlobUnsigned(new byte[6], shape).toString());
    assertEquals("Tensor([2, 3], dtype=torch.int8)", Tensor.fromBlob(new byte[6], shape).toString());
    assertEquals("Tensor([2, 3], dtype=torch.int32)", Tensor.fromBlob(new int[6], shape).toString());
    assertEquals("Tensor([2, 3], dtype=torch.float32)", Tensor.fromBlob(new float[6], shape).toString());
    assertEquals("Tensor([2, 3], dtype=torch.int64)", Tensor.fromBlob(new long[6], shape).toString());
    assertEquals("Tensor([2, 3], dtype=torch.float64)", Tensor.fromBlob(new double[6], shape).toString());
    assertEquals(DType.UINT8, Tensor.fromBlobUnsigned(Tensor.allocateByteBuffer(6), shape).dtype());
    assertEquals(DType.INT8, Tensor.fromBlob(Tensor.allocateByteBuffer(6), shape).dtype());
    assertEquals(DType.INT32, Tensor.fromBlob(Tensor.allocateIntBuffer(6), shape).dtype());
    assertEquals(DType.FLOAT32, Tensor.fromBlob(Tensor.allocateFloatBuffer(6), shape).dtype());
    assertEquals(DType.INT64, Tensor.fromBlob(Tensor.allocateLongBuffer(6), shape).dtype());
    assertEquals(DType.FLOAT64, Tensor.fromBlob(Tensor.allocateDoubleBuffer(6), shape).dtype());
    assertEquals(MemoryFormat.CONTIGUOUS, Tensor.fromBlob(new int[6], shape).memoryFormat());
    assertSame(null, Tensor.fromBlob(new int[6], shape, null).memoryFormat());
  }

  @Test
  public void checksInTheirOrder() {
    assertRefused("Data array must be not null", () -> Tensor.fromBlob((float[]) null, null));
    assertRefused("Data array must be not null", () -> Tensor.fromBlobUnsigned((byte[]) null, null));
    assertRefused("Data buffer must be not null", () -> Tensor.fromBlob((FloatBuffer) null, null));
    assertRefused("Shape must be not null", () -> Tensor.fromBlob(new int[1], null));
    assertRefused("Shape must be not null", () -> Tensor.fromBlob(IntBuffer.allocate(1), null));
    assertRefused("Shape elements must be non negative", () -> Tensor.fromBlob(new int[1], new long[] {-1, 2}));
    final String capacity = "Inconsistent data capacity:3 and shape number elements:4 shape:[2, 2]";
    assertRefused(capacity, () -> Tensor.fromBlob(new long[3], new long[] {2, 2}));
    assertRefused(capacity, () -> Tensor.fromBlob(LongBuffer.allocate(3), new long[] {2, 2}));
    assertRefused("Data buffer must be direct (java.nio.ByteBuffer#allocateDirect)",
        () -> Tensor.fromBlob(DoubleBuffer.allocate(4), new long[] {2, 2}));
    final ByteOrder other =
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    assertRefused("Data buffer must have native byte order (java.nio.ByteOrder#nativeOrder)",
        () -> Tensor.fromBlob(ByteBuffer.allocateDirect(16).order(other).asFloatBuffer(), new long[] {2, 2}));
    assertRefused("Data buffer must have native byte order (java.nio.ByteOrder#nativeOrder)",
        () -> Tensor.fromBlob(ByteBuffer.allocateDirect(4).order(other), new long[] {2, 2}));
  }

  @Test
  public void gettersOfOtherTypesFail() {
    final Tensor[] tensors = {Tensor.fromBlobUnsigned(new byte[1], new long[] {1}),
        Tensor.fromBlob(new byte[1], new long[] {1}), Tensor.fromBlob(new int[1], new long[] {1}),
        Tensor.fromBlob(new float[1], new long[] {1}), Tensor.fromBlob(new long[1], new long[] {1}),
        Tensor.fromBlob(new double[1], new long[] {1})};
    final String[] names = {"uint8", "int8", "int32", "float32", "int64", "float64"};
    final String[] arrays = {"byte", "byte", "int", "float", "long", "double"};
    int failures = 0;
    for (int i = 0; i < 6; i++) {
      final Tensor t = tensors[i];
      final Runnable[] getters = {t::getDataAsUnsignedByteArray, t::getDataAsByteArray, t::getDataAsIntArray,
          t::getDataAsFloatArray, t::getDataAsLongArray, t::getDataAsDoubleArray};
      for (int k = 0; k < 6; k++) {
        if (k == i) {
          getters[k].run();
          continue;
        }
        final Throwable failure = Models.failure(getters[k]);
        assertEquals(IllegalStateException.class, failure.getClass());
        assertEquals("Tensor of type Tensor_" + names[i] + " cannot return data as " + arrays[k] + " array.",
            failure.getMessage());
        failures++;
      }
    }
    assertEquals(30, failures);
  }

  @Test
  public void numelWrapsAround() {
    assertEquals(1, Tensor.numel(new long[0]));
    assertEquals(0, Tensor.numel(new long[] {65536, 65536}));
    assertEquals(-2147483648, Tensor.numel(new long[] {65536, 32768}));
    assertEquals(0, Tensor.numel(new long[] {3, 0}));
    assertRefused("Shape must be not null", () -> Tensor.numel(null));
    assertRefused("Shape elements must be non negative", () -> Tensor.numel(new long[] {-1}));
  }

  @Test
  public void arraysAreCopiedAndBuffersAreNot() {
    final float[] array = {1, 2};
    final Tensor copied = Tensor.fromBlob(array, new long[] {2});
    array[0] = 9;
    assertArrayEquals(new float[] {1, 2}, copied.getDataAsFloatArray(), 0);
    final FloatBuffer buffer = Tensor.allocateFloatBuffer(2);
    final Tensor shared = Tensor.fromBlob(buffer, new long[] {2});
    buffer.put(0, 9);
    assertArrayEquals(new float[] {9, 0}, shared.getDataAsFloatArray(), 0);
    final long[] shape = {2};
    final Tensor shaped = Tensor.fromBlob(new int[2], shape);
    shape[0] = 7;
    assertArrayEquals(new long[] {2}, shaped.shape());
    assertNotSame(shaped.shape(), shaped.shape());
  }

  @Test
  public void gettersMoveThePositionOfTheCallersBuffer() {
    final LongBuffer buffer = Tensor.allocateLongBuffer(4);
    buffer.put(new long[] {1, 2, 3, 4});
    final Tensor tensor = Tensor.fromBlob(buffer, new long[] {4});
    ((Buffer) buffer).position(1);
    assertArrayEquals(new long[] {1, 2, 3, 4}, tensor.getDataAsLongArray());
    assertEquals(4, buffer.position());
    ((Buffer) buffer).limit(2);
    assertArrayEquals(new long[] {1, 2}, tensor.getDataAsLongArray());
  }

  @Test
  public void closingATensorOfOnesOwnDoesNothing() {
    final Tensor tensor = Tensor.fromBlob(new int[] {5}, new long[] {1});
    tensor.close();
    assertArrayEquals(new int[] {5}, tensor.getDataAsIntArray());
    assertEquals(5, ((IntBuffer) tensor.dataBuffer()).get(0));
  }

  /** What native code asks for where the JVM gives no address of a view: on 32-bit ARM, for one. */
  @Test
  public void copiesOfViewsThatAreNotAligned() {
    final ByteBuffer bytes = Tensor.allocateByteBuffer(17);
    for (int i = 0; i < 17; i++) {
      bytes.put(i, (byte) (i * 37));
    }
    bytes.position(1);
    final ByteBuffer odd = bytes.slice().order(ByteOrder.nativeOrder());
    final Buffer[] views = {odd, odd.asIntBuffer(), odd.asFloatBuffer(), odd.asLongBuffer(), odd.asDoubleBuffer()};
    for (final Buffer view : views) {
      view.position(view.capacity() / 2); // which does not count
      final Buffer copy = Tensor.alignedCopy(view);
      assertTrue(copy.isDirect());
      assertEquals(view.getClass().getSimpleName(), view.clear(), copy.clear());
    }
  }
}
