package org.pytorch;

/** Prints what a call costs: {@code java -cp ... org.pytorch.OverheadBenchmark}. */
public final class OverheadBenchmark {
  private OverheadBenchmark() {}

  private static void measure(String name, Runnable call) {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < 20; round++) {
      final int calls = 20_000;
      final long start = System.nanoTime();
      for (int i = 0; i < calls; i++) {
        call.run();
      }
      best = Math.min(best, (System.nanoTime() - start) / 1e3 / calls);
    }
    System.out.printf("%-32s %6.2f us%n", name, best);
  }

  public static void main(String[] args) {
    PyTorchAndroid.setNumThreads(1);
    final Module tiny = Models.load("tiny.ptl");
    final Module api = Models.load("api.ptl");
    final Tensor four = Tensor.fromBlob(new float[4], new long[] {4});
    final IValue input = IValue.from(four);
    final Tensor output = Tensor.fromBlob(Tensor.allocateFloatBuffer(4), new long[] {4});
    final IValue one = IValue.from(1);
    measure("forward, x + 1", () -> tiny.forward(input));
    measure("forward, x + 1, result closed", () -> tiny.forward(input).toTensor().close());
    measure("forwardInto, x + 1", () -> tiny.forwardInto(output, input));
    measure("the same tensor", () -> api.runMethod("same_tensor", input));
    measure("the same int", () -> api.runMethod("same_int", one));
  }
}
