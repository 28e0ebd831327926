package wick.examples.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;

/** MODEL SHAPE [PORT]: a service of a model, for rows of a shape such as 3,224,224. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 2) {
      System.err.println("usage: MODEL SHAPE [PORT]");
      System.exit(2);
    }
    final long[] shape = Arrays.stream(arguments[1].split(",")).mapToLong(Long::parseLong).toArray();
    final int port = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 8080;
    final int cores = Runtime.getRuntime().availableProcessors();
    final WickModel model = new WickModel(Files.readAllBytes(Paths.get(arguments[0])), 1, 2000);
    final ScoringServer server = new ScoringServer(model, shape, port, cores, 8 * cores);
    Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    server.warmUp(1);
    System.out.println("listening on port " + server.port());
  }
}
