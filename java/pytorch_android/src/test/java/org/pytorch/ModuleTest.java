package org.pytorch;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
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

  private static String message(Runnable action) {
    return Models.failure(action).getMessage();
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
    // As PyTorch 1.13.1 says them in C++, with the value besides.
    try (Module full = Models.load("api.pt")) {
      final String declaration = "Declaration: same_int(__torch__.Api self, int x) -> int";
      for (final Module module : new Module[] {full, api}) {
        final String declared = module == full ? declaration : declaration.replace(" -> int", "");
        final String most = message(() -> module.runMethod("same_int", IValue.from(1), IValue.from(2)));
        assertStarts("Expected at most 2 argument(s) for operator 'same_int', but received 3 argument(s). " + declared,
            most);
        assertStarts("same_int() is missing value for argument 'x'. " + declared,
            message(() -> module.runMethod("same_int")));
        assertStarts("same_int() Expected a value of type 'int' for argument 'x' but instead found type 'str'.\n"
                + "Position: 1\nValue: a Declaration: same_int( Position: 3\n" + declared,
            message(() -> module.runMethod("same_int", IValue.from("a Declaration: same_int( Position: 3"))));
        assertStarts("Expected at most 1 argument(s) for operator 'none', but received 2 argument(s). "
                + "Declaration: none(__torch__.Api self)",
            message(() -> module.runMethod("none", IValue.from(1))));
      }
    }
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

  private static void assertStarts(String expected, String text) {
    assertEquals(expected, text.substring(0, Math.min(text.length(), expected.length())));
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
      final String reader = "PytorchStreamReader failed reading zip archive: ";
      assertStarts(reader + "not a ZIP archive", message(() -> Module.load(file.toString())));
      assertStarts(reader + "not a ZIP archive", message(() -> Module.loadFromBytes(new byte[0])));
      Files.write(file, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
      assertStarts(reader + "not a ZIP archive", message(() -> LiteModuleLoader.load(file.toString())));
      Files.write(file, new byte[1000]);
      assertStarts(reader + "failed finding central directory", message(() -> Module.load(file.toString())));
      final byte[] model = Files.readAllBytes(Models.path("tiny.ptl"));
      assertStarts(reader + "failed finding central directory",
          message(() -> Module.loadFromBytes(Arrays.copyOf(model, model.length - 30))));
      final byte[] header = model.clone();
      header[new String(model, StandardCharsets.ISO_8859_1).lastIndexOf("PK\1\2")] = 0; // of the directory's last entry
      assertStarts(reader + "invalid header or archive is corrupted", message(() -> Module.loadFromBytes(header)));
      final ByteBuffer direct = ByteBuffer.allocateDirect(64);
      assertStarts(reader + "failed finding central directory", message(() -> Module.loadFromBuffer(direct)));
    } finally {
      Files.delete(file);
    }
    assertFails(NullPointerException.class, "path", () -> Module.load(null));
    assertFails(PyTorchException.class, "", () -> Module.load(System.getProperty("java.io.tmpdir")));
    assertFails(IllegalArgumentException.class, "NUL", () -> Module.load("a\0b"));
    assertEquals(NullPointerException.class,
        Models.failure(() -> Module.load(Models.path("api.pt").toString(), null, null)).getClass());
  }

  private static final String CODE = "code/__torch__.py";

  private static byte[] record(String model, String record) throws IOException {
    try (ZipFile zip = new ZipFile(Models.path(model).toFile())) {
      for (final ZipEntry entry : Collections.list(zip.entries())) {
        if (entry.getName().endsWith("/" + record)) {
          return zip.getInputStream(entry).readAllBytes();
        }
      }
    }
    throw new AssertionError(record);
  }

  // The model with a record replaced, and without the others.
  private static byte[] with(String model, String record, byte[] content, String... others) throws IOException {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipFile from = new ZipFile(Models.path(model).toFile()); ZipOutputStream to = new ZipOutputStream(out)) {
      for (final ZipEntry entry : Collections.list(from.entries())) {
        final String name = entry.getName().substring(entry.getName().indexOf('/') + 1);
        if (!Arrays.asList(others).contains(name)) {
          to.putNextEntry(new ZipEntry(entry.getName()));
          to.write(name.equals(record) ? content : from.getInputStream(entry).readAllBytes());
        }
      }
    }
    return out.toByteArray();
  }

  @Test
  public void filesOfOtherVersionsAndWithoutRecords() throws IOException {
    final String reading = "Attempted to read a PyTorch file with version ";
    for (final String model : new String[] {"tiny.pt", "tiny.ptl"}) {
      final byte[] newer = with(model, "version", "11\n".getBytes(StandardCharsets.US_ASCII));
      assertEquals(reading + "11, but the maximum supported version for reading is 10. The version of your PyTorch"
              + " installation may be too old, please upgrade PyTorch to latest version to mitigate this issue.",
          message(() -> Module.loadFromBytes(newer)));
      final byte[] older = with(model, "version", "0\n".getBytes(StandardCharsets.US_ASCII));
      assertEquals(reading + "0, but the minimum supported version for reading is 1. Your PyTorch script module file is"
              + " too old. Please regenerate it with latest version of PyTorch to mitigate this issue.",
          message(() -> Module.loadFromBytes(older)));
    }
    final byte[] rootless = with("tiny.ptl", "", null, "data.pkl");
    assertStarts("PytorchStreamReader failed locating file data.pkl: file not found",
        message(() -> Module.loadFromBytes(rootless)));
    final byte[] codeless = with("tiny.ptl", "", null, "bytecode.pkl", "constants.pkl");
    assertStarts("PytorchStreamReader failed locating file bytecode.pkl: file not found",
        message(() -> Module.loadFromBytes(codeless)));
    final byte[] neither = with("tiny.ptl", "", null, "bytecode.pkl", "constants.pkl", "data.pkl");
    assertStarts("PytorchStreamReader failed locating file bytecode.pkl: file not found",
        message(() -> Module.loadFromBytes(neither)));
    final byte[] versionless = with("tiny.pt", "", null, "version", ".data/version");
    assertStarts("PytorchStreamReader failed locating file version: file not found",
        message(() -> Module.loadFromBytes(versionless)));
    final byte[] bytecode = record("tiny.ptl", "bytecode.pkl");
    bytecode[bytecode[2] == '(' ? 4 : 3] = 20;
    final byte[] lite = with("tiny.ptl", "bytecode.pkl", bytecode);
    assertStarts("Lite Interpreter version number does not match. The model version must be between 3 and 9 but the"
            + " model version is 20",
        message(() -> Module.loadFromBytes(lite)));
  }

  @Test
  public void operatorsThatAreMissing() throws IOException {
    final String bytecode = new String(record("tiny.ptl", "bytecode.pkl"), StandardCharsets.ISO_8859_1);
    assertTrue(bytecode, bytecode.contains("aten::add"));
    final byte[] other = bytecode.replace("aten::add", "aten::adx").getBytes(StandardCharsets.ISO_8859_1);
    final String code = new String(record("tiny.pt", CODE), StandardCharsets.UTF_8);
    assertTrue(code, code.contains("torch.add("));
    final byte[] script = code.replace("torch.add(", "torch.adx(").getBytes(StandardCharsets.UTF_8);
    for (final byte[] model : new byte[][] {with("tiny.ptl", "bytecode.pkl", other), with("tiny.pt", CODE, script)}) {
      final PyTorchException failure = (PyTorchException) Models.failure(() -> Module.loadFromBytes(model));
      assertEquals(PyTorchException.Code.MISSING_OPERATOR, failure.code());
      assertTrue(failure.getMessage(),
          failure.getMessage().matches("(?s)Following ops cannot be found: \\[aten::adx[^\\]]*\\]\\. Please check if the"
              + " operator library is included in the build\\. If built with selected ops, check if these ops are in"
              + " the list\\..*"));
    }
  }

  @Test
  public void memoryThatThereIsNot() {
    final PyTorchException failure =
        (PyTorchException) Models.failure(() -> api.runMethod("large", IValue.from(1L << 40)));
    assertEquals(failure.getMessage(), PyTorchException.Code.OUT_OF_MEMORY, failure.code());
  }

  /** A number could be released while native code looks it up, were its owner not an argument. */
  @Test
  public void nativeMethodsHaveTheOwnersOfTheirNumbers() {
    final List<String> owned = Arrays.asList("extraFiles", "run", "methods", "profile", "cancel", "isCancelled");
    int found = 0;
    for (final Method method : Natives.class.getDeclaredMethods()) {
      if (owned.contains(method.getName())) {
        found++;
        assertEquals(method.toString(), Object.class, method.getParameterTypes()[0]);
        assertEquals(method.toString(), long.class, method.getParameterTypes()[1]);
      }
    }
    assertEquals(owned.size(), found);
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
  public void closedTensorsWhoseBufferIsInUse() {
    final Tensor result = api.runMethod("double", IValue.from(floats(1, 2))).toTensor();
    final FloatBuffer buffer = (FloatBuffer) result.dataBuffer();
    result.close();
    assertFails(IllegalStateException.class, "closed", () -> api.runMethod("double", IValue.from(result)));
    assertFails(IllegalStateException.class, "closed", 
        () -> api.runMethodInto("double", new Tensor[] {result}, new RunOptions(), IValue.from(floats(1, 2))));
    assertEquals(4f, buffer.get(1), 0);
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
