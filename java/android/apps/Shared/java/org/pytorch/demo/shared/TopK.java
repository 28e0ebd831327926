package org.pytorch.demo.shared;

import java.util.Arrays;

public final class TopK {
  private TopK() {}

  /** The indices of the `k` greatest scores, greatest first; the first of equal ones. -1 where there are fewer. */
  public static int[] of(float[] scores, int k) {
    final float[] best = new float[k];
    final int[] indices = new int[k];
    Arrays.fill(best, -Float.MAX_VALUE);
    Arrays.fill(indices, -1);
    for (int i = 0; i < scores.length; i++) {
      for (int place = 0; place < k; place++) {
        if (scores[i] > best[place]) {
          System.arraycopy(best, place, best, place + 1, k - place - 1);
          System.arraycopy(indices, place, indices, place + 1, k - place - 1);
          best[place] = scores[i];
          indices[place] = i;
          break;
        }
      }
    }
    return indices;
  }
}
