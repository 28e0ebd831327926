package org.pytorch.demo.speechrecognition

import android.annotation.SuppressLint
import android.media.AudioFormat
import android.media.AudioRecord
import android.media.MediaRecorder
import java.nio.FloatBuffer

/** Records from the microphone: one channel, 16,000 samples a second. */
object Recorder {
    const val RATE = 16000

    /** Fills [samples] with values from -1 to 1; false when the microphone can't be used. Takes as long as the sound. */
    @SuppressLint("MissingPermission") // asked for when the app starts
    fun record(samples: FloatBuffer): Boolean {
        val size = maxOf(
            AudioRecord.getMinBufferSize(RATE, AudioFormat.CHANNEL_IN_MONO, AudioFormat.ENCODING_PCM_16BIT), RATE / 5)
        val recorder = AudioRecord(
            MediaRecorder.AudioSource.DEFAULT, RATE, AudioFormat.CHANNEL_IN_MONO, AudioFormat.ENCODING_PCM_16BIT, 2 * size)
        try {
            if (recorder.state != AudioRecord.STATE_INITIALIZED) return false
            recorder.startRecording()
            val part = ShortArray(size)
            samples.clear()
            while (samples.hasRemaining()) {
                val read = recorder.read(part, 0, minOf(part.size, samples.remaining()))
                if (read <= 0) return false
                for (i in 0 until read) samples.put(part[i] / 32767f)
            }
            recorder.stop()
            return true
        } finally {
            recorder.release()
        }
    }
}
