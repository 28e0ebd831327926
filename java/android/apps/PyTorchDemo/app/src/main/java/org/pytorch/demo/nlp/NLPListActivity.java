package org.pytorch.demo.nlp;

import android.content.Intent;
import android.os.Bundle;
import org.pytorch.demo.ListActivity;
import org.pytorch.demo.R;

/** The models of language. */
public class NLPListActivity extends ListActivity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    add(R.string.reddit, new Intent(this, TextClassificationActivity.class));
  }
}
