package wick.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Random;

/** Rows with fixed seeds. */
final class Inputs {
  static final int SIDE = 224;
  static final int LETTERS = 64;

  private Inputs() {}

  static long[] imageShape(int batch) {
    return new long[] {batch, 3, SIDE, SIDE};
  }

  static ByteBuffer images(int batch) {
    final Random random = new Random(1);
    final ByteBuffer rows = floats(batch * 3 * SIDE * SIDE);
    final FloatBuffer elements = rows.asFloatBuffer();
    while (elements.hasRemaining()) {
      elements.put((float) random.nextGaussian());
    }
    return rows;
  }

  /** Letters, each as a float: what the service takes. */
  static ByteBuffer texts(int batch) {
    final ByteBuffer rows = floats(batch * LETTERS);
    final FloatBuffer elements = rows.asFloatBuffer();
    for (final byte letter : letters(batch)) {
      elements.put(letter);
    }
    return rows;
  }

  static byte[] letters(int batch) {
    final Random random = new Random(2);
    final byte[] letters = new byte[batch * LETTERS];
    for (int i = 0; i < letters.length; i++) {
      letters[i] = (byte) ('a' + random.nextInt(26));
    }
    return letters;
  }

  private static ByteBuffer floats(int count) {
    return ByteBuffer.allocateDirect(4 * count).order(ByteOrder.nativeOrder());
  }
}
