package wick.examples.spark;

import java.io.Serializable;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;

/** What a job has done, also shown in Spark's pages. Tasks that are run again count again. */
public final class ScoreMetrics implements Serializable {
  private static final long serialVersionUID = 1;

  public final LongAccumulator rows;
  public final LongAccumulator batches;
  public final LongAccumulator badImages;
  public final LongAccumulator modelsLoaded;
  public final LongAccumulator modelNanos;

  ScoreMetrics(SparkContext context) {
    rows = context.longAccumulator("rows scored");
    batches = context.longAccumulator("batches");
    badImages = context.longAccumulator("bad images");
    modelsLoaded = context.longAccumulator("models loaded");
    modelNanos = context.longAccumulator("nanoseconds in models");
  }

  @Override
  public String toString() {
    return rows.value() + " rows in " + batches.value() + " batches, " + badImages.value() + " bad images, "
        + modelsLoaded.value() + " models loaded, " + modelNanos.value() / 1_000_000 + " ms in models";
  }
}
