package org.pytorch.demo.shared;

import static org.junit.Assert.assertArrayEquals;

import org.junit.Test;

public class TopKTest {
  @Test
  public void greatestFirstAndTheFirstOfEqualOnes() {
    assertArrayEquals(new int[] {3, 1, 2}, TopK.of(new float[] {1, 5, 5, 9, 5}, 3));
    assertArrayEquals(new int[] {0, -1}, TopK.of(new float[] {-4}, 2));
  }
}
