package org.pytorch.demo.vision;

import android.media.Image;
import android.os.Bundle;
import android.os.SystemClock;
import android.util.Size;
import android.view.TextureView;
import android.view.ViewGroup;
import android.widget.TextView;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.pytorch.Device;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;
import org.pytorch.demo.R;
import org.pytorch.demo.ResultRow;
import org.pytorch.demo.shared.Assets;
import org.pytorch.demo.shared.CameraActivity;
import org.pytorch.demo.shared.TopK;
import org.pytorch.torchvision.TensorImageUtils;

/** Classifies what the camera sees. */
public class ImageClassificationActivity extends CameraActivity<ImageClassificationActivity.AnalysisResult> {
  public static final String INTENT_MODULE_ASSET_NAME = "INTENT_MODULE_ASSET_NAME";
  private static final int SIDE = 224;
  private static final int TOP_K = 3;
  private static final int AVERAGED = 10;
  private static final String LABELS = "labels.txt"; // stored in the model's file

  static final class AnalysisResult {
    final String[] classes;
    final float[] scores;
    final long forwardMillis;
    final long analysisMillis;

    AnalysisResult(String[] classes, float[] scores, long forwardMillis, long analysisMillis) {
      this.classes = classes;
      this.scores = scores;
      this.forwardMillis = forwardMillis;
      this.analysisMillis = analysisMillis;
    }
  }

  private final ResultRow[] rows = new ResultRow[TOP_K];
  private final MovingAverage average = new MovingAverage(AVERAGED);
  // Made with the first frame, on its thread, and filled anew for every frame.
  private Module module;
  private String[] labels;
  private FloatBuffer inputBuffer;
  private Tensor input;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    setContentView(R.layout.activity_image_classification);
    final ViewGroup results = findViewById(R.id.results);
    for (int i = 0; i < TOP_K; i++) {
      rows[i] = new ResultRow(results);
    }
  }

  @Override
  protected void onDestroy() {
    if (module != null) {
      module.destroy();
    }
    super.onDestroy();
  }

  @Override
  protected TextureView preview() {
    return findViewById(R.id.preview);
  }

  @Override
  protected Size frameSize() {
    return new Size(640, 480);
  }

  @Override
  protected String refusal() {
    return "You can't use image classification example without granting CAMERA permission";
  }

  @Override
  protected AnalysisResult analyze(Image image, int rotationDegrees) throws IOException {
    final long start = SystemClock.elapsedRealtime();
    if (module == null) {
      load();
    }
    TensorImageUtils.imageYUV420CenterCropToFloatBuffer(image, rotationDegrees, SIDE, SIDE,
        TensorImageUtils.TORCHVISION_NORM_MEAN_RGB, TensorImageUtils.TORCHVISION_NORM_STD_RGB, inputBuffer, 0);
    final long forwardStart = SystemClock.elapsedRealtime();
    final float[] scores = module.forward(IValue.from(input)).toTensor().getDataAsFloatArray();
    final long forwardMillis = SystemClock.elapsedRealtime() - forwardStart;
    final int[] best = TopK.of(scores, TOP_K);
    final String[] classes = new String[TOP_K];
    final float[] bestScores = new float[TOP_K];
    for (int i = 0; i < TOP_K && best[i] >= 0; i++) {
      classes[i] = best[i] < labels.length && !labels[best[i]].isEmpty() ? labels[best[i]] : "class " + best[i];
      bestScores[i] = scores[best[i]];
    }
    return new AnalysisResult(classes, bestScores, forwardMillis, SystemClock.elapsedRealtime() - start);
  }

  private void load() throws IOException {
    final String asset = getIntent().getStringExtra(INTENT_MODULE_ASSET_NAME);
    final Map<String, String> stored = new HashMap<>();
    stored.put(LABELS, "");
    module = Module.load(Assets.filePath(this, asset == null ? "resnet18.pt" : asset), stored, Device.CPU);
    labels = stored.get(LABELS).split("\n");
    inputBuffer = Tensor.allocateFloatBuffer(3 * SIDE * SIDE);
    input = Tensor.fromBlob(inputBuffer, new long[] {1, 3, SIDE, SIDE});
  }

  @Override
  protected void show(AnalysisResult result) {
    for (int i = 0; i < TOP_K; i++) {
      if (result.classes[i] != null) {
        rows[i].set(result.classes[i], result.scores[i]);
      }
    }
    average.add(result.forwardMillis);
    set(R.id.milliseconds, String.format(Locale.US, "%dms", result.forwardMillis));
    set(R.id.frames, String.format(Locale.US, "%.1fFPS", 1000.0 / Math.max(1, result.analysisMillis)));
    if (average.isFull()) {
      set(R.id.average, String.format(Locale.US, "avg:%.0fms", average.value()));
    }
  }

  private void set(int view, String text) {
    this.<TextView>findViewById(view).setText(text);
  }
}
