package wick.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import wick.examples.server.BatchModel;
import wick.examples.server.ScoringServer;

/** examples/server with a model, and clients of this machine that ask one request after the other. */
final class Service implements AutoCloseable {
  private static final int CLIENTS = 2;

  private final ScoringServer server;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
  private final HttpRequest request;
  private final int batch;

  Service(BatchModel model, long[] rowShape, ByteBuffer rows, int batch) throws IOException {
    server = new ScoringServer(model, rowShape, 0, CLIENTS, CLIENTS);
    server.warmUp(batch);
    final byte[] body = new byte[rows.remaining()];
    rows.duplicate().get(body);
    request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/score"))
                  .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                  .build();
    this.batch = batch;
  }

  /** The rows that were answered. */
  long ask(double seconds) throws Exception {
    final List<Future<Long>> done = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      done.add(clients.submit(() -> Meter.repeat(seconds, () -> {
        final HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
          throw new IllegalStateException("status " + response.statusCode());
        }
        return batch;
      })));
    }
    long rows = 0;
    for (final Future<Long> client : done) {
      rows += client.get();
    }
    return rows;
  }

  @Override
  public void close() {
    clients.shutdown();
    server.close();
  }
}
