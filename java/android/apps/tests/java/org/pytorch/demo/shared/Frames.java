package org.pytorch.demo.shared;

import android.media.Image;

/** Lets an activity see frames, as its camera would. */
public final class Frames {
  private Frames() {}

  public static void give(CameraActivity<?> activity, Image frame, int rotationDegrees) {
    activity.onFrame(frame, rotationDegrees);
  }
}
