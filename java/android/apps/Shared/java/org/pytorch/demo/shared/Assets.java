package org.pytorch.demo.shared;

import android.content.Context;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;

/** Files that come with an app. */
public final class Assets {
  private Assets() {}

  /** Copies an asset into the app's folder, unless it is there already, and gives its path. */
  public static String filePath(Context context, String name) throws IOException {
    final File file = new File(context.getFilesDir(), name);
    if (file.exists() && file.length() > 0) {
      return file.getAbsolutePath();
    }
    try (InputStream in = context.getAssets().open(name);
        OutputStream out = new FileOutputStream(file)) {
      copy(in, out);
    }
    return file.getAbsolutePath();
  }

  public static Bitmap bitmap(Context context, String name) throws IOException {
    try (InputStream in = context.getAssets().open(name)) {
      final Bitmap bitmap = BitmapFactory.decodeStream(in);
      if (bitmap == null) {
        throw new IOException(name + " is not a picture");
      }
      return bitmap;
    }
  }

  public static List<String> lines(Context context, String name) throws IOException {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (InputStream in = context.getAssets().open(name)) {
      copy(in, bytes);
    }
    return Arrays.asList(bytes.toString("UTF-8").split("\r?\n"));
  }

  private static void copy(InputStream in, OutputStream out) throws IOException {
    final byte[] buffer = new byte[4 * 1024];
    for (int read = in.read(buffer); read != -1; read = in.read(buffer)) {
      out.write(buffer, 0, read);
    }
    out.flush();
  }
}
