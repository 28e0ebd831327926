package wick.examples.server;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a service, in the text format of Prometheus. */
public final class Metrics {
  final LongAdder answered = new LongAdder();
  final LongAdder rejected = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder rows = new LongAdder();
  final LongAdder waitNanos = new LongAdder();
  final LongAdder modelNanos = new LongAdder();

  String text(int waiting, int capacity) {
    return "requests_total{result=\"answered\"} " + answered + "\n"
        + "requests_total{result=\"rejected\"} " + rejected + "\n" // there was no place to wait
        + "requests_total{result=\"refused\"} " + refused + "\n" // it was not a request
        + "requests_total{result=\"failed\"} " + failed + "\n"
        + "rows_total " + rows + "\n"
        + "wait_seconds_total " + waitNanos.sum() / 1e9 + "\n"
        + "model_seconds_total " + modelNanos.sum() / 1e9 + "\n"
        + "waiting " + waiting + "\n"
        + "waiting_capacity " + capacity + "\n";
  }
}
