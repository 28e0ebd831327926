package org.pytorch.demo.speechrecognition;

import static org.junit.Assert.assertEquals;

import android.Manifest;
import android.app.Activity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.shadows.ShadowAudioRecord;
import wick.apps.App;
import wick.apps.AppRunner;
import wick.apps.Screen;

@RunWith(AppRunner.class)
@App("SpeechRecognition")
public class MainActivityTest {
  /** A microphone that hears a file, and then silence. */
  private static final class Microphone implements ShadowAudioRecord.AudioRecordSource {
    private final ShortBuffer sound;

    Microphone(ShortBuffer sound) {
      this.sound = sound;
    }

    @Override
    public int readInShortArray(short[] out, int offset, int size, boolean blocking) {
      for (int i = 0; i < size; i++) {
        out[offset + i] = sound.hasRemaining() ? sound.get() : 0;
      }
      return size;
    }
  }

  @Before
  public void allowMicrophone() {
    Shadows.shadowOf(RuntimeEnvironment.getApplication()).grantPermissions(Manifest.permission.RECORD_AUDIO);
  }

  private static ShortBuffer asset(String name) throws IOException {
    try (InputStream in = RuntimeEnvironment.getApplication().getAssets().open(name)) {
      final byte[] wave = in.readAllBytes();
      return ByteBuffer.wrap(wave, 44, wave.length - 44).slice().order(ByteOrder.LITTLE_ENDIAN).asShortBuffer();
    }
  }

  @Test
  public void hearsTwice() throws Exception {
    final ShortBuffer sound = asset("sample.wav");
    try (ActivityController<MainActivity> controller = Robolectric.buildActivity(MainActivity.class).setup()) {
      final Activity activity = controller.get();
      for (int i = 0; i < 2; i++) {
        ShadowAudioRecord.setSource(new Microphone(i == 0 ? sound : ShortBuffer.allocate(0)));
        assertEquals("Start", Screen.text(activity, R.id.btnRecognize));
        Screen.click(activity, R.id.btnRecognize);
        Screen.await("the button is back", () -> activity.findViewById(R.id.btnRecognize).isEnabled());
        assertEquals(i == 0 ? "FOX AND OWL" : "", Screen.text(activity, R.id.tvResult));
      }
    }
  }

  @Test
  public void saysThatTheMicrophoneFails() throws InterruptedException {
    ShadowAudioRecord.setSource(new ShadowAudioRecord.AudioRecordSource() {
      @Override
      public int readInShortArray(short[] out, int offset, int size, boolean blocking) {
        return android.media.AudioRecord.ERROR_DEAD_OBJECT;
      }
    });
    try (ActivityController<MainActivity> controller = Robolectric.buildActivity(MainActivity.class).setup()) {
      Screen.click(controller.get(), R.id.btnRecognize);
      Screen.await("the button is back", () -> controller.get().findViewById(R.id.btnRecognize).isEnabled());
      assertEquals("The microphone can't be used", Screen.text(controller.get(), R.id.tvResult));
    }
  }
}
