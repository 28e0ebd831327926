package org.pytorch.demo;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.widget.ViewFlipper;

/** Three pages on what the app does. */
public class WelcomeActivity extends Activity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    setContentView(R.layout.activity_welcome);
    final ViewFlipper pages = findViewById(R.id.pages);
    findViewById(R.id.skip).setOnClickListener(view -> start());
    findViewById(R.id.next).setOnClickListener(view -> {
      if (pages.getDisplayedChild() + 1 == pages.getChildCount()) {
        start();
      } else {
        pages.showNext();
      }
    });
  }

  private void start() {
    startActivity(new Intent(this, MainActivity.class));
    finish();
  }
}
