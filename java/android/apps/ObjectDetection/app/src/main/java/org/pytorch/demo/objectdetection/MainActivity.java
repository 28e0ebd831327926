package org.pytorch.demo.objectdetection;

import android.app.Activity;
import android.content.Intent;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.os.Bundle;
import android.util.Log;
import android.view.View;
import android.widget.Button;
import android.widget.ImageView;
import android.widget.Toast;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.List;
import org.pytorch.demo.shared.Assets;

/** Finds objects in pictures that come with the app or are selected. */
public class MainActivity extends Activity {
  private static final String TAG = "ObjectDetection";
  private static final String[] PICTURES = {"test1.png", "test2.jpg", "test3.png"};
  private static final int SELECT = 1;

  private ImageView imageView;
  private ResultView resultView;
  private View progressBar;
  private Button detectButton;
  private Button testButton;
  private Bitmap bitmap;
  private Detector detector;
  private List<String> names;
  private int picture;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    setContentView(R.layout.activity_main);
    imageView = findViewById(R.id.imageView);
    resultView = findViewById(R.id.resultView);
    progressBar = findViewById(R.id.progressBar);
    detectButton = findViewById(R.id.detectButton);
    testButton = findViewById(R.id.testButton);
    try {
      names = Assets.lines(this, "classes.txt");
      showTestPicture(0);
    } catch (IOException e) {
      Log.e(TAG, "Error reading assets", e);
      finish();
      return;
    }
    detector = new Detector(this);
    testButton.setOnClickListener(view -> {
      try {
        showTestPicture((picture + 1) % PICTURES.length);
      } catch (IOException e) {
        Log.e(TAG, "Error reading assets", e);
      }
    });
    findViewById(R.id.selectButton).setOnClickListener(view -> startActivityForResult(
        new Intent(Intent.ACTION_GET_CONTENT).setType("image/*").addCategory(Intent.CATEGORY_OPENABLE), SELECT));
    findViewById(R.id.liveButton)
        .setOnClickListener(view -> startActivity(new Intent(this, ObjectDetectionActivity.class)));
    detectButton.setOnClickListener(view -> detect());
  }

  @Override
  protected void onDestroy() {
    if (detector != null) {
      detector.close();
    }
    super.onDestroy();
  }

  @Override
  protected void onActivityResult(int request, int result, Intent data) {
    super.onActivityResult(request, result, data);
    if (request != SELECT || result != RESULT_OK || data == null || data.getData() == null) {
      return;
    }
    try (InputStream in = getContentResolver().openInputStream(data.getData())) {
      final Bitmap selected = BitmapFactory.decodeStream(in);
      if (selected == null) {
        throw new IOException("this is not a picture");
      }
      show(selected);
    } catch (IOException e) {
      Toast.makeText(this, e.getMessage(), Toast.LENGTH_LONG).show();
    }
  }

  private void showTestPicture(int index) throws IOException {
    show(Assets.bitmap(this, PICTURES[index]));
    picture = index;
    testButton.setText(getString(R.string.test_image, index + 1));
  }

  private void show(Bitmap shown) {
    bitmap = shown;
    imageView.setImageBitmap(shown);
    resultView.clear();
  }

  private void detect() {
    detectButton.setEnabled(false);
    detectButton.setText(R.string.running);
    progressBar.setVisibility(View.VISIBLE);
    final Bitmap source = bitmap;
    new Thread(() -> {
      List<Result> found = Collections.emptyList();
      try {
        found = detector.detect(source);
      } catch (RuntimeException e) {
        Log.e(TAG, "The model failed", e);
        runOnUiThread(() -> Toast.makeText(this, e.getMessage(), Toast.LENGTH_LONG).show());
      }
      final List<Result> results = found;
      runOnUiThread(() -> finished(source, results));
    }, "detection").start();
  }

  private void finished(Bitmap source, List<Result> results) {
    detectButton.setEnabled(true);
    detectButton.setText(R.string.detect);
    progressBar.setVisibility(View.INVISIBLE);
    if (source == bitmap) {
      resultView.show(results, names, source.getWidth(), source.getHeight());
    }
  }
}
