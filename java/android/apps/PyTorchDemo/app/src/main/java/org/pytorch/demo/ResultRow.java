package org.pytorch.demo;

import android.view.LayoutInflater;
import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;
import java.util.Locale;

/** A name and its score. */
public final class ResultRow {
  private final TextView name;
  private final TextView value;

  /** Adds itself at the end of {@code parent}. */
  public ResultRow(ViewGroup parent) {
    final View row = LayoutInflater.from(parent.getContext()).inflate(R.layout.row_result, parent, false);
    name = row.findViewById(R.id.name);
    value = row.findViewById(R.id.value);
    parent.addView(row);
  }

  public void set(String newName, String newValue) {
    name.setText(newName);
    value.setText(newValue);
  }

  public void set(String newName, float score) {
    set(newName, String.format(Locale.US, "%.2f", score));
  }
}
