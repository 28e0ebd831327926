package wick.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import wick.examples.server.BatchModel;

/**
 * MODELS ROUNDS SECONDS: rows per second of each engine, by turns, in this virtual machine: calls of one thread, the
 * service of examples/server and the job of examples/spark. Engines whose scores differ end it.
 */
public final class Main {
  private static final int[] BATCHES = {1, 16};
  private static final Map<Integer, ByteBuffer> IMAGES = new HashMap<>();

  private final Path models;
  private final int rounds;
  private final double seconds;

  private Main(Path models, int rounds, double seconds) {
    this.models = models;
    this.rounds = rounds;
    this.seconds = seconds;
  }

  public static void main(String[] arguments) throws Exception {
    final Main main =
        new Main(Paths.get(arguments[0]), Integer.parseInt(arguments[1]), Double.parseDouble(arguments[2]));
    main.calls();
    main.services();
    main.jobs();
    System.exit(0); // threads of the engines
  }

  /** Every engine in each round, another one first each time. */
  private List<Engine> order(int round) {
    final List<Engine> order = new ArrayList<>(List.of(Engine.values()));
    Collections.rotate(order, round);
    return order;
  }

  private void calls() throws Exception {
    for (final String name : new String[] {"image", "text"}) {
      final Map<Engine, BatchModel> loaded = new EnumMap<>(Engine.class);
      for (final Engine engine : Engine.values()) {
        loaded.put(engine, engine.loader.load(engine.file(models, name)));
      }
      for (final int batch : BATCHES) {
        float[] expected = null;
        for (final Engine engine : Engine.values()) {
          final BatchModel model = loaded.get(engine);
          Meter.repeat(seconds, () -> score(model, name, batch).length);
          expected = same(expected, score(model, name, batch), engine);
        }
        for (int round = 0; round < rounds; round++) {
          for (final Engine engine : order(round)) {
            final BatchModel model = loaded.get(engine);
            Meter.measure("call " + name + " " + batch, engine, () -> Meter.repeat(seconds, () -> {
              score(model, name, batch);
              return batch;
            }));
          }
        }
      }
      loaded.values().forEach(BatchModel::close);
    }
  }

  private static float[] score(BatchModel model, String name, int batch) {
    return name.equals("image")
        ? model.score(IMAGES.computeIfAbsent(batch, Inputs::images).order(ByteOrder.nativeOrder()).asFloatBuffer(),
            Inputs.imageShape(batch))
        : model.scoreBytes(Inputs.letters(batch), new long[] {batch, Inputs.LETTERS});
  }

  private static float[] same(float[] expected, float[] found, Engine engine) {
    if (expected == null) {
      return found;
    }
    float largest = 0;
    for (final float value : expected) {
      largest = Math.max(largest, Math.abs(value));
    }
    for (int i = 0; i < expected.length; i++) {
      if (found.length != expected.length || Math.abs(found[i] - expected[i]) > 1e-3f * largest) {
        throw new IllegalStateException(engine.title + " gives other scores");
      }
    }
    return expected;
  }

  private void services() throws Exception {
    for (final String name : new String[] {"image", "text"}) {
      for (final int batch : BATCHES) {
        final ByteBuffer rows = name.equals("image") ? Inputs.images(batch) : Inputs.texts(batch);
        final long[] shape = name.equals("image") ? new long[] {3, Inputs.SIDE, Inputs.SIDE} : new long[] {Inputs.LETTERS};
        final String file = name.equals("image") ? "image" : "text_of_floats";
        final Map<Engine, Service> services = new EnumMap<>(Engine.class);
        for (final Engine engine : Engine.values()) {
          final Service service = new Service(engine.loader.load(engine.file(models, file)), shape, rows, batch);
          service.ask(seconds);
          services.put(engine, service);
        }
        for (int round = 0; round < rounds; round++) {
          for (final Engine engine : order(round)) {
            Meter.measure("server " + name + " " + batch, engine, () -> services.get(engine).ask(seconds));
          }
        }
        services.values().forEach(Service::close);
      }
    }
  }

  private void jobs() throws Exception {
    for (final int batch : BATCHES) {
      final Path folder = Files.createTempDirectory("bench");
      try (Job job = new Job(models, folder, batch)) {
        for (final Engine engine : Engine.values()) {
          job.run(engine);
          job.run(engine);
        }
        for (int round = 0; round < rounds; round++) {
          for (final Engine engine : order(round)) {
            Meter.measure("spark " + batch, engine, () -> job.run(engine));
          }
        }
      }
    }
  }
}
