package wick.examples.spark;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import wick.examples.server.BatchModel;

/** The models of this executor: each is loaded by the first task that needs it, and stays. */
final class ExecutorModels {
  private static final ConcurrentHashMap<String, BatchModel> MODELS = new ConcurrentHashMap<>();

  private ExecutorModels() {}

  static BatchModel get(String name, Supplier<BatchModel> load) {
    return MODELS.computeIfAbsent(name, key -> load.get());
  }

  /** Frees the models of a job whose name they begin with; no task of it may be running. */
  static void release(String job) {
    MODELS.keySet().stream().filter(name -> name.startsWith(job)).forEach(name -> {
      final BatchModel model = MODELS.remove(name);
      if (model != null) {
        model.close();
      }
    });
  }
}
