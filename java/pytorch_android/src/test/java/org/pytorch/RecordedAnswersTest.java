package org.pytorch;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import org.junit.Test;

/** Every recorded call, from both kinds of files and by both loaders, gives what PyTorch gave. */
public class RecordedAnswersTest {
  private static int run(String name, String file, double tolerance) throws IOException {
    int calls = 0;
    try (Module module = Models.load(file)) {
      for (final String line : Models.cases(name)) {
        final String[] parts = line.split("\t", -1);
        final IValue[] expected = Values.parse(parts[2]);
        assertEquals(line, 1, expected.length);
        final String where = file + " " + parts[0] + "(" + parts[1] + ")";
        Values.assertSame(where, expected[0], module.runMethod(parts[0], Values.parse(parts[1])), tolerance);
        calls++;
      }
    }
    return calls;
  }

  @Test
  public void valuesOfAllTypes() throws IOException {
    assertEquals(225, run("api", "api.pt", 0));
    assertEquals(225, run("api", "api.ptl", 0));
  }

  @Test
  public void aNetWithConvolutionsAndLstm() throws IOException {
    assertEquals(2, run("net", "net.pt", 1e-5));
    assertEquals(2, run("net", "net.ptl", 1e-5));
  }

  @Test
  public void repeatedCallsOfOneShape() throws IOException {
    try (Module module = Models.load("net.ptl")) {
      final String[] parts = Models.cases("net").get(0).split("\t", -1);
      for (int i = 0; i < 20; i++) {
        Values.assertSame("call " + i, Values.parse(parts[2])[0], module.forward(Values.parse(parts[1])), 1e-5);
      }
    }
  }

  @Test
  public void theOtherLoaderForEachFile() throws IOException {
    try (Module lite = LiteModuleLoader.load(Models.path("tiny.pt").toString());
         Module full = Module.load(Models.path("tiny.ptl").toString(), null, Device.VULKAN)) {
      final String[] parts = Models.cases("tiny").get(0).split("\t", -1);
      Values.assertSame("lite", Values.parse(parts[2])[0], lite.forward(Values.parse(parts[1])), 0);
      Values.assertSame("full", Values.parse(parts[2])[0], full.forward(Values.parse(parts[1])), 0);
    }
  }

  @Test
  public void flatbufferFiles() {
    final String data = Models.path("../../tests/data/lite/arithmetic").normalize().toString();
    try (Module zip = Module.load(data + ".ptl"); Module flat = Module.load(data + ".ff")) {
      assertEquals(zip.methods().toString().isEmpty(), flat.methods().toString().isEmpty());
      assertEquals(zip.methods().size(), flat.methods().size());
    }
  }
}
