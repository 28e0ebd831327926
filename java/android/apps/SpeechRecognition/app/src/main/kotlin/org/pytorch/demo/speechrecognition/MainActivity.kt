package org.pytorch.demo.speechrecognition

import android.Manifest
import android.app.Activity
import android.content.pm.PackageManager
import android.os.Build
import android.os.Bundle
import android.os.Handler
import android.os.Looper
import android.util.Log
import android.widget.Button
import android.widget.TextView
import kotlin.concurrent.thread
import org.pytorch.IValue
import org.pytorch.LiteModuleLoader
import org.pytorch.Module
import org.pytorch.Tensor
import org.pytorch.demo.shared.Assets

/** Records six seconds of sound and shows the words in it. */
class MainActivity : Activity() {
    private val handler = Handler(Looper.getMainLooper())
    private val samples = Tensor.allocateFloatBuffer(SECONDS * Recorder.RATE)
    private val input = Tensor.fromBlob(samples, longArrayOf(1, samples.capacity().toLong()))
    private val button: Button by lazy { findViewById<Button>(R.id.btnRecognize)!! }
    private var module: Module? = null // of the thread that listens
    private var listening: Thread? = null

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        setContentView(R.layout.activity_main)
        button.setOnClickListener { start() }
        if (Build.VERSION.SDK_INT >= 23 &&
            checkSelfPermission(Manifest.permission.RECORD_AUDIO) != PackageManager.PERMISSION_GRANTED) {
            requestPermissions(arrayOf(Manifest.permission.RECORD_AUDIO), 13)
        }
    }

    override fun onDestroy() {
        handler.removeCallbacksAndMessages(null)
        val last = listening
        thread { // after what is still running
            last?.join()
            module?.destroy()
        }
        super.onDestroy()
    }

    private fun start() {
        button.isEnabled = false
        count(SECONDS)
        listening = thread(name = "listening") {
            val text = try {
                if (Recorder.record(samples)) {
                    handler.removeCallbacksAndMessages(null)
                    handler.post { button.setText(R.string.recognizing) }
                    recognize()
                } else {
                    getString(R.string.no_microphone)
                }
            } catch (e: Exception) {
                Log.e(TAG, "Error during recognition", e)
                e.message ?: e.toString()
            }
            handler.post { show(text) }
        }
    }

    private fun count(secondsLeft: Int) {
        button.text = getString(R.string.listening, secondsLeft)
        if (secondsLeft > 1) handler.postDelayed({ count(secondsLeft - 1) }, 1000)
    }

    private fun recognize(): String {
        val loaded = module ?: LiteModuleLoader.load(Assets.filePath(this, "wav2vec2.ptl")).also { module = it }
        return loaded.forward(IValue.from(input)).toStr()
    }

    private fun show(text: String) {
        handler.removeCallbacksAndMessages(null)
        findViewById<TextView>(R.id.tvResult)!!.text = text
        button.setText(R.string.start)
        button.isEnabled = true
    }

    private companion object {
        const val TAG = "SpeechRecognition"
        const val SECONDS = 6
    }
}
