package wick.examples.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.pytorch.PyTorchException;

/**
 * Scores rows over HTTP:
 *
 * <ul>
 *   <li>{@code POST /score}: float32 elements of one or more rows, little-endian; the answer is a JSON array of the
 *       scores of each row. 429 when too many requests wait, 504 when the model takes too long.
 *   <li>{@code GET /health}: 200 once the model has been warmed up, 503 before.
 *   <li>{@code GET /metrics}: counters.
 * </ul>
 *
 * <p>Requests wait in a queue of bounded length, so that a service that gets more than it can do answers the others in
 * time and its memory does not grow.
 */
public final class ScoringServer implements AutoCloseable {
  private static final int MAX_ROWS = 64;
  private static final int WARM_UP_RUNS = 5; // the first few prepare the model for a shape

  static {
    // Else answers, whose head and body are written one after the other, wait 40 ms for the client's acknowledgment.
    if (System.getProperty("sun.net.httpserver.nodelay") == null) {
      System.setProperty("sun.net.httpserver.nodelay", "true");
    }
  }

  private final BatchModel model;
  private final long[] rowShape;
  private final int rowElements;
  private final HttpServer http;
  private final ExecutorService readers;
  private final ThreadPoolExecutor workers;
  private final int capacity;
  private final Metrics metrics = new Metrics();
  private final ThreadLocal<ByteBuffer> input;
  private volatile boolean warm;

  /**
   * Starts to listen; answers 503 until {@link #warmUp} has been called.
   *
   * @param model closed with the service
   * @param rowShape of one row, without the batch
   * @param port 0: any
   * @param workers how many calls of the model run at once
   * @param waiting how many more requests may wait
   */
  public ScoringServer(BatchModel model, long[] rowShape, int port, int workers, int waiting) throws IOException {
    this.model = model;
    this.rowShape = rowShape.clone();
    int elements = 1;
    for (final long side : rowShape) {
      elements = Math.multiplyExact(elements, Math.toIntExact(side));
    }
    rowElements = elements;
    final int bytes = Math.multiplyExact(Math.multiplyExact(elements, 4), MAX_ROWS);
    input = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN));
    capacity = waiting;
    this.workers = new ThreadPoolExecutor(
        workers, workers, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(Math.max(1, waiting)));
    readers = Executors.newFixedThreadPool(workers + Math.max(1, waiting) + 2);
    http = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 128);
    http.createContext("/score", this::score);
    http.createContext("/health", exchange -> answer(exchange, warm ? 200 : 503, warm ? "ready\n" : "warming up\n"));
    http.createContext("/metrics", exchange -> answer(exchange, 200, metrics.text(this.workers.getQueue().size(), capacity)));
    http.setExecutor(readers);
    http.start();
  }

  public int port() {
    return http.getAddress().getPort();
  }

  /** Runs the model on zeros, for batches of the sizes that will be common, until its calls take as long as later ones. */
  public void warmUp(int... batches) {
    for (final int batch : batches) {
      final ByteBuffer zeros = ByteBuffer.allocateDirect(batch * rowElements * 4).order(ByteOrder.nativeOrder());
      for (int i = 0; i < WARM_UP_RUNS; i++) {
        model.score(zeros.asFloatBuffer(), shape(batch));
      }
    }
    warm = true;
  }

  private long[] shape(int batch) {
    final long[] shape = new long[rowShape.length + 1];
    shape[0] = batch;
    System.arraycopy(rowShape, 0, shape, 1, rowShape.length);
    return shape;
  }

  private void score(HttpExchange exchange) throws IOException {
    if (!warm) {
      answer(exchange, 503, "warming up\n");
      return;
    }
    final long arrived = System.nanoTime();
    try {
      workers.execute(() -> scoreQuietly(exchange, arrived));
    } catch (RejectedExecutionException e) {
      metrics.rejected.increment();
      exchange.getResponseHeaders().set("Retry-After", "1");
      answer(exchange, 429, "too many requests wait\n");
    }
  }

  private void scoreQuietly(HttpExchange exchange, long arrived) {
    try {
      final long begin = System.nanoTime();
      metrics.waitNanos.add(begin - arrived);
      scoreNow(exchange);
    } catch (IOException e) {
      metrics.failed.increment(); // the client has gone
      exchange.close();
    }
  }

  private void scoreNow(HttpExchange exchange) throws IOException {
    final ByteBuffer bytes = input.get().clear();
    final int rows = exchange.getRequestMethod().equals("POST") ? readRows(exchange.getRequestBody(), bytes) : 0;
    if (rows == 0) {
      metrics.refused.increment();
      answer(exchange, 400, "POST 1 to " + MAX_ROWS + " rows of " + rowElements + " float32 elements\n");
      return;
    }
    final FloatBuffer elements = bytes.slice(0, rows * rowElements * 4).order(ByteOrder.nativeOrder()).asFloatBuffer();
    final float[] scores;
    try {
      final long begin = System.nanoTime();
      scores = model.score(elements, shape(rows));
      metrics.modelNanos.add(System.nanoTime() - begin);
    } catch (RuntimeException e) {
      metrics.failed.increment();
      final boolean late = e instanceof PyTorchException failure
          && failure.code() == PyTorchException.Code.DEADLINE_EXCEEDED;
      answer(exchange, late ? 504 : 500, e.getMessage() + "\n");
      return;
    }
    metrics.answered.increment();
    metrics.rows.add(rows);
    answer(exchange, 200, json(scores, rows));
  }

  /** Reads whole rows; 0 when there are none, too many, or a part of one. */
  private int readRows(InputStream body, ByteBuffer bytes) throws IOException {
    final byte[] part = new byte[64 * 1024];
    for (int read = body.read(part); read != -1; read = body.read(part)) {
      if (read > bytes.remaining()) {
        return 0;
      }
      bytes.put(part, 0, read);
    }
    final int size = bytes.position();
    return size % (rowElements * 4) == 0 ? size / (rowElements * 4) : 0;
  }

  static String json(float[] scores, int rows) {
    final StringBuilder text = new StringBuilder("[");
    final int columns = scores.length / rows;
    for (int i = 0; i < scores.length; i++) {
      text.append(i % columns == 0 ? (i == 0 ? "[" : ",[") : ",");
      // JSON has no numbers for these.
      text.append(Float.isFinite(scores[i]) ? Float.toString(scores[i]) : "null");
      text.append(i % columns == columns - 1 ? "]" : "");
    }
    return text.append("]\n").toString();
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  /** Stops listening, lets the calls that run finish, and closes the model. */
  @Override
  public void close() {
    http.stop(1);
    readers.shutdown();
    workers.shutdown();
    try {
      workers.awaitTermination(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    model.close();
  }
}
