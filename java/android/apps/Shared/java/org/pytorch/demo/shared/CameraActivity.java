package org.pytorch.demo.shared;

import android.Manifest;
import android.app.Activity;
import android.app.AlertDialog;
import android.content.pm.PackageManager;
import android.graphics.ImageFormat;
import android.graphics.SurfaceTexture;
import android.hardware.camera2.CameraAccessException;
import android.hardware.camera2.CameraCaptureSession;
import android.hardware.camera2.CameraCharacteristics;
import android.hardware.camera2.CameraDevice;
import android.hardware.camera2.CameraManager;
import android.hardware.camera2.CaptureRequest;
import android.media.Image;
import android.media.ImageReader;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.SystemClock;
import android.util.Log;
import android.util.Size;
import android.view.Surface;
import android.view.TextureView;
import android.widget.Toast;
import java.util.Arrays;

/**
 * Shows what the camera sees, and analyses a frame at a time on a thread of its own.
 *
 * @param <R> what is found in a frame
 */
public abstract class CameraActivity<R> extends Activity {
  private static final String TAG = "PyTorchDemo";
  private static final int CAMERA_REQUEST = 200;
  private static final long LEAST_MILLIS = 500; // from one result to the next frame that is looked at

  private HandlerThread thread;
  private Handler background;
  private CameraDevice camera;
  private ImageReader reader;
  private long lastResult = -LEAST_MILLIS;
  private boolean failed;

  /** Where the picture is shown; a view of the activity's content. */
  protected abstract TextureView preview();

  /** The least size of the frames that {@link #analyze} wants. */
  protected abstract Size frameSize();

  /** Said when the camera may not be used. */
  protected abstract String refusal();

  /** Called for each frame, on the background thread; null when there is nothing to show. */
  protected abstract R analyze(Image image, int rotationDegrees) throws Exception;

  /** Called with what has been found, on the main thread. */
  protected abstract void show(R result);

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    if (Build.VERSION.SDK_INT >= 23
        && checkSelfPermission(Manifest.permission.CAMERA) != PackageManager.PERMISSION_GRANTED) {
      requestPermissions(new String[] {Manifest.permission.CAMERA}, CAMERA_REQUEST);
    }
  }

  @Override
  public void onRequestPermissionsResult(int request, String[] permissions, int[] results) {
    super.onRequestPermissionsResult(request, permissions, results);
    if (request == CAMERA_REQUEST && results.length > 0 && results[0] == PackageManager.PERMISSION_DENIED) {
      Toast.makeText(this, refusal(), Toast.LENGTH_LONG).show();
      finish();
    }
  }

  @Override
  protected void onResume() {
    super.onResume();
    thread = new HandlerThread("Frames");
    thread.start();
    background = new Handler(thread.getLooper());
    if (preview().isAvailable()) {
      openCamera();
    } else {
      preview().setSurfaceTextureListener(new TextureView.SurfaceTextureListener() {
        @Override
        public void onSurfaceTextureAvailable(SurfaceTexture texture, int width, int height) {
          openCamera();
        }

        @Override
        public void onSurfaceTextureSizeChanged(SurfaceTexture texture, int width, int height) {}

        @Override
        public boolean onSurfaceTextureDestroyed(SurfaceTexture texture) {
          return true;
        }

        @Override
        public void onSurfaceTextureUpdated(SurfaceTexture texture) {}
      });
    }
  }

  @Override
  protected void onPause() {
    closeCamera();
    thread.quitSafely();
    try {
      thread.join(); // a frame that is being analysed is the last one
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (reader != null) {
      reader.close();
      reader = null;
    }
    super.onPause();
  }

  /** Looks at a frame, unless it comes too soon after the last result or an earlier one has failed. */
  protected final void onFrame(Image image, int rotationDegrees) {
    if (failed || SystemClock.elapsedRealtime() - lastResult < LEAST_MILLIS) {
      return;
    }
    try {
      final R result = analyze(image, rotationDegrees);
      lastResult = SystemClock.elapsedRealtime();
      if (result != null) {
        runOnUiThread(() -> show(result));
      }
    } catch (Exception e) {
      failed = true;
      Log.e(TAG, "Error during image analysis", e);
      runOnUiThread(() -> {
        if (!isFinishing()) {
          new AlertDialog.Builder(this).setTitle("Error during image analysis").setMessage(e.getMessage()).show();
        }
      });
    }
  }

  private void openCamera() {
    if (Build.VERSION.SDK_INT >= 23
        && checkSelfPermission(Manifest.permission.CAMERA) != PackageManager.PERMISSION_GRANTED) {
      return;
    }
    final CameraManager manager = (CameraManager) getSystemService(CAMERA_SERVICE);
    try {
      final String id = backCamera(manager);
      if (id == null) {
        Toast.makeText(this, "There is no camera", Toast.LENGTH_LONG).show();
        return;
      }
      final Integer orientation = manager.getCameraCharacteristics(id).get(CameraCharacteristics.SENSOR_ORIENTATION);
      final int turned = getWindowManager().getDefaultDisplay().getRotation() * 90; // ROTATION_90 is 1
      final int rotation = ((orientation == null ? 0 : orientation) - turned + 360) % 360;
      reader = ImageReader.newInstance(frameSize().getWidth(), frameSize().getHeight(), ImageFormat.YUV_420_888, 2);
      reader.setOnImageAvailableListener(available -> {
        try (Image image = available.acquireLatestImage()) {
          if (image != null) {
            onFrame(image, rotation);
          }
        }
      }, background);
      manager.openCamera(id, new CameraDevice.StateCallback() {
        @Override
        public void onOpened(CameraDevice opened) {
          camera = opened;
          startPreview();
        }

        @Override
        public void onDisconnected(CameraDevice gone) {
          gone.close();
        }

        @Override
        public void onError(CameraDevice broken, int error) {
          Log.e(TAG, "The camera failed with error " + error);
          broken.close();
        }
      }, background);
    } catch (CameraAccessException | SecurityException e) {
      Log.e(TAG, "The camera can't be opened", e);
      Toast.makeText(this, "The camera can't be opened", Toast.LENGTH_LONG).show();
    }
  }

  private static String backCamera(CameraManager manager) throws CameraAccessException {
    final String[] ids = manager.getCameraIdList();
    for (final String id : ids) {
      final Integer facing = manager.getCameraCharacteristics(id).get(CameraCharacteristics.LENS_FACING);
      if (facing != null && facing == CameraCharacteristics.LENS_FACING_BACK) {
        return id;
      }
    }
    return ids.length > 0 ? ids[0] : null;
  }

  private void startPreview() {
    final SurfaceTexture texture = preview().getSurfaceTexture();
    if (texture == null || reader == null) {
      return;
    }
    texture.setDefaultBufferSize(frameSize().getWidth(), frameSize().getHeight());
    final Surface surface = new Surface(texture);
    try {
      final CaptureRequest.Builder request = camera.createCaptureRequest(CameraDevice.TEMPLATE_PREVIEW);
      request.addTarget(surface);
      request.addTarget(reader.getSurface());
      camera.createCaptureSession(
          Arrays.asList(surface, reader.getSurface()), new CameraCaptureSession.StateCallback() {
            @Override
            public void onConfigured(CameraCaptureSession session) {
              try {
                session.setRepeatingRequest(request.build(), null, background);
              } catch (CameraAccessException | IllegalStateException e) {
                Log.e(TAG, "The preview can't be started", e);
              }
            }

            @Override
            public void onConfigureFailed(CameraCaptureSession session) {
              Log.e(TAG, "The camera can't give frames of this size");
            }
          }, background);
    } catch (CameraAccessException | IllegalStateException e) {
      Log.e(TAG, "The preview can't be started", e);
    }
  }

  private void closeCamera() {
    if (camera != null) {
      camera.close();
      camera = null;
    }
  }
}
