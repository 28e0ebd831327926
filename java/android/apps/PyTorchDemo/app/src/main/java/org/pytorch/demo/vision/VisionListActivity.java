package org.pytorch.demo.vision;

import android.content.Intent;
import android.os.Bundle;
import org.pytorch.demo.ListActivity;
import org.pytorch.demo.R;

/** The models that classify what the camera sees. */
public class VisionListActivity extends ListActivity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    add(R.string.resnet, classification("resnet18.pt"));
    add(R.string.mobilenet, classification("mobilenet_v2.pt"));
  }

  private Intent classification(String model) {
    return new Intent(this, ImageClassificationActivity.class)
        .putExtra(ImageClassificationActivity.INTENT_MODULE_ASSET_NAME, model);
  }
}
