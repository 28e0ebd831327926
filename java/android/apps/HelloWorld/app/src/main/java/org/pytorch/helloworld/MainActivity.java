package org.pytorch.helloworld;

import android.app.Activity;
import android.graphics.Bitmap;
import android.os.Bundle;
import android.util.Log;
import android.widget.ImageView;
import android.widget.TextView;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.pytorch.Device;
import org.pytorch.IValue;
import org.pytorch.LiteModuleLoader;
import org.pytorch.MemoryFormat;
import org.pytorch.Module;
import org.pytorch.Tensor;
import org.pytorch.demo.shared.Assets;
import org.pytorch.torchvision.TensorImageUtils;

/** Tells what a picture shows. */
public class MainActivity extends Activity {
  private static final String LABELS = "labels.txt"; // stored in the model's file

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    setContentView(R.layout.activity_main);
    try {
      final Bitmap bitmap = Assets.bitmap(this, "image.jpg");
      final ImageView image = findViewById(R.id.image);
      image.setImageBitmap(bitmap);
      final TextView text = findViewById(R.id.text);
      text.setText(classify(bitmap, Assets.filePath(this, "model.pt")));
    } catch (IOException e) {
      Log.e("PytorchHelloWorld", "Error reading assets", e);
      finish();
    }
  }

  private static String classify(Bitmap bitmap, String model) {
    final Map<String, String> stored = new HashMap<>();
    stored.put(LABELS, "");
    final Module module = LiteModuleLoader.load(model, stored, Device.CPU);
    final Tensor input = TensorImageUtils.bitmapToFloat32Tensor(bitmap, TensorImageUtils.TORCHVISION_NORM_MEAN_RGB,
        TensorImageUtils.TORCHVISION_NORM_STD_RGB, MemoryFormat.CHANNELS_LAST);
    final float[] scores = module.forward(IValue.from(input)).toTensor().getDataAsFloatArray();
    module.destroy();
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      if (scores[i] > scores[best]) {
        best = i;
      }
    }
    final String[] labels = stored.get(LABELS).split("\n");
    return best < labels.length && !labels[best].isEmpty() ? labels[best] : "class " + best;
  }
}
