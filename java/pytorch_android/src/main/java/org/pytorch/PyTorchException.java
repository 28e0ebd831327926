package org.pytorch;

import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/** What loading or running a model fails with. The message says what went wrong and where in the model. */
public class PyTorchException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What kind of failure it is. */
  public enum Code {
    /** An argument is wrong: count, type or value. */
    INVALID_ARGUMENT,
    /** A file, method or attribute does not exist. */
    NOT_FOUND,
    /** The operating system refused to read. */
    IO,
    /** The bytes are not a well-formed model. */
    CORRUPT_FILE,
    /** A file of a version that cannot be run. */
    UNSUPPORTED_VERSION,
    /** The model needs an operator that the library does not have. */
    MISSING_OPERATOR,
    /** A dtype, layout or feature that is not available. */
    UNSUPPORTED,
    /** A value has another type than the operation needs. */
    TYPE_MISMATCH,
    /** Tensor sizes do not fit the operation. */
    SHAPE_MISMATCH,
    /** An index or dimension is outside its range. */
    INDEX_OUT_OF_RANGE,
    /** The model itself raised an exception. */
    MODEL_EXCEPTION,
    /** An allocation failed. */
    OUT_OF_MEMORY,
    /** A limit was reached. */
    LIMIT_EXCEEDED,
    /** A {@link Cancellation} stopped it. */
    CANCELLED,
    /** It took longer than it may. */
    DEADLINE_EXCEEDED,
    /** A defect in the library. */
    INTERNAL
  }

  private final Code mCode;
  private final @Nullable String mSourceLine;

  /** For native code. */
  PyTorchException(String message, int code, @Nullable String sourceLine) {
    super(message);
    final Code[] codes = Code.values();
    mCode = code >= 0 && code < codes.length ? codes[code] : Code.INTERNAL;
    mSourceLine = sourceLine;
  }

  public @NotNull Code code() {
    return mCode;
  }

  /** The innermost line of the model's source that is known, {@code "model.py:12"}; null when none is. */
  public @Nullable String sourceLine() {
    return mSourceLine;
  }
}
