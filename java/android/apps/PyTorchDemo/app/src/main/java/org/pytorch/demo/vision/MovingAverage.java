package org.pytorch.demo.vision;

import java.util.ArrayDeque;

/** The average of the last values, when there are enough of them. */
final class MovingAverage {
  private final int period;
  private final ArrayDeque<Long> values = new ArrayDeque<>();
  private long sum;

  MovingAverage(int period) {
    this.period = period;
  }

  void add(long value) {
    values.add(value);
    sum += value;
    if (values.size() > period) {
      sum -= values.remove();
    }
  }

  boolean isFull() {
    return values.size() == period;
  }

  double value() {
    return (double) sum / values.size();
  }
}
