package org.pytorch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;

/** The library inside of the jar, in virtual machines of their own. */
public class BundledLibraryTest {
  /** What the other machine runs: a model, twice, with nothing but the jar. */
  public static final class Program {
    public static void main(String[] args) {
      try (Module module = Module.load(args[0])) {
        final IValue one = IValue.from(Tensor.fromBlob(new float[] {1, 2}, new long[] {2}));
        System.out.println(Arrays.toString(module.forward(one).toTensor().getDataAsFloatArray()));
      }
    }
  }

  private static String run(Path temporary, String... options) throws IOException, InterruptedException {
    final List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(Arrays.asList(options));
    command.add("-cp");
    final String tests = BundledLibraryTest.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    command.add(System.getProperty("wick.classes") + File.pathSeparator + tests);
    command.add(Program.class.getName());
    command.add(System.getProperty("wick.testdata") + "/tiny.ptl");
    final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    final String output = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return output;
  }

  @Test
  public void isUnpackedAndLeavesNothing() throws Exception {
    final Path temporary = Files.createTempDirectory("jar-test");
    assertEquals("[2.0, 3.0]\n", run(temporary));
    // The virtual machine's own files, if any, are in a folder of their own.
    for (final File file : temporary.toFile().listFiles()) {
      assertTrue(file.toString(), !file.getName().startsWith("wick-"));
    }
  }

  @Test
  public void aFolderMayBeNamedInstead() throws Exception {
    final Path temporary = Files.createTempDirectory("jar-test");
    final String folder = System.getProperty("wick.classes") + "/org/pytorch/native/linux-"
        + (System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch"));
    assertEquals("[2.0, 3.0]\n", run(temporary, "-Dwick.library.path=" + folder));
    final String wrong = run(temporary, "-Dwick.library.path=/no/such/folder");
    assertTrue(wrong, wrong.contains("no libpytorch_jni.so in /no/such/folder, the folder that the system property"));
  }

  @Test
  public void aFolderThatCannotBeWrittenIsNamed() throws Exception {
    final String output = run(Path.of("/proc/no-such-folder"));
    assertTrue(output, output.contains("cannot unpack /org/pytorch/native/"));
    assertTrue(output, output.contains("wick.library.path"));
  }
}
