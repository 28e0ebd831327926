package org.pytorch;

import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/**
 * What loading a model may use.
 *
 * <pre>{@code
 * Module module = Module.load(path, new LoadOptions().timeoutMillis(2000).maxMemory(512L << 20));
 * }</pre>
 */
public final class LoadOptions {
  static final LoadOptions DEFAULT = new LoadOptions();

  // Read by native code; 0: no bound.
  private long mTimeoutMillis;
  private long mMaxMemory;
  private long mMaxPlanMemory;
  private boolean mCopiesFile;
  private boolean mAllowsMissingOperators;
  private @Nullable Cancellation mCancellation;
  private Device mDevice = Device.CPU; // not read by native code

  /** Where the model runs; on the processor by default. */
  public @NotNull LoadOptions device(@NotNull Device device) {
    if (device == null) {
      throw new NullPointerException("the device is null");
    }
    mDevice = device;
    return this;
  }

  @NotNull
  Device device() {
    return mDevice;
  }

  /** How long loading may take; {@link PyTorchException.Code#DEADLINE_EXCEEDED}. */
  public @NotNull LoadOptions timeoutMillis(long milliseconds) {
    mTimeoutMillis = RunOptions.notNegative(milliseconds, "timeoutMillis");
    return this;
  }

  /**
   * Bytes that loading may hold at once, without weights used in place; {@link PyTorchException.Code#LIMIT_EXCEEDED}.
   */
  public @NotNull LoadOptions maxMemory(long bytes) {
    mMaxMemory = RunOptions.notNegative(bytes, "maxMemory");
    return this;
  }

  /** Bytes that each method may keep between calls for intermediate results and weights in another form. */
  public @NotNull LoadOptions maxPlanMemory(long bytes) {
    mMaxPlanMemory = RunOptions.notNegative(bytes, "maxPlanMemory");
    return this;
  }

  /** Reads the file into memory instead of mapping it; for files that may be truncated while they are used. */
  public @NotNull LoadOptions copyFile(boolean copies) {
    mCopiesFile = copies;
    return this;
  }

  /** Loads a model that needs operators the library lacks; calling one fails. */
  public @NotNull LoadOptions allowMissingOperators(boolean allows) {
    mAllowsMissingOperators = allows;
    return this;
  }

  /** Ends loading when it is cancelled; {@link PyTorchException.Code#CANCELLED}. */
  public @NotNull LoadOptions cancellation(@Nullable Cancellation cancellation) {
    mCancellation = cancellation;
    return this;
  }
}
