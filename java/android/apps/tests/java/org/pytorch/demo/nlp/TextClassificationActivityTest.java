package org.pytorch.demo.nlp;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import android.app.Activity;
import android.view.View;
import android.view.ViewGroup;
import android.widget.EditText;
import android.widget.TextView;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.pytorch.demo.R;
import org.robolectric.Robolectric;
import org.robolectric.android.controller.ActivityController;
import wick.apps.App;
import wick.apps.AppRunner;
import wick.apps.Screen;

@RunWith(AppRunner.class)
@App("PyTorchDemo")
public class TextClassificationActivityTest {
  private static String cell(Activity activity, int row, int column) {
    final View view = activity.<ViewGroup>findViewById(R.id.results).getChildAt(row);
    return view.<TextView>findViewById(column).getText().toString();
  }

  @Test
  public void tellsTheTopicOfWhatIsTyped() throws InterruptedException {
    try (ActivityController<TextClassificationActivity> controller =
            Robolectric.buildActivity(TextClassificationActivity.class).setup()) {
      final Activity activity = controller.get();
      final EditText text = activity.findViewById(R.id.text);
      final View results = activity.findViewById(R.id.results);
      assertEquals(View.GONE, results.getVisibility());
      final String[][] comments = {
          {"The opening with the bishop is very good, checkmate!", "chess"},
          {"yesterday i have some new espresso beans, the roast is best", "coffee"},
          {"Über den telescope: a comet near the planet ☄", "astronomy"},
      };
      for (final String[] comment : comments) {
        text.setText(comment[0].substring(0, 5)); // typing goes on: this is not looked at
        text.setText(comment[0]);
        Screen.await(comment[1], () -> results.getVisibility() == View.VISIBLE
            && cell(activity, 1, R.id.name).equals(comment[1]));
        assertTrue(cell(activity, 1, R.id.value).matches("-?\\d+\\.\\d\\d"));
        assertTrue(Float.parseFloat(cell(activity, 1, R.id.value)) >= Float.parseFloat(cell(activity, 2, R.id.value)));
      }
      assertEquals("Something like a reddit comment...", text.getHint().toString());
      assertEquals("Topic", cell(activity, 0, R.id.name));
      Screen.click(activity, R.id.clear);
      Screen.await("the results are hidden", () -> results.getVisibility() == View.GONE);
    }
  }
}
