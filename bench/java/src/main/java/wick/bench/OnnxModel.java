package wick.bench;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Map;
import wick.examples.server.BatchModel;

/** A model of ONNX Runtime, which may be called from several threads. */
final class OnnxModel implements BatchModel {
  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;
  private final String input;

  OnnxModel(byte[] file) {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      session = environment.createSession(file, options);
      input = session.getInputNames().iterator().next();
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public float[] score(FloatBuffer rows, long[] shape) {
    try {
      return run(OnnxTensor.createTensor(environment, rows, shape)); // a direct buffer is not copied
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public float[] scoreBytes(byte[] rows, long[] shape) {
    try {
      final ByteBuffer bytes = ByteBuffer.allocateDirect(rows.length).put(rows).flip();
      return run(OnnxTensor.createTensor(environment, bytes, shape, OnnxJavaType.UINT8));
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }

  private float[] run(OnnxTensor rows) throws OrtException {
    try (rows; OrtSession.Result result = session.run(Map.of(input, rows))) {
      final FloatBuffer scores = ((OnnxTensor) result.get(0)).getFloatBuffer();
      final float[] copy = new float[scores.remaining()];
      scores.get(copy);
      return copy;
    }
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }
}
