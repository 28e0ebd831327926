package org.pytorch;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Loading, failures, and what tensors share. */
public class ModuleTest {
  private Module api;

  @Before
  public void load() {
    api = Models.load("api.ptl");
  }

  @After
  public void destroy() {
    api.destroy();
  }

  private static void assertFails(Class<?> type, String part, Runnable action) {
    final Throwable failure = Models.failure(action);
    assertEquals(failure.toString(), type, failure.getClass());
    assertTrue(failure.getMessage(), failure.getMessage().contains(part));
  }

  private void assertArgument(String message, String method, IValue... inputs) {
    final Throwable failure = Models.failure(() -> api.runMethod(method, inputs));
    assertEquals(failure.toString(), IllegalArgumentException.class, failure.getClass());
    assertEquals(message, failure.getMessage());
  }

  private static Tensor floats(float... values) {
    return Tensor.fromBlob(values, new long[] {values.length});
  }

  @Test
  public void undefinedMethods() {
    assertArgument("Undefined method test_undefined_method_throws_exception", "test_undefined_method_throws_exception");
  }

  @Test
  public void resultsJavaDoesNotHave() {
    assertArgument("at::Tensor scalar type Bool is not supported on java side", "bool_tensor");
    assertArgument("at::Tensor scalar type Half is not supported on java side", "half_tensor");
    assertArgument("Unsupported IValue-Dict key type: float", "float_keys");
    assertArgument("Unsupported IValue type Device", "device");
    assertArgument("Unsupported IValue type ComplexDouble", "complex");
    assertArgument("List must contain items of the same type", "mixed");
  }

  @Test
  public void wrongArguments() {
    assertFails(PyTorchException.class, "at most 1 argument(s)",
        () -> api.runMethod("same_int", IValue.from(1), IValue.from(2)));
    assertFails(PyTorchException.class, "missing value for argument 'x'", () -> api.runMethod("same_int"));
    assertFails(PyTorchException.class, "Expected a value of type 'int' for argument 'x'",
        () -> api.runMethod("same_int", IValue.from("1")));
    assertFails(NullPointerException.class, "input is null", () -> api.forward((IValue) null));
    assertFails(NullPointerException.class, "inputs are null", () -> api.forward((IValue[]) null));
    assertFails(NullPointerException.class, "tensor is null", () -> api.forward(IValue.from((Tensor) null)));
    assertFails(NullPointerException.class, "string is null", () -> api.forward(IValue.from((String) null)));
    assertFails(NullPointerException.class, "method is null", () -> api.runMethod(null));
    assertFails(NullPointerException.class, "list is null", () -> api.forward(IValue.listFrom((long[]) null)));
    assertFails(NullPointerException.class, "map is null", () -> api.forward(IValue.dictLongKeyFrom(null)));
    assertFails(NullPointerException.class, "memory format",
        () -> api.forward(IValue.from(Tensor.fromBlob(new int[1], new long[] {1}, null))));
  }

  @Test
  public void mapsOfOtherTypes() {
    @SuppressWarnings({"unchecked", "rawtypes"})
    final Map<String, IValue> wrong = (Map) Collections.singletonMap(1, IValue.from(1));
    assertFails(ClassCastException.class, "Map<String, IValue>",
        () -> api.runMethod("by_name", IValue.dictStringKeyFrom(wrong)));
  }

  @Test
  public void valuesThatHoldThemselves() {
    final IValue[] array = new IValue[1];
    array[0] = IValue.tupleFrom(array);
    assertFails(IllegalArgumentException.class, "hold themselves", () -> api.forward(array[0]));
  }

  @Test
  public void shapesThatDoNotFitTheirBuffer() {
    final Tensor wrapped = Tensor.fromBlob(Tensor.allocateFloatBuffer(0), new long[] {65536, 65536});
    assertFails(IllegalArgumentException.class,
        "Tensor dimensions(elements number:4294967296, element byte size:4, total bytes:17179869184) inconsistent with"
            + " buffer capacity(0)",
        () -> api.forward(IValue.from(wrapped)));
    assertFails(PyTorchException.class, "",
        () -> api.forward(IValue.from(Tensor.fromBlob(new byte[0], new long[] {1L << 62, 1L << 62}))));
    assertFails(PyTorchException.class, "ChannelsLast2d doesn't support size 2",
        () -> api.forward(IValue.from(Tensor.fromBlob(new int[1], new long[] {1, 1}, MemoryFormat.CHANNELS_LAST))));
    assertFails(PyTorchException.class, "ChannelsLast3d doesn't support size 3",
        ()
            -> api.forward(
                IValue.from(Tensor.fromBlob(new int[1], new long[] {1, 1, 1}, MemoryFormat.CHANNELS_LAST_3D))));
  }

  @Test
  public void exceptionsHaveACodeAndTheLineOfTheModel() {
    try (Module full = Models.load("api.pt")) {
      final PyTorchException raised = (PyTorchException) Models.failure(() -> full.runMethod("raises", IValue.from(1)));
      assertEquals(PyTorchException.Code.MODEL_EXCEPTION, raised.code());
      assertTrue(raised.getMessage(), raised.getMessage().contains("x is too large"));
      assertNotNull(raised.getMessage(), raised.sourceLine());
      final PyTorchException index =
          (PyTorchException) Models.failure(() -> full.runMethod("wrong_index", IValue.listFrom(1)));
      assertEquals(PyTorchException.Code.INDEX_OUT_OF_RANGE, index.code());
      assertTrue(index.getMessage(), index.sourceLine().matches(".*make_models\\.py:\\d+"));
    }
    // A lite file without debugging information knows the operator only.
    final PyTorchException shapes = (PyTorchException) Models.failure(() -> api.runMethod("wrong_shapes"));
    assertEquals(PyTorchException.Code.SHAPE_MISMATCH, shapes.code());
    assertTrue(
        shapes.getMessage(), shapes.getMessage().contains("mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"));
    assertEquals(null, shapes.sourceLine());
  }

  @Test
  public void filesThatAreNoModels() throws IOException {
    assertFails(PyTorchException.class,
        "open file failed because of errno 2 on fopen: No such file or directory, file path: /no/such/file",
        () -> Module.load("/no/such/file"));
    final Path file = Files.createTempFile("not-a-model", ".pt");
    try {
      assertFails(
          PyTorchException.class, "PytorchStreamReader failed reading zip archive", () -> Module.load(file.toString()));
      Files.write(file, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
      assertFails(PyTorchException.class, "PytorchStreamReader failed reading zip archive",
          () -> LiteModuleLoader.load(file.toString()));
    } finally {
      Files.delete(file);
    }
    assertFails(NullPointerException.class, "path", () -> Module.load(null));
    assertFails(PyTorchException.class, "", () -> Module.load(System.getProperty("java.io.tmpdir")));
    assertFails(IllegalArgumentException.class, "NUL", () -> Module.load("a\0b"));
    assertEquals(NullPointerException.class,
        Models.failure(() -> Module.load(Models.path("api.pt").toString(), null, null)).getClass());
  }

  @Test
  public void extraFiles() {
    final Map<String, String> files = new HashMap<>();
    files.put("notes.txt", "ignored");
    files.put("missing", "ignored");
    Module.load(Models.path("api.pt").toString(), files, Device.CPU).destroy();
    assertEquals("kept beside the model: é 😀", files.get("notes.txt"));
    assertEquals("", files.get("missing"));
    assertEquals(2, files.size());
    LiteModuleLoader.load(Models.path("api.ptl").toString(), new HashMap<>(), Device.CPU).destroy();
    final long live = Natives.liveHandles();
    assertFails2(UnsupportedOperationException.class,
        ()
            -> LiteModuleLoader.load(
                Models.path("api.ptl").toString(), Collections.singletonMap("notes.txt", ""), Device.CPU));
    assertEquals(live, Natives.liveHandles());
  }

  private static void assertFails2(Class<?> type, Runnable action) {
    assertEquals(type, Models.failure(action).getClass());
  }

  @Test
  public void evalIsOfTheFullLoaderOnly() {
    try (Module full = Models.load("state.pt"); Module lite = Models.load("state.ptl")) {
      assertFalse(full.runMethod("is_training").toBool());
      assertTrue(lite.runMethod("is_training").toBool());
    }
  }

  @Test
  public void destroyedModules() {
    final Module module = Models.load("api.ptl");
    final Tensor result = module.runMethod("double", IValue.from(floats(1, 2))).toTensor();
    module.destroy();
    module.destroy();
    module.close();
    for (final Runnable call : new Runnable[] {module::forward, () -> module.runMethod("none")}) {
      final Throwable failure = Models.failure(call);
      assertEquals(NullPointerException.class, failure.getClass());
      assertEquals("java.lang.NullPointerException", failure.getMessage());
    }
    assertEquals(NullPointerException.class, Models.failure(module::methods).getClass());
    assertArrayEquals(new float[] {2, 4}, result.getDataAsFloatArray(), 0);
  }

  @Test
  public void inputsAreReadInPlaceEachTime() {
    final FloatBuffer buffer = Tensor.allocateFloatBuffer(2);
    final Tensor input = Tensor.fromBlob(buffer, new long[] {2});
    for (int i = 0; i < 5; i++) {
      buffer.put(0, i);
      assertEquals(2f * i, api.runMethod("double", IValue.from(input)).toTensor().getDataAsFloatArray()[0], 0);
    }
    assertEquals(2, api.runMethod("add_to", IValue.from(input)).toLong());
    assertEquals(5f, buffer.get(0), 0);
  }

  @Test
  public void slicesMisalignedAndReadOnlyBuffers() throws IOException {
    final ByteBuffer bytes = Tensor.allocateByteBuffer(17);
    for (int i = 0; i < 4; i++) {
      bytes.putFloat(1 + 4 * i, i);
    }
    bytes.position(1);
    final FloatBuffer odd = bytes.slice().order(ByteOrder.nativeOrder()).asFloatBuffer();
    final Tensor misaligned = Tensor.fromBlob(odd, new long[] {4});
    assertArrayEquals(
        new float[] {0, 2, 4, 6}, api.runMethod("double", IValue.from(misaligned)).toTensor().getDataAsFloatArray(), 0);
    final FloatBuffer four = Tensor.allocateFloatBuffer(4);
    four.put(2, 7);
    four.position(2);
    final Tensor slice = Tensor.fromBlob(four.slice(), new long[] {2});
    assertArrayEquals(
        new float[] {14, 0}, api.runMethod("double", IValue.from(slice)).toTensor().getDataAsFloatArray(), 0);
    final Path file = Files.createTempFile("mapped", ".bin");
    Files.write(file, new byte[64]);
    try (FileChannel channel = FileChannel.open(file)) {
      final FloatBuffer mapped =
          channel.map(FileChannel.MapMode.READ_ONLY, 0, 64).order(ByteOrder.nativeOrder()).asFloatBuffer();
      assertEquals(16, api.runMethod("add_to", IValue.from(Tensor.fromBlob(mapped, new long[] {16}))).toLong());
      assertEquals(0f, mapped.get(0), 0);
    } finally {
      Files.delete(file);
    }
  }

  @Test
  public void resultsThatAreTheInput() {
    final FloatBuffer buffer = Tensor.allocateFloatBuffer(2);
    Tensor input = Tensor.fromBlob(buffer, new long[] {2});
    final Tensor same = api.runMethod("same_tensor", IValue.from(input)).toTensor();
    buffer.put(0, 3);
    assertArrayEquals(new float[] {3, 0}, same.getDataAsFloatArray(), 0);
    final Tensor again = api.runMethod("same_tensor", IValue.from(same)).toTensor();
    same.close();
    buffer.put(1, 4);
    assertArrayEquals(new float[] {3, 4}, again.getDataAsFloatArray(), 0);
  }

  @Test
  public void inputsThatTheModelKeeps() {
    try (Module state = Models.load("state.ptl")) {
      for (int i = 0; i < 50; i++) {
        final Tensor last = state.forward(IValue.from(floats(i, i + 1))).toTensor();
        if (i > 0) {
          assertArrayEquals(new float[] {i - 1, i}, last.getDataAsFloatArray(), 0);
        }
        System.gc();
      }
      assertEquals(50, state.runMethod("calls").toLong());
    }
  }

  @Test
  public void resultsGoIntoOtherModules() {
    try (Module tiny = Models.load("tiny.pt")) {
      Tensor t = floats(0, 10);
      for (int i = 0; i < 10; i++) {
        t = (i % 2 == 0 ? api.runMethod("double", IValue.from(t)) : tiny.forward(IValue.from(t))).toTensor();
      }
      assertArrayEquals(new float[] {31, 351}, t.getDataAsFloatArray(), 0);
    }
  }

  @Test
  public void closedTensors() {
    final Tensor result = api.runMethod("double", IValue.from(floats(1, 2))).toTensor();
    result.close();
    result.close();
    assertFails(IllegalStateException.class, "closed", result::getDataAsFloatArray);
    assertFails(IllegalStateException.class, "closed", result::dataBuffer);
    assertFails(IllegalStateException.class, "closed", () -> api.forward(IValue.from(result)));
    assertArrayEquals(new long[] {2}, result.shape());
  }

  @Test
  public void buffersOfResultsOutliveThem() {
    Tensor result = api.runMethod("double", IValue.from(floats(1, 2))).toTensor();
    final FloatBuffer buffer = (FloatBuffer) result.dataBuffer();
    result.close();
    result = null;
    for (int i = 0; i < 5; i++) {
      System.gc();
      NativeHandle.freeUnreachable();
    }
    assertEquals(2f, buffer.get(0), 0);
    assertEquals(4f, buffer.get(1), 0);
  }

  @Test
  public void threadCounts() {
    for (final int n : new int[] {0, -1}) {
      final Throwable failure = Models.failure(() -> PyTorchAndroid.setNumThreads(n));
      assertEquals(IllegalArgumentException.class, failure.getClass());
      assertEquals("Number of threads cannot be less than 1", failure.getMessage());
    }
    PyTorchAndroid.setNumThreads(2);
    api.setNumThreads(1);
    assertEquals(5, api.runMethod("same_int", IValue.from(5)).toLong());
    PyTorchAndroid.setNumThreads(1);
    PyTorchCodegenLoader.loadNativeLibs();
  }
}
