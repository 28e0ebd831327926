package wick.examples.spark;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import wick.examples.server.BatchModel;

/** Scores the rows of a partition a batch at a time: (id, image, text) to (id, label, score, topic, topic_score). */
final class PartitionScorer implements MapPartitionsFunction<Row, Row> {
  private static final long serialVersionUID = 1;

  private final String job;
  private final ModelLoader loader;
  private final Broadcast<byte[]> imageModel;
  private final Broadcast<byte[]> textModel;
  private final int side;
  private final int batch;
  private final ScoreMetrics metrics;

  PartitionScorer(String job, ModelLoader loader, Broadcast<byte[]> imageModel, Broadcast<byte[]> textModel, int side,
      int batch, ScoreMetrics metrics) {
    this.job = job;
    this.loader = loader;
    this.imageModel = imageModel;
    this.textModel = textModel;
    this.side = side;
    this.batch = batch;
    this.metrics = metrics;
  }

  private BatchModel model(String kind, Broadcast<byte[]> file) {
    return ExecutorModels.get(job + "/" + kind, () -> {
      metrics.modelsLoaded.add(1);
      return loader.load(file.value());
    });
  }

  @Override
  public Iterator<Row> call(Iterator<Row> rows) {
    final BatchModel images = model("images", imageModel);
    final BatchModel texts = model("texts", textModel);
    // One buffer for the whole partition.
    final FloatBuffer pixels =
        ByteBuffer.allocateDirect(batch * 3 * side * side * 4).order(ByteOrder.nativeOrder()).asFloatBuffer();
    return new Iterator<Row>() {
      private Iterator<Row> scored = List.<Row>of().iterator();

      @Override
      public boolean hasNext() {
        return scored.hasNext() || rows.hasNext();
      }

      @Override
      public Row next() {
        if (!scored.hasNext()) {
          if (!rows.hasNext()) {
            throw new NoSuchElementException();
          }
          final List<Row> next = new ArrayList<>(batch);
          while (next.size() < batch && rows.hasNext()) {
            next.add(rows.next());
          }
          scored = score(next, images, texts, pixels).iterator();
        }
        return scored.next();
      }
    };
  }

  private List<Row> score(List<Row> rows, BatchModel images, BatchModel texts, FloatBuffer pixels) {
    final Best[] labels = scoreImages(rows, images, pixels);
    final Best[] topics = scoreTexts(rows, texts);
    final List<Row> scored = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      scored.add(RowFactory.create(rows.get(i).getAs("id"), labels[i] == null ? null : labels[i].index,
          labels[i] == null ? null : labels[i].score, topics[i] == null ? null : topics[i].index,
          topics[i] == null ? null : topics[i].score));
    }
    metrics.rows.add(rows.size());
    metrics.batches.add(1);
    return scored;
  }

  /** The best class of each row; null where there is no picture. */
  private Best[] scoreImages(List<Row> rows, BatchModel model, FloatBuffer pixels) {
    final int[] places = new int[rows.size()];
    int count = 0;
    pixels.clear();
    for (int i = 0; i < rows.size(); i++) {
      final int begin = pixels.position();
      try {
        Images.put(rows.get(i).getAs("image"), side, pixels);
        places[count++] = i;
      } catch (IOException e) {
        metrics.badImages.add(1);
        pixels.position(begin);
      }
    }
    if (count == 0) {
      return new Best[rows.size()];
    }
    final long start = System.nanoTime();
    final float[] scores = model.score(pixels.slice(0, count * 3 * side * side), new long[] {count, 3, side, side});
    metrics.modelNanos.add(System.nanoTime() - start);
    return Best.ofRows(scores, places, count, rows.size());
  }

  /** The best topic of each row; null where there is no text. Shorter texts are filled with spaces. */
  private Best[] scoreTexts(List<Row> rows, BatchModel model) {
    final int[] places = new int[rows.size()];
    final byte[][] texts = new byte[rows.size()][];
    int count = 0;
    int longest = 0;
    for (int i = 0; i < rows.size(); i++) {
      final String text = rows.get(i).getAs("text");
      if (text != null && !text.isBlank()) {
        texts[count] = text.getBytes(StandardCharsets.UTF_8);
        longest = Math.max(longest, texts[count].length);
        places[count++] = i;
      }
    }
    if (count == 0) {
      return new Best[rows.size()];
    }
    final byte[] bytes = new byte[count * longest];
    Arrays.fill(bytes, (byte) ' ');
    for (int i = 0; i < count; i++) {
      System.arraycopy(texts[i], 0, bytes, i * longest, texts[i].length);
    }
    final long start = System.nanoTime();
    final float[] scores = model.scoreBytes(bytes, new long[] {count, longest});
    metrics.modelNanos.add(System.nanoTime() - start);
    return Best.ofRows(scores, places, count, rows.size());
  }

  private static final class Best {
    final int index;
    final float score;

    Best(int index, float score) {
      this.index = index;
      this.score = score;
    }

    /** Of scores of `count` rows, at their places among `size`. */
    static Best[] ofRows(float[] scores, int[] places, int count, int size) {
      final Best[] best = new Best[size];
      final int classes = scores.length / count;
      for (int row = 0; row < count; row++) {
        int index = 0;
        for (int i = 1; i < classes; i++) {
          if (scores[row * classes + i] > scores[row * classes + index]) {
            index = i;
          }
        }
        best[places[row]] = new Best(index, scores[row * classes + index]);
      }
      return best;
    }
  }
}
