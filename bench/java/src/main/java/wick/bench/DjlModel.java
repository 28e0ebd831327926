package wick.bench;

import ai.djl.MalformedModelException;
import ai.djl.Model;
import ai.djl.inference.Predictor;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.translate.NoopTranslator;
import ai.djl.translate.TranslateException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import wick.examples.server.BatchModel;

/** A model of DJL, in PyTorch; each thread has its own predictor, as DJL recommends. */
final class DjlModel implements BatchModel {
  private final Model model = Model.newInstance("model", "PyTorch");
  private final ThreadLocal<Predictor<NDList, NDList>> predictor =
      ThreadLocal.withInitial(() -> model.newPredictor(new NoopTranslator()));

  DjlModel(byte[] file) {
    try {
      model.load(new ByteArrayInputStream(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (MalformedModelException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public float[] score(FloatBuffer rows, long[] shape) {
    return run(rows, shape, DataType.FLOAT32);
  }

  @Override
  public float[] scoreBytes(byte[] rows, long[] shape) {
    return run(ByteBuffer.wrap(rows), shape, DataType.UINT8);
  }

  private float[] run(Buffer rows, long[] shape, DataType type) {
    try (NDManager manager = model.getNDManager().newSubManager()) {
      final NDArray input = manager.create(rows, new Shape(shape), type);
      final NDList scores = predictor.get().predict(new NDList(input));
      try (scores) {
        return scores.singletonOrThrow().toFloatArray();
      }
    } catch (TranslateException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    model.close();
  }
}
