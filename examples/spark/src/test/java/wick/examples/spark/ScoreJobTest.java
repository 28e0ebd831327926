package wick.examples.spark;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.imageio.ImageIO;
import org.apache.spark.SparkException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.AfterClass;
import org.junit.Assert;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;

public class ScoreJobTest {
  private static final int ROWS = 103;
  private static final int SIDE = 64;
  private static final String[] TEXTS = {"The telescope shows a comet", "espresso beans and a grinder", "  ", null};
  private static final StructType SCHEMA = new StructType().add("id", DataTypes.LongType)
      .add("image", DataTypes.BinaryType).add("text", DataTypes.StringType);

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();
  private static SparkSession spark;
  private static String input;
  private static final List<Row> rows = new ArrayList<>();

  @BeforeClass
  public static void write() throws IOException {
    spark = SparkSession.builder().master("local[2]").appName("test").config("spark.ui.enabled", false)
        .config("spark.sql.warehouse.dir", FOLDER.getRoot().getPath()).getOrCreate();
    final Random random = new Random(5);
    for (int i = 0; i < ROWS; i++) {
      rows.add(RowFactory.create((long) i, i % 10 == 9 ? new byte[] {1, 2, 3} : picture(random), TEXTS[i % 4]));
    }
    input = FOLDER.getRoot() + "/input.parquet";
    spark.createDataFrame(rows, SCHEMA).repartition(4).write().parquet(input);
  }

  @AfterClass
  public static void stop() {
    spark.stop();
  }

  private static byte[] picture(Random random) throws IOException {
    final BufferedImage image = new BufferedImage(90, 70, BufferedImage.TYPE_INT_RGB);
    final Graphics2D graphics = image.createGraphics();
    graphics.setColor(new Color(random.nextInt(0xffffff)));
    graphics.fillRect(0, 0, 90, 70);
    graphics.setColor(new Color(random.nextInt(0xffffff)));
    graphics.fillOval(20, 10, 50, 50);
    graphics.dispose();
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  private static byte[] model(String name) throws IOException {
    return Files.readAllBytes(Paths.get(System.getProperty("wick.models"), name));
  }

  private static int best(float[] scores) {
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      best = scores[i] > scores[best] ? i : best;
    }
    return best;
  }

  @Test
  public void scoresAsTheModelsDoRowByRow() throws IOException {
    final String output = FOLDER.getRoot() + "/output.parquet";
    try (ScoreJob job =
            new ScoreJob(spark, ModelLoader.WICK, model("resnet18.pt"), model("model-reddit16.pt"), SIDE, 8)) {
      final Dataset<Row> read = spark.read().parquet(input);
      final int partitions = read.rdd().getNumPartitions();
      job.score(read).write().parquet(output);
      assertEquals(ROWS, (long) job.metrics.rows.value());
      assertEquals(10, (long) job.metrics.badImages.value());
      assertEquals(2, (long) job.metrics.modelsLoaded.value());
      final long batches = job.metrics.batches.value();
      assertTrue(batches + " batches", batches >= ROWS / 8 && batches <= ROWS / 8 + partitions);
      assertTrue(job.metrics.modelNanos.value() > 0);
    }
    final List<Row> scored = spark.read().parquet(output).orderBy("id").collectAsList();
    assertEquals(ROWS, scored.size());
    final FloatBuffer pixels =
        ByteBuffer.allocateDirect(3 * SIDE * SIDE * 4).order(ByteOrder.nativeOrder()).asFloatBuffer();
    try (Module images = Module.loadFromBytes(model("resnet18.pt"));
         Module texts = Module.loadFromBytes(model("model-reddit16.pt"))) {
      for (int i = 0; i < ROWS; i++) {
        final Row row = scored.get(i);
        assertEquals(i, (long) row.<Long>getAs("id"));
        assertEquals(i % 10 == 9, row.isNullAt(1));
        assertEquals(i % 4 >= 2, row.isNullAt(3));
        if (i % 10 != 9) {
          Images.put((byte[]) rows.get(i).get(1), SIDE, pixels.clear());
          final float[] scores = images.forward(IValue.from(Tensor.fromBlob(pixels, new long[] {1, 3, SIDE, SIDE})))
              .toTensor().getDataAsFloatArray();
          assertEquals(best(scores), (int) row.<Integer>getAs("label"));
          assertEquals(scores[best(scores)], row.<Float>getAs("score"), 1e-4f);
        }
        if (i % 4 < 2) {
          final byte[] text = TEXTS[i % 4].getBytes(StandardCharsets.UTF_8);
          final float[] scores = texts.forward(IValue.from(Tensor.fromBlobUnsigned(text, new long[] {1, text.length})))
              .toTensor().getDataAsFloatArray();
          assertEquals(best(scores), (int) row.<Integer>getAs("topic"));
        }
      }
    }
  }

  @Test
  public void modelsThatCantBeLoadedEndTheJob() throws IOException {
    try (ScoreJob job = new ScoreJob(spark, ModelLoader.WICK, new byte[] {1}, model("model-reddit16.pt"), SIDE, 8)) {
      final Exception failure =
          Assert.assertThrows(SparkException.class, () -> job.score(spark.read().parquet(input)).count());
      assertTrue(failure.getMessage(), failure.getMessage().contains("PyTorchException"));
    }
  }
}
