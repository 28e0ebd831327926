package org.pytorch.demo;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.content.Intent;
import android.view.ViewGroup;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.pytorch.demo.nlp.NLPListActivity;
import org.pytorch.demo.nlp.TextClassificationActivity;
import org.pytorch.demo.vision.ImageClassificationActivity;
import org.pytorch.demo.vision.VisionListActivity;
import org.robolectric.Robolectric;
import org.robolectric.android.controller.ActivityController;
import wick.apps.App;
import wick.apps.AppRunner;
import wick.apps.Screen;

@RunWith(AppRunner.class)
@App("PyTorchDemo")
public class NavigationTest {
  private static Intent started(Activity activity) {
    return shadowOf(activity).getNextStartedActivity();
  }

  private static <A extends Activity> Intent leadsTo(Class<A> screen, int button) {
    try (ActivityController<A> controller = Robolectric.buildActivity(screen).setup()) {
      controller.get().<ViewGroup>findViewById(R.id.list).getChildAt(button).performClick();
      return started(controller.get());
    }
  }

  private static String name(Intent intent) {
    return intent.getComponent().getClassName();
  }

  @Test
  public void welcomeHasThreePages() {
    try (ActivityController<WelcomeActivity> controller = Robolectric.buildActivity(WelcomeActivity.class).setup()) {
      final Activity welcome = controller.get();
      Screen.click(welcome, R.id.next);
      Screen.click(welcome, R.id.next);
      assertNull(started(welcome));
      Screen.click(welcome, R.id.next);
      assertEquals(MainActivity.class.getName(), name(started(welcome)));
      assertTrue(welcome.isFinishing());
    }
  }

  @Test
  public void welcomeCanBeSkipped() {
    try (ActivityController<WelcomeActivity> controller = Robolectric.buildActivity(WelcomeActivity.class).setup()) {
      Screen.click(controller.get(), R.id.skip);
      assertEquals(MainActivity.class.getName(), name(started(controller.get())));
    }
  }

  @Test
  public void listsLeadToTheModels() {
    assertEquals(VisionListActivity.class.getName(), name(leadsTo(MainActivity.class, 0)));
    assertEquals(NLPListActivity.class.getName(), name(leadsTo(MainActivity.class, 1)));
    assertEquals(TextClassificationActivity.class.getName(), name(leadsTo(NLPListActivity.class, 0)));
    final String[] models = {"resnet18.pt", "mobilenet_v2.pt"};
    for (int i = 0; i < models.length; i++) {
      final Intent intent = leadsTo(VisionListActivity.class, i);
      assertEquals(ImageClassificationActivity.class.getName(), name(intent));
      assertEquals(models[i], intent.getStringExtra(ImageClassificationActivity.INTENT_MODULE_ASSET_NAME));
    }
  }
}
