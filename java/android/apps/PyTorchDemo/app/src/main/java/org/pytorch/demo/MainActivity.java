package org.pytorch.demo;

import android.content.Intent;
import android.os.Bundle;
import org.pytorch.demo.nlp.NLPListActivity;
import org.pytorch.demo.vision.VisionListActivity;

/** What there is: vision and language. */
public class MainActivity extends ListActivity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    add(R.string.vision, new Intent(this, VisionListActivity.class));
    add(R.string.language, new Intent(this, NLPListActivity.class));
  }
}
