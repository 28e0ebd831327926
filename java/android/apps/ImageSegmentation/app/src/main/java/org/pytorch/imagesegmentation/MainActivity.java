package org.pytorch.imagesegmentation;

import android.app.Activity;
import android.graphics.Bitmap;
import android.os.Bundle;
import android.os.SystemClock;
import android.util.Log;
import android.view.View;
import android.widget.Button;
import android.widget.ImageView;
import android.widget.ProgressBar;
import android.widget.Toast;
import java.io.IOException;
import java.util.Map;
import org.pytorch.IValue;
import org.pytorch.LiteModuleLoader;
import org.pytorch.Module;
import org.pytorch.Tensor;
import org.pytorch.demo.shared.Assets;
import org.pytorch.torchvision.TensorImageUtils;

/** Shows a picture and, with a tap, the classes of its pixels. */
public class MainActivity extends Activity {
  private static final String TAG = "ImageSegmentation";
  private static final String[] PICTURES = {"deeplab.jpg", "dog.jpg"};

  private ImageView imageView;
  private Button segmentButton;
  private ProgressBar progressBar;
  private Bitmap bitmap;
  private Module module;
  private int picture;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    setContentView(R.layout.activity_main);
    imageView = findViewById(R.id.imageView);
    segmentButton = findViewById(R.id.segmentButton);
    progressBar = findViewById(R.id.progressBar);
    try {
      showPicture(0);
      module = LiteModuleLoader.load(Assets.filePath(this, "deeplabv3_scripted_optimized.ptl"));
    } catch (IOException e) {
      Log.e(TAG, "Error reading assets", e);
      finish();
      return;
    }
    findViewById(R.id.restartButton).setOnClickListener(view -> restart());
    segmentButton.setOnClickListener(view -> segment());
  }

  @Override
  protected void onDestroy() {
    if (module != null) {
      module.destroy();
    }
    super.onDestroy();
  }

  private void showPicture(int index) throws IOException {
    bitmap = Assets.bitmap(this, PICTURES[index]);
    picture = index;
    imageView.setImageBitmap(bitmap);
  }

  private void restart() {
    try {
      showPicture((picture + 1) % PICTURES.length);
    } catch (IOException e) {
      Log.e(TAG, "Error reading assets", e);
      finish();
    }
  }

  private void segment() {
    segmentButton.setEnabled(false);
    segmentButton.setText(R.string.running);
    progressBar.setVisibility(View.VISIBLE);
    final Bitmap source = bitmap;
    new Thread(() -> {
      try {
        final Bitmap mask = maskOf(source);
        runOnUiThread(() -> finished(mask));
      } catch (RuntimeException e) {
        Log.e(TAG, "The model failed", e);
        runOnUiThread(() -> {
          Toast.makeText(this, e.getMessage(), Toast.LENGTH_LONG).show();
          finished(source);
        });
      }
    }, "segmentation").start();
  }

  private Bitmap maskOf(Bitmap source) {
    final Tensor input = TensorImageUtils.bitmapToFloat32Tensor(source,
        TensorImageUtils.TORCHVISION_NORM_MEAN_RGB, TensorImageUtils.TORCHVISION_NORM_STD_RGB);
    final long start = SystemClock.elapsedRealtime();
    final Map<String, IValue> outputs = module.forward(IValue.from(input)).toDictStringKey();
    Log.d(TAG, "inference time (ms): " + (SystemClock.elapsedRealtime() - start));
    final int width = source.getWidth();
    final int height = source.getHeight();
    final float[] scores = outputs.get("out").toTensor().getDataAsFloatArray();
    final Bitmap mask = source.copy(Bitmap.Config.ARGB_8888, true);
    mask.setPixels(Mask.colors(scores, width, height), 0, width, 0, 0, width, height);
    return mask;
  }

  private void finished(Bitmap shown) {
    imageView.setImageBitmap(shown);
    segmentButton.setEnabled(true);
    segmentButton.setText(R.string.segment);
    progressBar.setVisibility(View.INVISIBLE);
  }
}
