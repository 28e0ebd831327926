package org.pytorch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jetbrains.annotations.NotNull;

/** What the steps of a call took; see {@link Module#profile}. */
public final class Profile {
  private final long mWorkingBytes;
  private final long mPackedBytes;
  private final List<Step> mSteps;

  // As Natives.profile() gives it.
  Profile(String[][] rows) {
    mWorkingBytes = Long.parseLong(rows[0][0]);
    mPackedBytes = Long.parseLong(rows[0][1]);
    final List<Step> steps = new ArrayList<>();
    for (int i = 1; i < rows.length; i++) {
      steps.add(new Step(rows[i]));
    }
    mSteps = Collections.unmodifiableList(steps);
  }

  /** In the order they began. A library built without names of steps has none. */
  public @NotNull List<Step> steps() {
    return mSteps;
  }

  /** Memory that holds what steps hand to each other. */
  public long workingBytes() {
    return mWorkingBytes;
  }

  /** Weights in the forms that kernels read, besides those of the file. */
  public long packedBytes() {
    return mPackedBytes;
  }

  /** The time from the begin of the first step to the end of the last. */
  public long totalNanos() {
    long end = 0;
    for (final Step step : mSteps) {
      end = Math.max(end, step.mBeginNanos + step.mDurationNanos);
    }
    return end;
  }

  /** A line for each step, the longest first. */
  @Override
  public String toString() {
    final List<Step> sorted = new ArrayList<>(mSteps);
    Collections.sort(sorted, (a, b) -> Long.compare(b.mDurationNanos, a.mDurationNanos));
    final StringBuilder text = new StringBuilder();
    for (final Step step : sorted) {
      text.append(step).append('\n');
    }
    return text.toString();
  }

  /** An operator, or several that run as one. */
  public static final class Step {
    private final String mName;
    private final String mKind;
    private final String mOutput;
    private final long mBeginNanos;
    private final long mDurationNanos;

    Step(String[] row) {
      mName = row[0];
      mKind = row[1];
      mOutput = row[2];
      mBeginNanos = Long.parseLong(row[3]);
      mDurationNanos = Long.parseLong(row[4]);
    }

    /** {@code conv 3x3 winograd4 relu} or {@code aten::cat}. */
    public @NotNull String name() {
      return mName;
    }

    /** Which kind of step it is; empty for operators that run one by one. */
    public @NotNull String kind() {
      return mKind;
    }

    /** {@code 1x64x56x56 channels last}. */
    public @NotNull String output() {
      return mOutput;
    }

    /** From the begin of the first step. */
    public long beginNanos() {
      return mBeginNanos;
    }

    public long durationNanos() {
      return mDurationNanos;
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%9.3f ms  %s  %s", mDurationNanos / 1e6, mName, mOutput);
    }
  }
}
