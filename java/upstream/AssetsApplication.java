package wick.upstream;

import android.app.Application;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An app whose assets have been copied into its folder already, where PyTorch's tests look for them first. */
public class AssetsApplication extends Application {
  @Override
  public void onCreate() {
    super.onCreate();
    final File[] assets = new File(System.getProperty("wick.upstream.assets")).listFiles();
    try {
      for (final File asset : assets) {
        final Path link = new File(getFilesDir(), asset.getName()).toPath();
        if (!Files.exists(link)) {
          Files.createSymbolicLink(link, asset.toPath());
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
