package org.pytorch.demo.vision;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.Manifest;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.os.Looper;
import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;
import java.time.Duration;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.pytorch.demo.R;
import org.pytorch.demo.shared.Frames;
import org.pytorch.torchvision.TensorImageUtils;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.shadows.ShadowDialog;
import org.robolectric.shadows.ShadowSystemClock;
import org.robolectric.shadows.ShadowToast;
import wick.apps.App;
import wick.apps.AppRunner;
import wick.apps.Classifier;
import wick.apps.Frame;
import wick.apps.Screen;

@RunWith(AppRunner.class)
@App("PyTorchDemo")
public class ImageClassificationActivityTest {
  private static Bitmap picture() {
    return BitmapFactory.decodeFile(
        System.getProperty("wick.apps.sources") + "/HelloWorld/app/src/main/assets/image.jpg");
  }

  @Before
  public void allowCamera() {
    shadowOf(RuntimeEnvironment.getApplication()).grantPermissions(Manifest.permission.CAMERA);
  }

  private static ActivityController<ImageClassificationActivity> start(String model) {
    final Intent intent = new Intent().putExtra(ImageClassificationActivity.INTENT_MODULE_ASSET_NAME, model);
    return Robolectric.buildActivity(ImageClassificationActivity.class, intent).setup();
  }

  private static String name(ImageClassificationActivity activity, int row) {
    final View view = activity.<ViewGroup>findViewById(R.id.results).getChildAt(row);
    return view.<TextView>findViewById(R.id.name).getText().toString();
  }

  private static void frame(ImageClassificationActivity activity, Frame frame, int rotation) {
    Frames.give(activity, frame, rotation);
    shadowOf(Looper.getMainLooper()).idle();
  }

  private static String label(String model, int rotation) {
    return Classifier.label("PyTorchDemo/app/src/main/assets/" + model,
        TensorImageUtils.imageYUV420CenterCropToFloat32Tensor(new Frame(picture(), rotation), rotation, 224, 224,
            TensorImageUtils.TORCHVISION_NORM_MEAN_RGB, TensorImageUtils.TORCHVISION_NORM_STD_RGB));
  }

  @Test
  public void classifiesFramesOfEveryRotation() {
    for (final String model : new String[] {"resnet18.pt", "mobilenet_v2.pt"}) {
      try (ActivityController<ImageClassificationActivity> controller = start(model)) {
        for (final int rotation : new int[] {0, 90, 180, 270}) {
          frame(controller.get(), new Frame(picture(), rotation), rotation);
          assertEquals(model + ", " + rotation, label(model, rotation), name(controller.get(), 0));
          ShadowSystemClock.advanceBy(Duration.ofMillis(600));
        }
        assertTrue(Screen.text(controller.get(), R.id.milliseconds).matches("\\d+ms"));
        assertTrue(Screen.text(controller.get(), R.id.frames).matches("[\\d.]+FPS"));
      }
    }
  }

  @Test
  public void dropsFramesThatComeTooSoonAndAveragesTen() {
    try (ActivityController<ImageClassificationActivity> controller = start("resnet18.pt")) {
      final ImageClassificationActivity activity = controller.get();
      final Bitmap gray = Bitmap.createBitmap(224, 224, Bitmap.Config.ARGB_8888);
      frame(activity, new Frame(picture(), 0), 0);
      frame(activity, new Frame(gray, 0), 0); // at the same time: not looked at
      assertEquals(label("resnet18.pt", 0), name(activity, 0));
      for (int i = 1; i < 10; i++) {
        assertEquals("", Screen.text(activity, R.id.average));
        ShadowSystemClock.advanceBy(Duration.ofMillis(500));
        frame(activity, new Frame(picture(), 0), 0);
      }
      assertTrue(Screen.text(activity, R.id.average).matches("avg:\\d+ms"));
    }
  }

  @Test
  public void saysOnceThatAnAnalysisFailed() {
    try (ActivityController<ImageClassificationActivity> controller = start("missing.pt")) {
      frame(controller.get(), new Frame(picture(), 0), 0);
      assertNotNull(ShadowDialog.getLatestDialog());
      ShadowDialog.reset();
      ShadowSystemClock.advanceBy(Duration.ofSeconds(1));
      frame(controller.get(), new Frame(picture(), 0), 0);
      assertEquals(null, ShadowDialog.getLatestDialog());
    }
  }

  @Test
  public void endsWithoutTheCamerasPermission() {
    try (ActivityController<ImageClassificationActivity> controller = start("resnet18.pt")) {
      controller.get().onRequestPermissionsResult(
          200, new String[] {Manifest.permission.CAMERA}, new int[] {PackageManager.PERMISSION_DENIED});
      assertEquals("You can't use image classification example without granting CAMERA permission",
          ShadowToast.getTextOfLatestToast());
      assertTrue(controller.get().isFinishing());
    }
  }

  @Test
  public void averageOfTheLastValues() {
    final MovingAverage average = new MovingAverage(2);
    average.add(100);
    average.add(1);
    average.add(2);
    assertTrue(average.isFull());
    assertEquals(1.5, average.value(), 0);
  }
}
