package org.pytorch;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jetbrains.annotations.Nullable;

/** Loads a native library that lies in a jar. Apart, because Android before 8 lacks java.nio.file. */
@ServersOnly
final class BundledLibrary {
  private BundledLibrary() {}

  /**
   * Copies the library, and those it needs, into a new folder that only this user may enter, and removes them once they
   * are mapped; nothing that another process has written is ever loaded.
   */
  static void load(String resource, String file) {
    Path folder = null;
    try {
      folder = Files.createTempDirectory("wick-");
      final String from = resource.substring(0, resource.lastIndexOf('/') + 1);
      for (final String needed : readNames(from + file + ".needs")) {
        System.load(copy(from + needed, folder.resolve(needed)));
      }
      System.load(copy(resource, folder.resolve(file)));
    } catch (IOException e) {
      throw(UnsatisfiedLinkError) new UnsatisfiedLinkError("cannot unpack " + resource + ": " + e
          + "; unpack it into a folder and name that by " + NativeLibraries.PATH_PROPERTY)
          .initCause(e);
    } finally {
      removeFolder(folder);
    }
  }

  private static String copy(String resource, Path to) throws IOException {
    final InputStream from = BundledLibrary.class.getResourceAsStream(resource);
    if (from == null) {
      throw new IOException(resource + " is missing");
    }
    try {
      final OutputStream out = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW);
      try {
        final byte[] block = new byte[1 << 16];
        for (int n = from.read(block); n >= 0; n = from.read(block)) {
          out.write(block, 0, n);
        }
      } finally {
        out.close();
      }
    } finally {
      from.close();
    }
    return to.toAbsolutePath().toString();
  }

  private static String[] readNames(String resource) throws IOException {
    final InputStream stream = BundledLibrary.class.getResourceAsStream(resource);
    if (stream == null) {
      return new String[0];
    }
    try {
      final StringBuilder text = new StringBuilder();
      for (int c = stream.read(); c >= 0; c = stream.read()) {
        text.append((char) c);
      }
      final String names = text.toString().trim();
      return names.isEmpty() ? new String[0] : names.split("\\s+");
    } finally {
      stream.close();
    }
  }

  private static void removeFolder(@Nullable Path folder) {
    if (folder == null) {
      return;
    }
    final File[] files = folder.toFile().listFiles();
    if (files != null) {
      for (final File file : files) {
        file.delete();
      }
    }
    folder.toFile().delete();
  }
}
