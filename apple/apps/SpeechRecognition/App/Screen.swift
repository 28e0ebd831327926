// Records six seconds and shows the words.
import AVFoundation
import UIKit

final class Screen: UIViewController, AVAudioRecorderDelegate {
  private let button = UIButton(type: .system)
  private let resultView = UITextView()
  private var recorder: AVAudioRecorder?
  private var timer: Timer?
  private static let seconds = 6
  private static let rate = 16000.0
  private var left = Screen.seconds
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent("recorded.wav")

  private lazy var module: InferenceModule = {
    let path = bundled("wav2vec2", "ptl", "Can't find the model file!")
    guard let module = InferenceModule(fileAtPath: path) else { fatalError("Can't find the model file!") }
    return module
  }()

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Speech Recognition"
    button.setTitle("Start", for: .normal)
    button.addTarget(self, action: #selector(start), for: .touchUpInside)
    resultView.isEditable = false
    resultView.font = .systemFont(ofSize: 18)
    _ = UIStackView(filling: view, [resultView, button])
  }

  @objc private func start() {
    AVAudioSession.sharedInstance().requestRecordPermission { allowed in
      DispatchQueue.main.async {
        if allowed { self.record() } else { self.resultView.text = "The microphone may not be used: see Settings." }
      }
    }
  }

  private func record() {
    let settings: [String: Any] = [
      AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: Screen.rate, AVNumberOfChannelsKey: 1,
      AVLinearPCMBitDepthKey: 16, AVLinearPCMIsBigEndianKey: false, AVLinearPCMIsFloatKey: false,
    ]
    do {
      try AVAudioSession.sharedInstance().setCategory(.record)
      try AVAudioSession.sharedInstance().setActive(true)
      let recorder = try AVAudioRecorder(url: file, settings: settings)
      recorder.delegate = self
      recorder.record(forDuration: TimeInterval(Screen.seconds))
      self.recorder = recorder
    } catch {
      resultView.text = error.localizedDescription
      return
    }
    button.isEnabled = false
    left = Screen.seconds
    tick()
    timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in self?.tick() }
  }

  private func tick() {
    button.setTitle("Listening - \(left)s left", for: .normal)
    left = max(0, left - 1)
  }

  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully done: Bool) {
    timer?.invalidate()
    button.setTitle("Recognizing...", for: .normal)
    let (module, file) = (self.module, self.file)
    DispatchQueue.global().async {
      let words = done ? Screen.recognize(file, module) : nil
      DispatchQueue.main.async {
        self.resultView.text = words ?? "Nothing was recognized."
        self.button.isEnabled = true
        self.button.setTitle("Start", for: .normal)
      }
    }
  }

  private static func recognize(_ file: URL, _ module: InferenceModule) -> String? {
    guard let audio = try? AVAudioFile(forReading: file),
      let format = AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: rate, channels: 1, interleaved: false),
      let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(audio.length)),
      (try? audio.read(into: buffer)) != nil, let samples = buffer.floatChannelData
    else { return nil }
    return module.recognize(samples[0], bufLength: Int32(buffer.frameLength))
  }
}
