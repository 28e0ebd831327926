package org.pytorch;

/** The native side of a {@link Module}. */
interface INativePeer {
  /** Frees the native module; running calls finish. */
  void resetNative();

  IValue forward(IValue... inputs);

  IValue runMethod(String methodName, IValue... inputs);

  /** What native code finds the module by. */
  long handle();
}
