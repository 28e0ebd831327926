package org.pytorch.demo.nlp;

import android.app.Activity;
import android.os.Bundle;
import android.os.Handler;
import android.os.HandlerThread;
import android.text.Editable;
import android.text.TextWatcher;
import android.util.Log;
import android.view.View;
import android.view.ViewGroup;
import android.widget.EditText;
import java.nio.charset.StandardCharsets;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.PyTorchAndroid;
import org.pytorch.Tensor;
import org.pytorch.demo.R;
import org.pytorch.demo.ResultRow;
import org.pytorch.demo.shared.TopK;

/** Tells the topic of what is typed. */
public class TextClassificationActivity extends Activity {
  private static final String TAG = "PyTorchDemo";
  private static final String MODEL = "model-reddit16.pt";
  private static final int TOP_K = 3;
  private static final long QUIET_MILLIS = 600; // without a key, before the text is looked at

  private final ResultRow[] rows = new ResultRow[TOP_K];
  private HandlerThread thread;
  private Handler background;
  private EditText text;
  private ViewGroup results;
  // Of the background thread.
  private Module module;
  private String[] classes;
  private String lastText;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    setContentView(R.layout.activity_text_classification);
    text = findViewById(R.id.text);
    results = findViewById(R.id.results);
    new ResultRow(results).set(getString(R.string.topic), getString(R.string.score));
    for (int i = 0; i < TOP_K; i++) {
      rows[i] = new ResultRow(results);
    }
    findViewById(R.id.clear).setOnClickListener(view -> text.setText(""));
    thread = new HandlerThread("Text");
    thread.start();
    background = new Handler(thread.getLooper());
    final Runnable classification = this::classify;
    text.addTextChangedListener(new TextWatcher() {
      @Override
      public void beforeTextChanged(CharSequence s, int start, int count, int after) {}

      @Override
      public void onTextChanged(CharSequence s, int start, int before, int count) {}

      @Override
      public void afterTextChanged(Editable s) {
        background.removeCallbacks(classification);
        background.postDelayed(classification, QUIET_MILLIS);
      }
    });
  }

  @Override
  protected void onDestroy() {
    background.removeCallbacksAndMessages(null);
    background.post(() -> {
      if (module != null) {
        module.destroy();
      }
    });
    thread.quitSafely();
    super.onDestroy();
  }

  private void classify() {
    final String current = text.getText().toString();
    if (current.equals(lastText)) {
      return;
    }
    lastText = current;
    if (current.trim().isEmpty()) {
      runOnUiThread(() -> results.setVisibility(View.GONE));
      return;
    }
    try {
      if (module == null) {
        load();
      }
      final byte[] bytes = current.getBytes(StandardCharsets.UTF_8);
      final Tensor input = Tensor.fromBlobUnsigned(bytes, new long[] {1, bytes.length});
      final float[] scores = module.forward(IValue.from(input)).toTensor().getDataAsFloatArray();
      runOnUiThread(() -> show(scores));
    } catch (RuntimeException e) {
      Log.e(TAG, "Error during text analysis", e);
    }
  }

  private void load() {
    module = PyTorchAndroid.loadModuleFromAsset(getAssets(), MODEL);
    final IValue[] names = module.runMethod("get_classes").toList();
    classes = new String[names.length];
    for (int i = 0; i < names.length; i++) {
      classes[i] = names[i].toStr();
    }
  }

  private void show(float[] scores) {
    final int[] best = TopK.of(scores, TOP_K);
    for (int i = 0; i < TOP_K && best[i] >= 0; i++) {
      rows[i].set(classes[best[i]], scores[best[i]]);
    }
    results.setVisibility(View.VISIBLE);
  }
}
