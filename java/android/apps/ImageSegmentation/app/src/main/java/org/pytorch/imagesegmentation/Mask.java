package org.pytorch.imagesegmentation;

/** Colors of classes, of the 21 of VOC. */
final class Mask {
  static final int CLASSES = 21;
  static final int DOG = 12;
  static final int PERSON = 15;
  static final int SHEEP = 17;

  private Mask() {}

  /** The color of each pixel's best class. {@code scores} are those of a class for all pixels, class after class. */
  static int[] colors(float[] scores, int width, int height) {
    final int pixels = width * height;
    if (scores.length != CLASSES * pixels) {
      throw new IllegalArgumentException(
          "The model gives " + scores.length + " scores for " + pixels + " pixels of " + CLASSES + " classes");
    }
    final int[] colors = new int[pixels];
    for (int pixel = 0; pixel < pixels; pixel++) {
      int best = 0;
      for (int label = 1; label < CLASSES; label++) {
        if (scores[label * pixels + pixel] > scores[best * pixels + pixel]) {
          best = label;
        }
      }
      colors[pixel] = color(best);
    }
    return colors;
  }

  static int color(int label) {
    switch (label) {
      case PERSON:
        return 0xFFFF0000;
      case DOG:
        return 0xFF00FF00;
      case SHEEP:
        return 0xFF0000FF;
      default:
        return 0xFF000000;
    }
  }
}
