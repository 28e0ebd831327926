package org.pytorch.demo.objectdetection;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.Manifest;
import android.content.Intent;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Rect;
import android.net.Uri;
import android.os.Looper;
import android.view.View;
import android.widget.Button;
import java.io.FileInputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.pytorch.demo.shared.Frames;
import org.pytorch.Tensor;
import org.pytorch.torchvision.TensorImageUtils;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import wick.apps.App;
import wick.apps.AppRunner;
import wick.apps.Frame;
import wick.apps.Screen;

@RunWith(AppRunner.class)
@App("ObjectDetection")
public class MainActivityTest {
  private static final String ASSETS =
      System.getProperty("wick.apps.sources") + "/ObjectDetection/app/src/main/assets/";

  private static List<Result> detect(MainActivity activity) throws InterruptedException {
    final Button button = activity.findViewById(R.id.detectButton);
    Screen.click(activity, R.id.detectButton);
    Screen.await("the button is back", button::isEnabled);
    return activity.<ResultView>findViewById(R.id.resultView).results();
  }

  private static Set<Integer> labels(List<Result> results) {
    final Set<Integer> labels = new TreeSet<>();
    for (final Result result : results) {
      labels.add(result.label);
    }
    return labels;
  }

  private static int count(Bitmap bitmap, int color) {
    int count = 0;
    for (int y = 0; y < bitmap.getHeight(); y++) {
      for (int x = 0; x < bitmap.getWidth(); x++) {
        count += bitmap.getPixel(x, y) == color ? 1 : 0;
      }
    }
    return count;
  }

  @Test
  public void findsTheShapesOfTheTestPictures() throws InterruptedException {
    try (ActivityController<MainActivity> controller = Robolectric.buildActivity(MainActivity.class).setup()) {
      final MainActivity activity = controller.get();
      for (int picture = 1; picture <= 3; picture++) {
        assertEquals("Test Image " + picture + "/3", Screen.text(activity, R.id.testButton));
        final Bitmap shown = Screen.picture(activity, R.id.imageView);
        final List<Result> found = detect(activity);
        if (picture == 1) {
          assertTrue("the square is found", found.stream().anyMatch(r -> r.label == 1 && r.box.contains(137, 122)));
        }
        for (final Result result : found) {
          assertTrue(result.box.toString(), Rect.intersects(result.box, new Rect(0, 0, shown.getWidth(), shown.getHeight())));
          assertTrue(result.score > 0.3f && result.score <= 1);
        }
        Screen.click(activity, R.id.testButton);
        assertTrue(activity.<ResultView>findViewById(R.id.resultView).results().isEmpty());
      }
    }
  }

  @Test
  public void drawsBoxes() throws InterruptedException {
    try (ActivityController<MainActivity> controller = Robolectric.buildActivity(MainActivity.class).setup()) {
      final MainActivity activity = controller.get();
      assertFalse(detect(activity).isEmpty());
      final View view = activity.findViewById(R.id.resultView);
      final Bitmap drawn = Bitmap.createBitmap(view.getWidth(), view.getHeight(), Bitmap.Config.ARGB_8888);
      view.draw(new Canvas(drawn));
      assertTrue(count(drawn, Color.YELLOW) > 100);
      assertTrue(count(drawn, Color.MAGENTA) > 1000);
    }
  }

  @Test
  public void takesSelectedPictures() throws Exception {
    try (ActivityController<MainActivity> controller = Robolectric.buildActivity(MainActivity.class).setup()) {
      final MainActivity activity = controller.get();
      Screen.click(activity, R.id.selectButton);
      final Intent asked = shadowOf(activity).getNextStartedActivityForResult().intent;
      assertEquals("image/*", asked.getType());
      final Uri uri = Uri.parse("content://pictures/2");
      shadowOf(RuntimeEnvironment.getApplication().getContentResolver())
          .registerInputStream(uri, new FileInputStream(ASSETS + "test2.jpg"));
      shadowOf(activity).receiveResult(asked, MainActivity.RESULT_OK, new Intent().setData(uri));
      assertEquals(360, Screen.picture(activity, R.id.imageView).getWidth());
      assertEquals(Collections.singleton(1), labels(detect(activity))); // a square, as models/detection.py has drawn
    }
  }

  @Test
  public void looksThroughTheCamera() {
    shadowOf(RuntimeEnvironment.getApplication()).grantPermissions(Manifest.permission.CAMERA);
    try (ActivityController<MainActivity> controller = Robolectric.buildActivity(MainActivity.class).setup()) {
      Screen.click(controller.get(), R.id.liveButton);
      assertEquals(ObjectDetectionActivity.class.getName(),
          shadowOf(controller.get()).getNextStartedActivity().getComponent().getClassName());
    }
    try (ActivityController<ObjectDetectionActivity> controller =
            Robolectric.buildActivity(ObjectDetectionActivity.class).setup()) {
      final Bitmap picture = android.graphics.BitmapFactory.decodeFile(ASSETS + "test1.png");
      Frames.give(controller.get(), new Frame(picture, 90), 90);
      shadowOf(Looper.getMainLooper()).idle();
      final Tensor square = TensorImageUtils.imageYUV420CenterCropToFloat32Tensor(
          new Frame(picture, 90), 90, Detector.SIDE, Detector.SIDE, Detector.NO_MEAN_RGB, Detector.NO_STD_RGB);
      try (Detector detector = new Detector(controller.get())) {
        assertEquals(labels(detector.detect(square, 1, 1)),
            labels(controller.get().<ResultView>findViewById(R.id.resultView).results()));
      }
    }
  }

  @Test
  public void keepsTheSurestOfBoxesThatLieOnEachOther() {
    final Result sure = new Result(0, 0.9f, new Rect(0, 0, 100, 100));
    final Result less = new Result(1, 0.8f, new Rect(5, 5, 105, 105));
    final Result other = new Result(2, 0.4f, new Rect(200, 0, 260, 50));
    assertEquals(Arrays.asList(sure, other), Detector.best(Arrays.asList(less, other, sure)));
    assertEquals(0, Detector.overlap(new Rect(0, 0, 0, 0), new Rect(0, 0, 0, 0)), 0);
    assertEquals(1.0 / 3, Detector.overlap(new Rect(0, 0, 2, 1), new Rect(1, 0, 3, 1)), 1e-6);
  }
}
