package org.pytorch;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** Nothing leaks, and nothing is freed too early. {@code -Dwick.rounds=100} takes a hundred times as long. */
public class LifetimeTest {
  private static Tensor floats(float... values) {
    return Tensor.fromBlob(values, new long[] {values.length});
  }

  /** Until everything that is unreachable is freed. */
  private static long liveHandles(long wanted) throws InterruptedException {
    for (int i = 0; i < 50 && Natives.liveHandles() > wanted; i++) {
      System.gc();
      Thread.sleep(10);
      NativeHandle.freeUnreachable();
    }
    return Natives.liveHandles();
  }

  private static long residentKilobytes() throws IOException {
    for (final String line : Files.readAllLines(Paths.get("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    return 0;
  }

  private static void assertSmallGrowth(long kilobytes) {
    // An emulator's own memory, which is part of it, grows with the code it translates.
    assertTrue("grown by " + kilobytes + " kB", kilobytes < 40_000 || Models.IS_EMULATED);
  }

  @Test
  public void tensorsThatNobodyCloses() throws Exception {
    NativeLibraries.loadMain();
    final long before = liveHandles(0);
    try (Module api = Models.load("api.ptl")) {
      final IValue input = IValue.from(floats(1, 2, 3));
      for (int i = 0; i < Models.rounds(20_000); i++) {
        api.runMethod("double", input);
      }
      assertEquals(before + 1, liveHandles(before + 1));
    }
    assertEquals(before, liveHandles(before));
  }

  @Test
  public void largeTensorsThatNobodyCloses() throws Exception {
    try (Module api = Models.load("api.ptl")) {
      long most = 0;
      for (int i = 0; i < Models.rounds(1000); i++) { // 4 MB each
        api.runMethod("large", IValue.from(1024));
        most = Math.max(most, residentKilobytes());
      }
      assertTrue(most + " kB", most < 1_000_000);
    }
  }

  @Test
  public void forwardDoesNotGrow() throws Exception {
    try (Module tiny = Models.load("tiny.ptl")) {
      final IValue input = IValue.from(floats(1, 2, 3, 4));
      long start = 0;
      final int count = Models.rounds(60_000);
      for (int i = 0; i < count; i++) {
        tiny.forward(input).toTensor().close();
        if (i == Math.min(20_000, count / 3)) {
          start = residentKilobytes();
        }
      }
      assertSmallGrowth(residentKilobytes() - start);
    }
  }

  @Test
  public void loadsAndDestroysDoNotGrow() throws Exception {
    final String path = Models.path("tiny.ptl").toString();
    long start = 0;
    long handles = 0;
    final int count = Models.rounds(3_000);
    for (int i = 0; i < count; i++) {
      final Module module = i % 2 == 0 ? LiteModuleLoader.load(path) : Module.load(path);
      if (i % 3 == 0) {
        module.forward(IValue.from(floats(1)));
      }
      if (i % 5 != 0) {
        module.destroy(); // others are left to the collector
      }
      if (i == Math.min(1_000, count / 3)) {
        handles = liveHandles(0);
        start = residentKilobytes();
      }
    }
    assertTrue(liveHandles(handles) <= handles + 1);
    assertSmallGrowth(residentKilobytes() - start);
  }

  @Test
  public void unreachableModulesAreFreed() throws Exception {
    NativeLibraries.loadMain();
    final long before = liveHandles(0);
    for (int i = 0; i < 100; i++) {
      Models.load("tiny.ptl");
    }
    assertTrue(liveHandles(before) <= before);
  }

  @Test
  public void failedLoadsLeaveNothing() throws Exception {
    NativeLibraries.loadMain();
    final long before = liveHandles(0);
    for (int i = 0; i < 200; i++) {
      Models.failure(() -> Module.load("/no/such/file"));
      Models.failure(() -> Module.loadFromBytes(new byte[100]));
    }
    assertTrue(Natives.liveHandles() <= before);
  }

  @Test
  public void sixteenThreadsOnOneModule() throws Exception {
    final String[] parts = Models.cases("net").get(0).split("\t", -1);
    final IValue expected = Values.parse(parts[2])[0];
    try (Module net = Models.load("net.ptl")) {
      inThreads(16, () -> {
        final IValue[] inputs = Values.parse(parts[1]);
        for (int i = 0; i < Models.rounds(15); i++) {
          Values.assertSame("in a thread", expected, net.forward(inputs), 1e-5);
        }
        return null;
      });
    }
  }

  @Test
  public void destroyedWhileRunning() throws Exception {
    for (int round = 0; round < Models.rounds(20); round++) {
      final Module module = Models.load("api.ptl");
      final CountDownLatch running = new CountDownLatch(4);
      final AtomicInteger finished = new AtomicInteger();
      final AtomicInteger refused = new AtomicInteger();
      final List<Callable<Void>> calls = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        calls.add(() -> {
          final IValue input = IValue.from(floats(1, 2));
          running.countDown();
          try {
            while (true) {
              assertArrayEquals(
                  new float[] {2, 4}, module.runMethod("double", input).toTensor().getDataAsFloatArray(), 0);
              assertEquals(2997, module.runMethod("long_loop", IValue.from(1000)).toLong());
              finished.incrementAndGet();
            }
          } catch (NullPointerException e) {
            refused.incrementAndGet();
          }
          return null;
        });
      }
      final ExecutorService pool = Executors.newFixedThreadPool(4);
      final List<Future<Void>> futures = new ArrayList<>();
      for (final Callable<Void> call : calls) {
        futures.add(pool.submit(call));
      }
      running.await();
      Thread.sleep(round % 5);
      module.destroy();
      for (final Future<Void> future : futures) {
        future.get();
      }
      pool.shutdown();
      assertEquals(4, refused.get());
    }
  }

  @Test
  public void tensorsClosedWhileRead() throws Exception {
    try (Module api = Models.load("api.ptl")) {
      for (int round = 0; round < Models.rounds(300); round++) {
        final Tensor tensor = api.runMethod("large", IValue.from(16)).toTensor();
        inThreads(3, () -> {
          try {
            for (int i = 0; i < 3; i++) {
              assertEquals(16 * 1024, tensor.getDataAsFloatArray().length);
              api.runMethod("double", IValue.from(tensor));
            }
          } catch (IllegalStateException e) {
            assertEquals("The tensor is closed", e.getMessage());
          }
          tensor.close();
          return null;
        });
      }
    }
  }

  private static void inThreads(int count, Callable<Void> action) throws Exception {
    final ExecutorService pool = Executors.newFixedThreadPool(count);
    final List<Future<Void>> futures = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      futures.add(pool.submit(action));
    }
    try {
      for (final Future<Void> future : futures) {
        future.get();
      }
    } finally {
      pool.shutdown();
    }
  }
}
