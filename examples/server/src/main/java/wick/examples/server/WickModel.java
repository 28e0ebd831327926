package wick.examples.server;

import java.nio.FloatBuffer;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.PyTorchException;
import org.pytorch.RunOptions;
import org.pytorch.Tensor;

/** A TorchScript or lite-interpreter file. */
public final class WickModel implements BatchModel {
  private final Module module;
  private final long timeoutMillis;

  /**
   * @param threads that a call may use; services that run several calls at once do best with 1
   * @param timeoutMillis after which a call ends with a {@link PyTorchException}; 0: never
   */
  public WickModel(byte[] file, int threads, long timeoutMillis) {
    module = Module.loadFromBytes(file);
    module.setNumThreads(threads);
    this.timeoutMillis = timeoutMillis;
  }

  @Override
  public float[] score(FloatBuffer rows, long[] shape) {
    return run(Tensor.fromBlob(rows, shape));
  }

  @Override
  public float[] scoreBytes(byte[] rows, long[] shape) {
    return run(Tensor.fromBlobUnsigned(rows, shape));
  }

  private float[] run(Tensor input) {
    final RunOptions options = new RunOptions().timeoutMillis(timeoutMillis);
    try (Tensor scores = module.forward(options, IValue.from(input)).toTensor()) {
      return scores.getDataAsFloatArray();
    }
  }

  @Override
  public void close() {
    module.close();
  }
}
