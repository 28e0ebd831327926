package org.pytorch.imagesegmentation;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import android.graphics.Bitmap;
import android.view.View;
import android.widget.Button;
import java.util.HashMap;
import java.util.Map;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.android.controller.ActivityController;
import wick.apps.App;
import wick.apps.AppRunner;
import wick.apps.Screen;

@RunWith(AppRunner.class)
@App("ImageSegmentation")
public class MainActivityTest {
  private static Map<Integer, Integer> colors(Bitmap bitmap) {
    final int[] pixels = new int[bitmap.getWidth() * bitmap.getHeight()];
    bitmap.getPixels(pixels, 0, bitmap.getWidth(), 0, 0, bitmap.getWidth(), bitmap.getHeight());
    final Map<Integer, Integer> counts = new HashMap<>();
    for (final int pixel : pixels) {
      counts.merge(pixel, 1, Integer::sum);
    }
    return counts;
  }

  private static Map<Integer, Integer> segment(MainActivity activity) throws InterruptedException {
    final Button button = activity.findViewById(R.id.segmentButton);
    Screen.click(activity, R.id.segmentButton);
    Screen.await("the button is back", button::isEnabled);
    assertEquals("Segment", button.getText().toString());
    assertEquals(View.INVISIBLE, activity.findViewById(R.id.progressBar).getVisibility());
    return colors(Screen.picture(activity, R.id.imageView));
  }

  /** The pixels of a mask are of the classes' colors, and some of each that the picture shows. */
  private static void assertMask(Map<Integer, Integer> mask, int pixels, int... shown) {
    int counted = 0;
    for (final int color : new int[] {0xFF000000, 0xFFFF0000, 0xFF00FF00, 0xFF0000FF}) {
      counted += mask.getOrDefault(color, 0);
    }
    assertEquals(pixels, counted);
    assertTrue("background: " + mask, mask.get(0xFF000000) > pixels / 2);
    for (final int color : shown) {
      assertTrue(Integer.toHexString(color) + ": " + mask, mask.getOrDefault(color, 0) > pixels / 200);
    }
  }

  @Test
  public void segmentsBothPictures() throws InterruptedException {
    try (ActivityController<MainActivity> controller = Robolectric.buildActivity(MainActivity.class).setup()) {
      final MainActivity activity = controller.get();
      final Bitmap first = Screen.picture(activity, R.id.imageView);
      assertEquals(224, first.getWidth());
      assertMask(segment(activity), 224 * 224, 0xFFFF0000);
      Screen.click(activity, R.id.restartButton);
      final Bitmap second = Screen.picture(activity, R.id.imageView);
      assertEquals(250, second.getWidth());
      assertMask(segment(activity), 250 * 250, 0xFFFF0000);
      Screen.click(activity, R.id.restartButton);
      assertTrue(first.sameAs(Screen.picture(activity, R.id.imageView)));
    }
  }

  @Test
  public void isBusyWhileTheModelRuns() throws InterruptedException {
    try (ActivityController<MainActivity> controller = Robolectric.buildActivity(MainActivity.class).setup()) {
      final Button button = controller.get().findViewById(R.id.segmentButton);
      button.performClick();
      assertFalse(button.isEnabled());
      assertEquals("Running the model...", button.getText().toString());
      assertEquals(View.VISIBLE, controller.get().findViewById(R.id.progressBar).getVisibility());
      Screen.await("the button is back", button::isEnabled);
    }
  }

  @Test
  public void bestClassesOfPixels() {
    final float[] scores = new float[21 * 2];
    scores[Mask.SHEEP * 2] = 1;
    assertArrayEquals(new int[] {0xFF0000FF, 0xFF000000}, Mask.colors(scores, 2, 1)); // of equal ones the first
    assertThrows(IllegalArgumentException.class, () -> Mask.colors(scores, 2, 2));
  }
}
