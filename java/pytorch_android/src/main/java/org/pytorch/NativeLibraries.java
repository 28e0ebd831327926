package org.pytorch;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jetbrains.annotations.Nullable;

/**
 * Finds the native libraries: in the folder that the system property {@code wick.library.path} names; else in this jar,
 * when it holds them for this machine; else as {@link System#loadLibrary} does, through Facebook's SoLoader when the
 * app has it.
 *
 * <p>Threads: every method may be called from any thread.
 */
public final class NativeLibraries {
  static final String PATH_PROPERTY = "wick.library.path";
  private static final Set<String> LOADED = new HashSet<>();
  private static volatile boolean hasMain;

  private NativeLibraries() {}

  /** Loads what runs models, once. */
  public static void loadMain() {
    if (!hasMain) {
      loadFirst("pytorch_jni", "pytorch_jni_lite");
      hasMain = true;
      PyTorchCodegenLoader.loadNativeLibs();
    }
  }

  /** Loads what converts images, once. */
  public static void loadVision() {
    loadFirst("pytorch_vision_jni");
  }

  // The first of the libraries that there is.
  private static synchronized void loadFirst(String... names) {
    UnsatisfiedLinkError failure = null;
    for (final String name : names) {
      if (LOADED.contains(name)) {
        return;
      }
      try {
        load(name);
        LOADED.add(name);
        return;
      } catch (UnsatisfiedLinkError e) {
        failure = failure == null ? e : failure;
      }
    }
    throw failure;
  }

  private static void load(String name) {
    final String folder = System.getProperty(PATH_PROPERTY);
    final String file = System.mapLibraryName(name);
    if (folder != null && !folder.isEmpty()) {
      final File library = new File(folder, file).getAbsoluteFile();
      if (!library.isFile()) {
        throw new UnsatisfiedLinkError(
            "no " + file + " in " + folder + ", the folder that the system property " + PATH_PROPERTY + " names");
      }
      System.load(library.getPath());
      return;
    }
    final String resource = resourceFolder() + file;
    if (NativeLibraries.class.getResource(resource) != null) {
      BundledLibrary.load(resource, file);
      return;
    }
    loadByName(name);
  }

  static void loadByName(String name) {
    final Class<?> loader = soLoader();
    if (loader == null) {
      System.loadLibrary(name);
      return;
    }
    try {
      loader.getMethod("loadLibrary", String.class).invoke(null, name);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof UnsatisfiedLinkError) {
        throw(UnsatisfiedLinkError) e.getCause();
      }
      System.loadLibrary(name);
    } catch (ReflectiveOperationException e) {
      System.loadLibrary(name);
    }
  }

  // SoLoader's entry for libraries, ready for use; null when the app does not have it.
  private static @Nullable Class<?> soLoader() {
    final String name = "com.facebook.soloader.nativeloader.NativeLoader";
    try {
      final Class<?> loader = Class.forName(name);
      if (!(Boolean) loader.getMethod("isInitialized").invoke(null)) {
        final Class<?> delegate = Class.forName("com.facebook.soloader.nativeloader.NativeLoaderDelegate");
        final Object system =
            Class.forName("com.facebook.soloader.nativeloader.SystemDelegate").getConstructor().newInstance();
        final Method init = loader.getMethod("init", delegate);
        init.invoke(null, system);
      }
      return loader;
    } catch (ReflectiveOperationException e) {
      return null;
    } catch (LinkageError e) {
      return null;
    }
  }

  // "/org/pytorch/native/linux-x86_64/"
  private static String resourceFolder() {
    final String system = System.getProperty("os.name", "").toLowerCase(Locale.US).replace(' ', '_');
    final String machine = System.getProperty("os.arch", "").toLowerCase(Locale.US);
    final String architecture = machine.equals("amd64") ? "x86_64" : machine.equals("arm64") ? "aarch64" : machine;
    return "/org/pytorch/native/" + system + "-" + architecture + "/";
  }
}
