package wick.bench;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.imageio.ImageIO;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import wick.examples.spark.ScoreJob;

/** examples/spark on a Spark of this machine: a Parquet file of pictures and texts, scored and counted. */
final class Job implements AutoCloseable {
  private static final int ROWS = 64;
  private static final StructType SCHEMA = new StructType().add("id", DataTypes.LongType)
      .add("image", DataTypes.BinaryType).add("text", DataTypes.StringType);

  private final SparkSession spark;
  private final Dataset<Row> input;
  private final Map<Engine, ScoreJob> jobs = new EnumMap<>(Engine.class);

  Job(Path models, Path folder, int batch) throws IOException {
    spark = SparkSession.builder().master("local[2]").appName("bench").config("spark.ui.enabled", false)
        .config("spark.sql.warehouse.dir", folder.toString()).getOrCreate();
    final Random random = new Random(3);
    final List<Row> rows = new ArrayList<>();
    final String texts = new String(Inputs.letters(ROWS), StandardCharsets.US_ASCII);
    for (int i = 0; i < ROWS; i++) {
      rows.add(RowFactory.create(
          (long) i, picture(random), texts.substring(i * Inputs.LETTERS, (i + 1) * Inputs.LETTERS)));
    }
    final String file = folder.resolve("rows" + batch + ".parquet").toString();
    spark.createDataFrame(rows, SCHEMA).repartition(2).write().parquet(file);
    input = spark.read().parquet(file);
    for (final Engine engine : Engine.values()) {
      jobs.put(engine, new ScoreJob(spark, engine.loader, engine.file(models, "image"), engine.file(models, "text"),
          Inputs.SIDE, batch));
    }
  }

  private static byte[] picture(Random random) throws IOException {
    final BufferedImage image = new BufferedImage(256, 256, BufferedImage.TYPE_INT_RGB);
    final Graphics2D graphics = image.createGraphics();
    for (int i = 0; i < 20; i++) {
      graphics.setColor(new Color(random.nextInt(0xffffff)));
      graphics.fillOval(random.nextInt(256), random.nextInt(256), 20 + random.nextInt(80), 20 + random.nextInt(80));
    }
    graphics.dispose();
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "jpg", bytes);
    return bytes.toByteArray();
  }

  /** The rows that were scored. */
  long run(Engine engine) {
    final List<Row> scored = jobs.get(engine).score(input).collectAsList();
    if (scored.size() != ROWS || scored.stream().anyMatch(row -> row.isNullAt(1) || row.isNullAt(3))) {
      throw new IllegalStateException(engine.title + " has not scored every row");
    }
    return ROWS;
  }

  @Override
  public void close() {
    jobs.values().forEach(ScoreJob::close);
    spark.stop();
  }
}
