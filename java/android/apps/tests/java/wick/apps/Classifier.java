package wick.apps;

import java.util.HashMap;
import java.util.Map;
import org.pytorch.Device;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;

/** What a classifier says of a picture, without an app around it. */
public final class Classifier {
  private Classifier() {}

  /** The label of the best score, by a model below the folder of the apps. */
  public static String label(String model, Tensor picture) {
    final Map<String, String> stored = new HashMap<>();
    stored.put("labels.txt", "");
    final String path = System.getProperty("wick.apps.sources") + "/" + model;
    try (Module module = Module.load(path, stored, Device.CPU)) {
      final float[] scores = module.forward(IValue.from(picture)).toTensor().getDataAsFloatArray();
      int best = 0;
      for (int i = 1; i < scores.length; i++) {
        best = scores[i] > scores[best] ? i : best;
      }
      return stored.get("labels.txt").split("\n")[best];
    }
  }
}
