package wick.examples.spark;

import java.io.Serializable;
import wick.examples.server.BatchModel;
import wick.examples.server.WickModel;

/** Makes a model of its file's bytes, on an executor. */
@FunctionalInterface
public interface ModelLoader extends Serializable {
  BatchModel load(byte[] file);

  /** Tasks run side by side: each call keeps to its thread. */
  ModelLoader WICK = file -> new WickModel(file, 1, 0);
}
