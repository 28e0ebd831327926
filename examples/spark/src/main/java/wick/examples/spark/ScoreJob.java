package wick.examples.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.UUID;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Scores images and texts of a Parquet file (id: long, image: binary, text: string), and writes (id, label, score,
 * topic, topic_score), with nulls where there is no picture or text.
 *
 * <p>The files of the models are broadcast once, and loaded once by each executor, whose tasks share them.
 */
public final class ScoreJob implements AutoCloseable {
  static final StructType SCORED = new StructType().add("id", DataTypes.LongType).add("label", DataTypes.IntegerType)
      .add("score", DataTypes.FloatType).add("topic", DataTypes.IntegerType).add("topic_score", DataTypes.FloatType);

  private final String name = UUID.randomUUID().toString();
  private final ModelLoader loader;
  private final Broadcast<byte[]> imageModel;
  private final Broadcast<byte[]> textModel;
  private final int side;
  private final int batch;
  public final ScoreMetrics metrics;

  /**
   * @param side of the square that images are scaled to
   * @param batch rows that a model is given at once
   */
  public ScoreJob(SparkSession spark, ModelLoader loader, byte[] imageModel, byte[] textModel, int side, int batch) {
    final JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    this.loader = loader;
    this.imageModel = context.broadcast(imageModel);
    this.textModel = context.broadcast(textModel);
    this.side = side;
    this.batch = batch;
    metrics = new ScoreMetrics(spark.sparkContext());
  }

  public Dataset<Row> score(Dataset<Row> rows) {
    return rows.select("id", "image", "text").mapPartitions(
        new PartitionScorer(name, loader, imageModel, textModel, side, batch, metrics), Encoders.row(SCORED));
  }

  /** Frees the models; what {@link #score} has given must not be computed any more. */
  @Override
  public void close() {
    ExecutorModels.release(name); // of this JVM: executors of their own free them when they end
    imageModel.destroy();
    textModel.destroy();
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 4) {
      System.err.println("usage: IMAGE_MODEL TEXT_MODEL INPUT.parquet OUTPUT.parquet");
      System.exit(2);
    }
    final SparkSession spark = SparkSession.builder().appName("scoring").getOrCreate();
    try (ScoreJob job = new ScoreJob(spark, ModelLoader.WICK, Files.readAllBytes(Paths.get(arguments[0])),
             Files.readAllBytes(Paths.get(arguments[1])), 224, 32)) {
      job.score(spark.read().parquet(arguments[2])).write().parquet(arguments[3]);
      System.out.println(job.metrics);
    }
    spark.stop();
  }
}
