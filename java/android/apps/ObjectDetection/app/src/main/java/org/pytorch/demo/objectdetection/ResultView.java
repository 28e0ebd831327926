package org.pytorch.demo.objectdetection;

import android.content.Context;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Rect;
import android.util.AttributeSet;
import android.view.View;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Draws boxes with their names over a picture that is shown in its middle, as large as it fits. */
public class ResultView extends View {
  private static final int LABEL_WIDTH = 260;
  private static final int LABEL_HEIGHT = 50;

  private final Paint outline = new Paint();
  private final Paint label = new Paint();
  private final Paint text = new Paint();
  private List<Result> results = Collections.emptyList();
  private List<String> names = Collections.emptyList();
  private int pictureWidth = 1;
  private int pictureHeight = 1;

  public ResultView(Context context) {
    this(context, null);
  }

  public ResultView(Context context, AttributeSet attributes) {
    super(context, attributes);
    outline.setColor(Color.YELLOW);
    outline.setStrokeWidth(5);
    outline.setStyle(Paint.Style.STROKE);
    label.setColor(Color.MAGENTA);
    text.setColor(Color.WHITE);
    text.setTextSize(32);
  }

  /** Shows boxes, in pixels of a picture of that size. */
  void show(List<Result> newResults, List<String> newNames, int width, int height) {
    results = newResults;
    names = newNames;
    pictureWidth = width;
    pictureHeight = height;
    invalidate();
  }

  void clear() {
    show(Collections.<Result>emptyList(), names, 1, 1);
  }

  List<Result> results() {
    return results;
  }

  @Override
  protected void onDraw(Canvas canvas) {
    super.onDraw(canvas);
    final float scale = Math.min((float) getWidth() / pictureWidth, (float) getHeight() / pictureHeight);
    final float startX = (getWidth() - scale * pictureWidth) / 2;
    final float startY = (getHeight() - scale * pictureHeight) / 2;
    for (final Result result : results) {
      final Rect box = result.box;
      final float left = startX + scale * box.left;
      final float top = startY + scale * box.top;
      canvas.drawRect(left, top, startX + scale * box.right, startY + scale * box.bottom, outline);
      canvas.drawRect(left, top, left + LABEL_WIDTH, top + LABEL_HEIGHT, label);
      final String name = result.label < names.size() ? names.get(result.label) : "class " + result.label;
      canvas.drawText(String.format(Locale.US, "%s %.2f", name, result.score), left + 40, top + 35, text);
    }
  }
}
