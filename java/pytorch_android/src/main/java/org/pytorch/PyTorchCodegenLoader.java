package org.pytorch;

/** Loads operators that an app has generated, from the library {@code torch-code-gen}, when it exists. */
public class PyTorchCodegenLoader {
  private PyTorchCodegenLoader() {}

  /** Loads the library; most apps have none, which is no failure. */
  public static void loadNativeLibs() {
    try {
      NativeLibraries.loadByName("torch-code-gen");
    } catch (Throwable t) {
      // An app without generated operators.
    }
  }
}
