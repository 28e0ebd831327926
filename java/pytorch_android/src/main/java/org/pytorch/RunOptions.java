package org.pytorch;

import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/**
 * What one call of a model may use. A bound that is reached ends the call with a {@link PyTorchException}; the model
 * may be called again.
 *
 * <pre>{@code
 * IValue result = module.forward(new RunOptions().timeoutMillis(200), IValue.from(image));
 * }</pre>
 */
public final class RunOptions {
  // Read by native code; 0: no bound.
  private long mTimeoutMillis;
  private long mMaxMemory;
  private long mMaxOperations;
  private int mMaxThreads;
  private @Nullable Cancellation mCancellation;

  /** How long it may take; {@link PyTorchException.Code#DEADLINE_EXCEEDED}. */
  public @NotNull RunOptions timeoutMillis(long milliseconds) {
    mTimeoutMillis = notNegative(milliseconds, "timeoutMillis");
    return this;
  }

  /** Bytes that it may hold at once in values that it makes; {@link PyTorchException.Code#LIMIT_EXCEEDED}. */
  public @NotNull RunOptions maxMemory(long bytes) {
    mMaxMemory = notNegative(bytes, "maxMemory");
    return this;
  }

  /** Operators, jumps and calls; {@link PyTorchException.Code#LIMIT_EXCEEDED}. */
  public @NotNull RunOptions maxOperations(long operations) {
    mMaxOperations = notNegative(operations, "maxOperations");
    return this;
  }

  /** Threads that an operator may use, the calling one included. */
  public @NotNull RunOptions maxThreads(int threads) {
    mMaxThreads = (int) notNegative(threads, "maxThreads");
    return this;
  }

  /** Ends the call when it is cancelled; {@link PyTorchException.Code#CANCELLED}. */
  public @NotNull RunOptions cancellation(@Nullable Cancellation cancellation) {
    mCancellation = cancellation;
    return this;
  }

  static long notNegative(long value, String name) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " cannot be less than 0");
    }
    return value;
  }
}
