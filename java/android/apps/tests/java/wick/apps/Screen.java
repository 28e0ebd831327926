package wick.apps;

import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.graphics.Bitmap;
import android.graphics.drawable.BitmapDrawable;
import android.os.Looper;
import android.view.View;
import android.widget.ImageView;
import android.widget.TextView;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.robolectric.shadows.ShadowSystemClock;

/** What a user does and sees. */
public final class Screen {
  private Screen() {}

  public static void click(Activity activity, int id) {
    final View view = activity.findViewById(id);
    assertTrue("the button can be clicked", view.isShown() && view.isEnabled());
    view.performClick();
    shadowOf(Looper.getMainLooper()).idle();
  }

  public static String text(Activity activity, int id) {
    return activity.<TextView>findViewById(id).getText().toString();
  }

  public static Bitmap picture(Activity activity, int id) {
    return ((BitmapDrawable) activity.<ImageView>findViewById(id).getDrawable()).getBitmap();
  }

  /** Lets the app run, with its clock at ten times the speed, until something is so. */
  public static void await(String what, BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; i < 6000; i++) {
      shadowOf(Looper.getMainLooper()).idle();
      if (condition.getAsBoolean()) {
        return;
      }
      Thread.sleep(10);
      ShadowSystemClock.advanceBy(Duration.ofMillis(100));
    }
    throw new AssertionError("this has not happened: " + what);
  }
}
