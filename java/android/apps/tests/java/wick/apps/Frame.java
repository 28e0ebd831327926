package wick.apps;

import android.graphics.Bitmap;
import android.graphics.ImageFormat;
import android.graphics.Rect;
import android.media.Image;
import java.nio.ByteBuffer;

/** A camera's frame, from a bitmap, as sensors give it: turned, rows padded, chroma interleaved. */
public final class Frame extends Image {
  private final int width;
  private final int height;
  private final BytePlane[] planes = new BytePlane[3];

  /** `rotation`: the degrees, clockwise, by which the frame must be turned to look like the bitmap. */
  public Frame(Bitmap bitmap, int rotation) {
    width = rotation % 180 == 0 ? bitmap.getWidth() : bitmap.getHeight();
    height = rotation % 180 == 0 ? bitmap.getHeight() : bitmap.getWidth();
    planes[0] = new BytePlane(width + 32, 1, height);
    planes[1] = new BytePlane(width + 32, 2, height / 2);
    planes[2] = new BytePlane(width + 32, 2, height / 2);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        put(x, y, pixel(bitmap, x, y, rotation));
      }
    }
  }

  private int pixel(Bitmap bitmap, int x, int y, int rotation) {
    switch (rotation) {
      case 0:
        return bitmap.getPixel(x, y);
      case 90:
        return bitmap.getPixel(height - 1 - y, x);
      case 180:
        return bitmap.getPixel(width - 1 - x, height - 1 - y);
      default:
        return bitmap.getPixel(y, width - 1 - x);
    }
  }

  /** BT.601, as TensorImageUtils reads it. */
  private void put(int x, int y, int rgb) {
    final double r = (rgb >> 16) & 0xff;
    final double g = (rgb >> 8) & 0xff;
    final double b = rgb & 0xff;
    planes[0].put(x, y, 16 + (65.738 * r + 129.057 * g + 25.064 * b) / 256);
    if (x % 2 == 0 && y % 2 == 0) {
      planes[1].put(x / 2, y / 2, 128 + (-37.945 * r - 74.494 * g + 112.439 * b) / 256);
      planes[2].put(x / 2, y / 2, 128 + (112.439 * r - 94.154 * g - 18.285 * b) / 256);
    }
  }

  private static final class BytePlane extends Plane {
    private final int rowStride;
    private final int pixelStride;
    private final ByteBuffer bytes;

    BytePlane(int rowStride, int pixelStride, int rows) {
      this.rowStride = rowStride;
      this.pixelStride = pixelStride;
      bytes = ByteBuffer.allocateDirect(rowStride * rows);
    }

    void put(int x, int y, double value) {
      bytes.put(y * rowStride + x * pixelStride, (byte) Math.max(0, Math.min(255, Math.round(value))));
    }

    @Override
    public int getRowStride() {
      return rowStride;
    }

    @Override
    public int getPixelStride() {
      return pixelStride;
    }

    @Override
    public ByteBuffer getBuffer() {
      return bytes;
    }
  }

  @Override
  public int getFormat() {
    return ImageFormat.YUV_420_888;
  }

  @Override
  public int getWidth() {
    return width;
  }

  @Override
  public int getHeight() {
    return height;
  }

  @Override
  public Rect getCropRect() {
    return new Rect(0, 0, width, height);
  }

  @Override
  public long getTimestamp() {
    return 0;
  }

  @Override
  public int getTransform() {
    return 0;
  }

  @Override
  public int getScalingMode() {
    return 0;
  }

  @Override
  public Plane[] getPlanes() {
    return planes;
  }

  @Override
  public void close() {}
}
