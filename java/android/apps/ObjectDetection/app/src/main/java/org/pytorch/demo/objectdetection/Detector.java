package org.pytorch.demo.objectdetection;

import android.content.Context;
import android.graphics.Bitmap;
import android.graphics.Rect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.pytorch.IValue;
import org.pytorch.LiteModuleLoader;
import org.pytorch.Module;
import org.pytorch.Tensor;
import org.pytorch.torchvision.TensorImageUtils;

/** YOLOv5: a picture's tensor to boxes. */
final class Detector implements AutoCloseable {
  static final int SIDE = 640; // of the pictures it takes
  static final float[] NO_MEAN_RGB = {0, 0, 0};
  static final float[] NO_STD_RGB = {1, 1, 1};
  private static final int COLUMNS = 85; // center, size, objectness, 80 classes
  private static final float THRESHOLD = 0.30f;
  private static final float OVERLAP = 0.30f;
  private static final int LIMIT = 15;

  private final Module module;

  Detector(Context context) {
    module = LiteModuleLoader.loadModuleFromAsset(context.getAssets(), "yolov5s.torchscript.ptl");
  }

  /** The objects of a picture, with boxes in its pixels. */
  List<Result> detect(Bitmap bitmap) {
    final Bitmap scaled = Bitmap.createScaledBitmap(bitmap, SIDE, SIDE, true);
    final Tensor input = TensorImageUtils.bitmapToFloat32Tensor(scaled, NO_MEAN_RGB, NO_STD_RGB);
    return detect(input, (float) bitmap.getWidth() / SIDE, (float) bitmap.getHeight() / SIDE);
  }

  /** The objects of a picture of 640 x 640 pixels, with boxes in those times {@code scaleX} and {@code scaleY}. */
  List<Result> detect(Tensor picture, float scaleX, float scaleY) {
    final float[] rows = module.forward(IValue.from(picture)).toTuple()[0].toTensor().getDataAsFloatArray();
    final List<Result> found = new ArrayList<>();
    for (int row = 0; row + COLUMNS <= rows.length; row += COLUMNS) {
      if (rows[row + 4] > THRESHOLD) {
        found.add(result(rows, row, scaleX, scaleY));
      }
    }
    return best(found);
  }

  @Override
  public void close() {
    module.close();
  }

  private static Result result(float[] rows, int row, float scaleX, float scaleY) {
    int label = 0;
    for (int i = 1; i < COLUMNS - 5; i++) {
      if (rows[row + 5 + i] > rows[row + 5 + label]) {
        label = i;
      }
    }
    final float x = rows[row];
    final float y = rows[row + 1];
    final float halfWidth = rows[row + 2] / 2;
    final float halfHeight = rows[row + 3] / 2;
    final Rect box = new Rect((int) (scaleX * (x - halfWidth)), (int) (scaleY * (y - halfHeight)),
        (int) (scaleX * (x + halfWidth)), (int) (scaleY * (y + halfHeight)));
    return new Result(label, rows[row + 4], box);
  }

  /** The surest ones, without those that lie on surer ones. */
  static List<Result> best(List<Result> found) {
    final List<Result> sorted = new ArrayList<>(found);
    Collections.sort(sorted, (a, b) -> Float.compare(b.score, a.score));
    final List<Result> kept = new ArrayList<>();
    for (final Result candidate : sorted) {
      boolean lies = false;
      for (final Result surer : kept) {
        lies |= overlap(candidate.box, surer.box) > OVERLAP;
      }
      if (!lies) {
        kept.add(candidate);
        if (kept.size() == LIMIT) {
          break;
        }
      }
    }
    return kept;
  }

  /** What two boxes share of what they cover. */
  static float overlap(Rect a, Rect b) {
    final float shared = (float) Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left))
        * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
    final float all = (float) a.width() * a.height() + (float) b.width() * b.height() - shared;
    return all <= 0 ? 0 : shared / all;
  }
}
