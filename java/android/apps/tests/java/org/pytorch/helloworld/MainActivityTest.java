package org.pytorch.helloworld;

import static org.junit.Assert.assertEquals;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.pytorch.Tensor;
import org.pytorch.torchvision.TensorImageUtils;
import org.robolectric.Robolectric;
import org.robolectric.android.controller.ActivityController;
import wick.apps.App;
import wick.apps.AppRunner;
import wick.apps.Classifier;
import wick.apps.Screen;

@RunWith(AppRunner.class)
@App("HelloWorld")
public class MainActivityTest {
  @Test
  public void tellsWhatThePictureShows() {
    try (ActivityController<MainActivity> controller = Robolectric.buildActivity(MainActivity.class).setup()) {
      assertEquals(400, Screen.picture(controller.get(), R.id.image).getWidth());
      final Tensor picture = TensorImageUtils.bitmapToFloat32Tensor(Screen.picture(controller.get(), R.id.image),
          TensorImageUtils.TORCHVISION_NORM_MEAN_RGB, TensorImageUtils.TORCHVISION_NORM_STD_RGB);
      assertEquals(
          Classifier.label("HelloWorld/app/src/main/assets/model.pt", picture), Screen.text(controller.get(), R.id.text));
    }
  }
}
