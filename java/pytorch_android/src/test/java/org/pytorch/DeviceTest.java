package org.pytorch;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** Models that are loaded for the GPU run there when there is one, and on the processor otherwise. */
public class DeviceTest {
  private static final IValue INPUT = IValue.from(picture());

  private static Tensor picture() {
    final Random random = new Random(3);
    final float[] values = new float[2 * 3 * 16 * 20];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat();
    }
    return Tensor.fromBlob(values, new long[] {2, 3, 16, 20});
  }

  private static boolean usesGpu(Module module) {
    module.forward(INPUT);
    for (final Profile.Step step : module.profile(INPUT).steps()) {
      if (step.kind().equals("gpu")) {
        return true;
      }
    }
    return false;
  }

  private static float[] run(Module module) {
    return module.forward(INPUT).toDictStringKey().get("out").toTensor().getDataAsFloatArray();
  }

  @Test
  public void runsWhereItIsTold() throws IOException {
    assertTrue(Device.CPU.isAvailable());
    final String path = Models.path("net.ptl").toString();
    final byte[] bytes = Files.readAllBytes(Models.path("net.ptl"));
    final LoadOptions onGpu = new LoadOptions().device(Device.VULKAN);
    final List<Module> modules = List.of(Module.load(path, null, Device.VULKAN),
        LiteModuleLoader.load(path, null, Device.VULKAN), Module.load(path, onGpu), Module.loadFromBytes(bytes, onGpu));
    try (Module processor = Module.load(path)) {
      final float[] expected = run(processor);
      for (final Module module : modules) {
        assertEquals(Device.VULKAN.isAvailable(), usesGpu(module));
        assertArrayEquals(expected, run(module), 1e-4f);
        module.close();
      }
      assertFalse(usesGpu(processor));
    }
    assertThrows(NullPointerException.class, () -> new LoadOptions().device(null));
  }
}
