package org.pytorch;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What is beyond PyTorch's classes: models from memory, bounds, cancellation, outputs of the caller, methods. */
public class BoundsTest {
  private static final IValue FOREVER = IValue.from(Long.MAX_VALUE);
  private Module api;

  @Before
  public void load() {
    api = Models.load("api.ptl");
  }

  @After
  public void destroy() {
    api.close();
  }

  private static void assertCode(PyTorchException.Code code, Runnable action) {
    final Throwable failure = Models.failure(action);
    assertEquals(failure.toString(), PyTorchException.class, failure.getClass());
    assertEquals(failure.toString(), code, ((PyTorchException) failure).code());
  }

  @Test
  public void modelsFromMemory() throws IOException {
    final byte[] bytes = Files.readAllBytes(Models.path("tiny.ptl"));
    final IValue one = IValue.from(Tensor.fromBlob(new float[] {1}, new long[] {1}));
    try (Module module = Module.loadFromBytes(bytes)) {
      assertArrayEquals(new float[] {2}, module.forward(one).toTensor().getDataAsFloatArray(), 0);
    }
    final ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 7);
    direct.position(7);
    direct.put(bytes);
    direct.position(7);
    try (Module module = Module.loadFromBuffer(direct)) {
      assertEquals(7, direct.position());
      for (int i = 0; i < direct.capacity(); i++) {
        direct.put(i, (byte) 0); // the model has what it needs
      }
      assertArrayEquals(new float[] {2}, module.forward(one).toTensor().getDataAsFloatArray(), 0);
    }
    try (Module module = Module.loadFromBuffer(ByteBuffer.wrap(bytes))) {
      assertArrayEquals(new float[] {2}, module.forward(one).toTensor().getDataAsFloatArray(), 0);
    }
    final ByteBuffer part = ByteBuffer.wrap(new byte[bytes.length + 9], 4, bytes.length + 3).slice();
    part.position(3);
    part.put(bytes).position(3);
    for (final ByteBuffer model : new ByteBuffer[] {part, part.asReadOnlyBuffer()}) {
      try (Module module = Module.loadFromBuffer(model)) {
        assertArrayEquals(new float[] {2}, module.forward(one).toTensor().getDataAsFloatArray(), 0);
        assertEquals(3, model.position());
      }
    }
    assertCode(PyTorchException.Code.CORRUPT_FILE, () -> Module.loadFromBytes(new byte[0]));
    assertEquals(NullPointerException.class, Models.failure(() -> Module.loadFromBytes(null)).getClass());
  }

  @Test
  public void timeoutsAndLimits() {
    assertCode(PyTorchException.Code.DEADLINE_EXCEEDED,
        () -> api.runMethod("long_loop", new RunOptions().timeoutMillis(50), FOREVER));
    assertCode(PyTorchException.Code.LIMIT_EXCEEDED,
        () -> api.runMethod("long_loop", new RunOptions().maxOperations(1000), FOREVER));
    assertCode(PyTorchException.Code.LIMIT_EXCEEDED,
        () -> api.runMethod("large", new RunOptions().maxMemory(1 << 20), IValue.from(4096)));
    assertEquals(
        3, api.runMethod("long_loop", new RunOptions().timeoutMillis(10_000).maxThreads(2), IValue.from(3)).toLong());
    assertTrue(api.forward(new RunOptions()).isNull());
    assertEquals(IllegalArgumentException.class, Models.failure(() -> new RunOptions().timeoutMillis(-1)).getClass());
  }

  @Test
  public void cancellation() throws Exception {
    final ExecutorService pool = Executors.newSingleThreadExecutor();
    try (Cancellation stop = new Cancellation()) {
      final Future<Throwable> call = pool.submit(
          () -> Models.failure(() -> api.runMethod("long_loop", new RunOptions().cancellation(stop), FOREVER)));
      Thread.sleep(50);
      assertFalse(stop.isCancelled());
      stop.cancel();
      assertTrue(stop.isCancelled());
      assertEquals(PyTorchException.Code.CANCELLED, ((PyTorchException) call.get()).code());
      assertCode(PyTorchException.Code.CANCELLED,
          () -> Module.load(Models.path("net.pt").toString(), new LoadOptions().cancellation(stop)));
    } finally {
      pool.shutdown();
    }
    assertEquals(1, api.runMethod("same_int", IValue.from(1)).toLong());
    final Cancellation closed = new Cancellation();
    closed.close();
    assertEquals(1, api.runMethod("same_int", new RunOptions().cancellation(closed), IValue.from(1)).toLong());
  }

  @Test
  public void loadOptions() {
    final String path = Models.path("net.ptl").toString();
    Module
        .load(path,
            new LoadOptions()
                .timeoutMillis(60_000)
                .maxMemory(1L << 30)
                .maxPlanMemory(1 << 20)
                .copyFile(true)
                .allowMissingOperators(true))
        .close();
    assertEquals(IllegalArgumentException.class, Models.failure(() -> new LoadOptions().maxMemory(-1)).getClass());
  }

  @Test
  public void outputsOfTheCaller() {
    final FloatBuffer buffer = Tensor.allocateFloatBuffer(6);
    final Tensor output = Tensor.fromBlob(buffer, new long[] {2, 3});
    try (Module tiny = Models.load("tiny.ptl")) {
      tiny.forwardInto(output, IValue.from(Tensor.fromBlob(new float[] {0, 1, 2, 3, 4, 5}, new long[] {2, 3})));
      for (int i = 0; i < 6; i++) {
        assertEquals(i + 1f, buffer.get(i), 0);
      }
      tiny.forwardInto(output, IValue.from(output));
      assertEquals(2f, buffer.get(0), 0);
      final Throwable shape =
          Models.failure(() -> tiny.forwardInto(output, IValue.from(Tensor.fromBlob(new float[6], new long[] {6}))));
      assertEquals(IllegalArgumentException.class, shape.getClass());
      assertEquals("the result is a tensor of float32 and shape [6], the output one of float32 and shape [2, 3]",
          shape.getMessage());
      assertEquals(IllegalArgumentException.class,
          Models.failure(() -> tiny.forwardInto(output, IValue.from(Tensor.fromBlob(new int[6], new long[] {2, 3}))))
              .getClass());
    }
    final Tensor[] outputs = {Tensor.fromBlob(new long[1], new long[0]), Tensor.fromBlob(new long[1], new long[0]),
        Tensor.fromBlob(new long[6], new long[] {6}), Tensor.fromBlob(new long[12], new long[] {4, 3}),
        Tensor.fromBlob(new long[0], new long[] {0}),
        Tensor.fromBlob(new long[6], new long[] {1, 3, 2, 1}, MemoryFormat.CHANNELS_LAST)};
    api.runMethodInto("views", outputs, new RunOptions());
    assertArrayEquals(new long[] {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}, outputs[3].getDataAsLongArray());
    assertArrayEquals(new long[] {1, 5, 9, 3, 7, 11}, outputs[5].getDataAsLongArray());
    assertEquals(IllegalArgumentException.class,
        Models.failure(() -> api.runMethodInto("views", new Tensor[1], new RunOptions())).getClass());
    assertEquals(IllegalArgumentException.class,
        Models.failure(() -> api.runMethodInto("same_int", new Tensor[1], new RunOptions(), IValue.from(1)))
            .getClass());
    final Tensor constant = Tensor.fromBlob(Tensor.allocateFloatBuffer(1).asReadOnlyBuffer(), new long[] {1});
    assertEquals("the buffer of an output is read-only",
        Models
            .failure(()
                         -> api.runMethodInto("double", new Tensor[] {constant}, new RunOptions(),
                             IValue.from(Tensor.fromBlob(new float[1], new long[] {1}))))
            .getMessage());
  }

  @Test
  public void methods() {
    try (Module full = Models.load("api.pt")) {
      MethodInfo found = null;
      for (final MethodInfo method : full.methods()) {
        found = method.name().equals("optionals") ? method : found;
      }
      assertEquals("optionals(a: Optional[int], b: Optional[Tensor] = None, c: float = 1.5) -> str", found.toString());
      assertEquals(3, found.arguments().size());
      assertEquals(null, found.arguments().get(0).defaultValue());
      assertEquals("Optional[Tensor]", found.arguments().get(1).type());
    }
    assertTrue(api.methods().size() > 30);
  }

  @Test
  public void stringsThatAreNoText() {
    assertEquals("\uFFFDx", api.runMethod("same_str", IValue.from("\uD800x")).toStr());
    assertEquals("x\uFFFD", api.runMethod("same_str", IValue.from("x\uDC00")).toStr());
    assertEquals("\uD83D\uDE00", api.runMethod("same_str", IValue.from("\uD83D\uDE00")).toStr());
  }

  @Test
  public void profiles() {
    try (Module net = Models.load("net.ptl")) {
      final IValue image = IValue.from(Tensor.fromBlob(new float[3 * 32 * 32], new long[] {1, 3, 32, 32}));
      for (int i = 0; i < 3; i++) {
        net.forward(image);
      }
      final Profile profile = net.profile(image);
      assertFalse(profile.steps().isEmpty());
      long sum = 0;
      boolean convolves = false;
      for (final Profile.Step step : profile.steps()) {
        assertTrue(step.toString(), step.durationNanos() >= 0 && step.beginNanos() >= 0);
        assertFalse(step.name().isEmpty());
        convolves |= step.name().contains("conv");
        sum += step.durationNanos();
      }
      assertTrue(profile.toString(), convolves);
      assertTrue(sum > 0 && profile.totalNanos() > 0);
      assertTrue(profile.workingBytes() >= 0 && profile.packedBytes() >= 0);
      assertEquals(profile.steps().size(), profile.toString().split("\n").length);
      assertCode(
          PyTorchException.Code.CANCELLED,
          () -> {
            final Cancellation stop = new Cancellation();
            stop.cancel();
            net.profileMethod("forward", new RunOptions().cancellation(stop), image);
          });
    }
    assertEquals(IllegalArgumentException.class, Models.failure(() -> api.profileMethod("no", new RunOptions())).getClass());
    final Module closed = Models.load("tiny.ptl");
    closed.close();
    assertEquals(NullPointerException.class, Models.failure(() -> closed.profile()).getClass());
  }
}
