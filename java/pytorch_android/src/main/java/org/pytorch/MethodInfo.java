package org.pytorch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/** What a method of a model takes and gives, as its file declares it. */
public final class MethodInfo {
  private final String mName;
  private final String mReturnType;
  private final List<Argument> mArguments;

  // As Natives.methods() gives it.
  MethodInfo(String[] row) {
    mName = row[0];
    mReturnType = row[1];
    final List<Argument> arguments = new ArrayList<>();
    for (int i = 2; i + 2 < row.length; i += 3) {
      arguments.add(new Argument(row[i], row[i + 1], row[i + 2]));
    }
    mArguments = Collections.unmodifiableList(arguments);
  }

  public @NotNull String name() {
    return mName;
  }

  /** In TorchScript's words, {@code Dict[str, Tensor]}; empty when the file does not say. */
  public @NotNull String returnType() {
    return mReturnType;
  }

  public @NotNull List<Argument> arguments() {
    return mArguments;
  }

  @Override
  public String toString() {
    final StringBuilder text = new StringBuilder(mName).append('(');
    for (final Argument argument : mArguments) {
      if (text.charAt(text.length() - 1) != '(') {
        text.append(", ");
      }
      text.append(argument);
    }
    text.append(')');
    return mReturnType.isEmpty() ? text.toString() : text.append(" -> ").append(mReturnType).toString();
  }

  /** An argument of a method. */
  public static final class Argument {
    private final String mName;
    private final String mType;
    private final @Nullable String mDefault;

    Argument(String name, String type, @Nullable String defaultValue) {
      mName = name;
      mType = type;
      mDefault = defaultValue;
    }

    public @NotNull String name() {
      return mName;
    }

    /** In TorchScript's words, {@code List[int]}. */
    public @NotNull String type() {
      return mType;
    }

    /** As Python writes it; null when the argument must be given. */
    public @Nullable String defaultValue() {
      return mDefault;
    }

    @Override
    public String toString() {
      return mName + ": " + mType + (mDefault == null ? "" : " = " + mDefault);
    }
  }
}
