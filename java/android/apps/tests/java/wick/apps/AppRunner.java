package wick.apps;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Properties;
import org.junit.runners.model.InitializationError;
import org.robolectric.RobolectricTestRunner;

/** Runs tests in the app that {@link App} names, as build_apk.py has compiled it. */
public class AppRunner extends RobolectricTestRunner {
  public AppRunner(Class<?> tests) throws InitializationError {
    super(tests);
  }

  @Override
  protected Properties getBuildSystemApiProperties() {
    final String app = getTestClass().getJavaClass().getAnnotation(App.class).value();
    final Properties properties = new Properties();
    try (Reader file =
            Files.newBufferedReader(Paths.get(System.getProperty("wick.apps"), app, "test_config.properties"))) {
      properties.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }
}
