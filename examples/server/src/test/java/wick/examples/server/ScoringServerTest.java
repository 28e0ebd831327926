package wick.examples.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.Test;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.RunOptions;

public class ScoringServerTest {
  private final HttpClient client = HttpClient.newHttpClient();

  /** Adds 1 to every element. */
  private static WickModel tiny() throws IOException {
    return new WickModel(Files.readAllBytes(Paths.get(System.getProperty("wick.testdata"), "tiny.pt")), 1, 0);
  }

  private static byte[] floats(float... values) {
    final ByteBuffer bytes = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return bytes.array();
  }

  private static HttpRequest.Builder request(ScoringServer server, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
  }

  private CompletableFuture<HttpResponse<String>> post(ScoringServer server, byte[] body) {
    return client.sendAsync(request(server, "/score").POST(HttpRequest.BodyPublishers.ofByteArray(body)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private String get(ScoringServer server, String path, int status) throws Exception {
    final HttpResponse<String> response = client.send(request(server, path).build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(status, response.statusCode());
    return response.body();
  }

  @Test
  public void scoresOnceItIsWarm() throws Exception {
    try (ScoringServer server = new ScoringServer(tiny(), new long[] {2}, 0, 2, 4)) {
      get(server, "/health", 503);
      assertEquals(503, post(server, floats(1, 2)).get().statusCode());
      server.warmUp(1, 2);
      get(server, "/health", 200);
      assertEquals("[[2.0,3.5]]\n", post(server, floats(1, 2.5f)).get().body());
      assertEquals("[[2.0,3.0],[0.0,null]]\n", post(server, floats(1, 2, -1, Float.NaN)).get().body());
      for (final byte[] wrong : new byte[][] {{}, {1, 2, 3}, floats(1), floats(new float[2 * 65])}) {
        assertEquals(400, post(server, wrong).get().statusCode());
      }
      get(server, "/score", 400);
      final String metrics = get(server, "/metrics", 200);
      assertTrue(metrics, metrics.contains("requests_total{result=\"answered\"} 2\n"));
      assertTrue(metrics, metrics.contains("requests_total{result=\"refused\"} 5\n"));
      assertTrue(metrics, metrics.contains("rows_total 3\n"));
    }
  }

  /** Head and body of a long answer are two writes: the second would wait 40 ms for the first's acknowledgment. */
  @Test
  public void longAnswersOfAKeptConnectionDoNotWait() throws Exception {
    final float[] row = new float[2000];
    try (ScoringServer server = new ScoringServer(tiny(), new long[] {row.length}, 0, 1, 2)) {
      server.warmUp(1);
      long fastest = Long.MAX_VALUE;
      for (int i = 0; i < 60; i++) {
        final long begin = System.nanoTime();
        assertTrue(post(server, floats(row)).get().body().startsWith("[[1.0,1.0,"));
        fastest = i < 40 ? fastest : Math.min(fastest, System.nanoTime() - begin);
      }
      assertTrue(fastest / 1000 + " us", fastest < 25_000_000);
    }
  }

  /** A model whose calls wait until they are let go. */
  private static class Slow implements BatchModel {
    final CountDownLatch go = new CountDownLatch(1);
    final CountDownLatch running = new CountDownLatch(1);
    volatile boolean closed;

    @Override
    public float[] score(FloatBuffer rows, long[] shape) {
      if (rows.get(0) == 0) {
        return new float[] {0}; // warming up
      }
      running.countDown();
      try {
        assertTrue(go.await(30, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return new float[] {rows.get(0)};
    }

    @Override
    public float[] scoreBytes(byte[] rows, long[] shape) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  public void turnsAwayWhatItHasNoPlaceFor() throws Exception {
    final Slow model = new Slow();
    try (ScoringServer server = new ScoringServer(model, new long[] {1}, 0, 1, 2)) {
      server.warmUp(1);
      final List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      answers.add(post(server, floats(1)));
      assertTrue(model.running.await(30, TimeUnit.SECONDS));
      answers.add(post(server, floats(2)));
      answers.add(post(server, floats(3)));
      while (!get(server, "/metrics", 200).contains("waiting 2\n")) {
        Thread.sleep(5);
      }
      final HttpResponse<String> turnedAway = post(server, floats(4)).get();
      assertEquals(429, turnedAway.statusCode());
      assertEquals("1", turnedAway.headers().firstValue("Retry-After").orElse(""));
      model.go.countDown();
      for (final CompletableFuture<HttpResponse<String>> answer : answers) {
        assertEquals(200, answer.get().statusCode());
      }
      assertTrue(get(server, "/metrics", 200).contains("requests_total{result=\"rejected\"} 1\n"));
    }
    assertTrue(model.closed);
  }

  @Test
  public void endsCallsThatTakeTooLong() throws Exception {
    final String file = Paths.get(System.getProperty("wick.testdata"), "api.ptl").toString();
    try (Module endless = Module.load(file)) {
      final BatchModel late = new Slow() {
        @Override
        public float[] score(FloatBuffer rows, long[] shape) {
          if (rows.get(0) != 0) {
            endless.runMethod("long_loop", new RunOptions().timeoutMillis(20), IValue.from(Long.MAX_VALUE));
          }
          return new float[1];
        }
      };
      try (ScoringServer server = new ScoringServer(late, new long[] {1}, 0, 1, 1)) {
        server.warmUp(1);
        assertEquals(504, post(server, floats(1)).get().statusCode());
        assertEquals(200, post(server, floats(0)).get().statusCode());
      }
    }
  }

  @Test
  public void manyAtOnceGetTheirOwnAnswers() throws Exception {
    try (ScoringServer server = new ScoringServer(tiny(), new long[] {1}, 0, 3, 500)) {
      server.warmUp(1);
      final List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        answers.add(post(server, floats(i)));
      }
      final float[] got = new float[answers.size()];
      final float[] expected = new float[answers.size()];
      for (int i = 0; i < got.length; i++) {
        final String body = answers.get(i).get().body();
        got[i] = Float.parseFloat(body.substring(2, body.length() - 3));
        expected[i] = i + 1;
      }
      assertArrayEquals(expected, got, 0);
    }
  }
}
