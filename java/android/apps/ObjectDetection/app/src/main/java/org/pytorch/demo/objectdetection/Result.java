package org.pytorch.demo.objectdetection;

import android.graphics.Rect;

/** An object in a picture. */
final class Result {
  final int label;
  final float score;
  final Rect box;

  Result(int label, float score, Rect box) {
    this.label = label;
    this.score = score;
    this.box = box;
  }
}
