package wick.examples.server;

import java.nio.FloatBuffer;

/** A model that gives scores for a batch of rows. Any thread may call it, several at once. */
public interface BatchModel extends AutoCloseable {
  /** Scores of `shape[0]` rows, row after row. `rows` is a direct buffer that holds exactly the elements of `shape`. */
  float[] score(FloatBuffer rows, long[] shape);

  /** The same for rows of bytes, such as texts: `shape[0]` rows of `shape[1]` bytes. */
  float[] scoreBytes(byte[] rows, long[] shape);

  @Override
  void close();
}
