package org.pytorch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;

/** The models of testdata/. */
final class Models {
  private Models() {}

  /** On an emulated machine, where everything takes far longer. */
  static final boolean IS_EMULATED = Boolean.getBoolean("wick.emulated");

  /** How often to do what is done {@code count} times in a usual run. */
  static int rounds(int count) {
    return IS_EMULATED ? Math.max(1, count / 50) : count * Integer.getInteger("wick.rounds", 1);
  }

  static Path path(String name) {
    return Paths.get(System.getProperty("wick.testdata")).resolve(name);
  }

  static Module load(String name) {
    return name.endsWith(".pt") ? Module.load(path(name).toString()) : LiteModuleLoader.load(path(name).toString());
  }

  static List<String> cases(String name) throws IOException {
    return Files.readAllLines(path(name + ".cases"), StandardCharsets.UTF_8);
  }

  /** The class and message of what the action throws. */
  static Throwable failure(Runnable action) {
    try {
      action.run();
    } catch (Throwable t) {
      return t;
    }
    throw new AssertionError("it did not fail");
  }
}
