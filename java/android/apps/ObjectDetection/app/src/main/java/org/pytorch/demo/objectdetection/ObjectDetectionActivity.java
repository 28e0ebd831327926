package org.pytorch.demo.objectdetection;

import android.media.Image;
import android.os.Bundle;
import android.util.Size;
import android.view.TextureView;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.List;
import org.pytorch.Tensor;
import org.pytorch.demo.shared.Assets;
import org.pytorch.demo.shared.CameraActivity;
import org.pytorch.torchvision.TensorImageUtils;

/** Finds objects in what the camera sees: in the middle square of its frames. */
public class ObjectDetectionActivity extends CameraActivity<List<Result>> {
  private final FloatBuffer pixels = Tensor.allocateFloatBuffer(3 * Detector.SIDE * Detector.SIDE);
  private final Tensor input = Tensor.fromBlob(pixels, new long[] {1, 3, Detector.SIDE, Detector.SIDE});
  private Detector detector; // made with the first frame, on its thread
  private List<String> names;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    setContentView(R.layout.activity_object_detection);
  }

  @Override
  protected void onDestroy() {
    if (detector != null) {
      detector.close();
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
    return "You can't use object detection example without granting CAMERA permission";
  }

  @Override
  protected List<Result> analyze(Image image, int rotationDegrees) throws IOException {
    if (detector == null) {
      names = Assets.lines(this, "classes.txt");
      detector = new Detector(this);
    }
    TensorImageUtils.imageYUV420CenterCropToFloatBuffer(image, rotationDegrees, Detector.SIDE, Detector.SIDE,
        Detector.NO_MEAN_RGB, Detector.NO_STD_RGB, pixels, 0);
    return detector.detect(input, 1, 1);
  }

  @Override
  protected void show(List<Result> results) {
    this.<ResultView>findViewById(R.id.resultView).show(results, names, Detector.SIDE, Detector.SIDE);
  }
}
