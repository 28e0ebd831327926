package wick.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/** Rows, and what they took: of the clock, and of the processor for the whole virtual machine. */
final class Meter {
  /** Work that says how many rows it has done. */
  @FunctionalInterface
  interface Work {
    long rows() throws Exception;
  }

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private Meter() {}

  /** Prints a line for bench/java.py. */
  static void measure(String workload, Engine engine, Work work) throws Exception {
    final long spent = SYSTEM.getProcessCpuTime();
    final long begin = System.nanoTime();
    final long rows = work.rows();
    final double seconds = (System.nanoTime() - begin) / 1e9;
    final double processor = (SYSTEM.getProcessCpuTime() - spent) / 1e9;
    System.out.printf(Locale.US, "measured\t%s\t%s\t%.3f\t%.4f%n", workload, engine.title, rows / seconds,
        1000 * processor / rows);
  }

  /** Calls again and again for a while. */
  static long repeat(double seconds, Work work) throws Exception {
    final long end = System.nanoTime() + (long) (seconds * 1e9);
    long rows = 0;
    do {
      rows += work.rows();
    } while (System.nanoTime() < end);
    return rows;
  }
}
