package wick.examples.spark;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.FloatBuffer;
import javax.imageio.ImageIO;

/** Pictures as torchvision's models take them. */
final class Images {
  private static final float[] MEAN = {0.485f, 0.456f, 0.406f};
  private static final float[] STD = {0.229f, 0.224f, 0.225f};

  private Images() {}

  /** Decodes a picture (JPEG, PNG) and writes it, scaled to a square, plane by plane at the buffer's position. */
  static void put(byte[] file, int side, FloatBuffer out) throws IOException {
    final BufferedImage decoded = file == null ? null : ImageIO.read(new ByteArrayInputStream(file));
    if (decoded == null) {
      throw new IOException("this is not a picture");
    }
    final BufferedImage scaled = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
    final Graphics2D graphics = scaled.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
    graphics.drawImage(decoded, 0, 0, side, side, null);
    graphics.dispose();
    final int[] pixels = scaled.getRGB(0, 0, side, side, null, 0, side);
    final int begin = out.position();
    for (int channel = 0; channel < 3; channel++) {
      final float scale = 1 / (255 * STD[channel]);
      final float offset = MEAN[channel] / STD[channel];
      final int shift = 16 - 8 * channel;
      for (int i = 0; i < pixels.length; i++) {
        out.put(begin + channel * pixels.length + i, ((pixels[i] >> shift) & 0xff) * scale - offset);
      }
    }
    out.position(begin + 3 * pixels.length);
  }
}
