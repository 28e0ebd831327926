package org.pytorch.demo;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.view.ViewGroup;
import android.widget.Button;

/** A screen of buttons that lead to others. */
public abstract class ListActivity extends Activity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    setContentView(R.layout.activity_list);
  }

  /** Adds a button at the end. */
  protected final void add(int text, Intent leadsTo) {
    final Button button = new Button(this);
    button.setText(text);
    button.setOnClickListener(view -> startActivity(leadsTo));
    this.<ViewGroup>findViewById(R.id.list).addView(button);
  }
}
