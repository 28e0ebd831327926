package wick.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import wick.examples.server.WickModel;
import wick.examples.spark.ModelLoader;

/** An engine, and the file it reads: a model's name and an ending. Calls keep to their thread. */
enum Engine {
  WICK("Wick", ".pt", file -> new WickModel(file, 1, 0)),
  ONNX_RUNTIME("ONNX Runtime", ".onnx", OnnxModel::new),
  DJL("DJL", ".pt", DjlModel::new);

  final String title;
  final ModelLoader loader;
  private final String ending;

  Engine(String title, String ending, ModelLoader loader) {
    this.title = title;
    this.ending = ending;
    this.loader = loader;
  }

  byte[] file(Path models, String name) throws IOException {
    return Files.readAllBytes(models.resolve(name + ending));
  }
}
