package org.pytorch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** Apps load the library by its names, before and after the classes do. */
public class LibraryNamesTest {
  private static void load(String name) {
    System.load(System.getProperty("wick.library.path") + "/" + System.mapLibraryName(name));
  }

  @Test
  public void everyName() {
    load("pytorch_jni_lite");
    assertEquals(0, Natives.liveHandles());
    try (Module module = LiteModuleLoader.load(Models.path("tiny.ptl").toString())) {
      load("pytorch_jni");
      assertEquals("forward", module.methods().get(0).name());
      load("pytorch_jni_lite");
      assertTrue(Natives.liveHandles() > 0);
    }
  }
}
