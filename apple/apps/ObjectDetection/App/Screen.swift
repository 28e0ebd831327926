// Finds objects in three test images and draws their boxes.
import UIKit

final class Screen: UIViewController {
  private let imageView = UIImageView()
  private let detectButton = UIButton(type: .system)
  private let nextButton = UIButton(type: .system)
  private let images = ["test1.png", "test2.jpg", "test3.png"]
  private var current = 0

  private lazy var module: TorchModule = {
    let path = bundled("yolov5s.torchscript", "ptl", "Can't find the model file!")
    guard let module = TorchModule(fileAtPath: path) else { fatalError("Can't find the model file!") }
    return module
  }()
  private lazy var classes = bundledLines("classes")

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Object Detection"
    detectButton.setTitle("Detect", for: .normal)
    detectButton.addTarget(self, action: #selector(detect), for: .touchUpInside)
    nextButton.addTarget(self, action: #selector(next), for: .touchUpInside)
    _ = UIStackView(filling: view, [imageView, detectButton, nextButton])
    show()
  }

  private func show() {
    nextButton.setTitle("Test Image \(current + 1)/\(images.count)", for: .normal)
    imageView.image = UIImage(named: images[current])
    clear()
  }

  private func clear() {
    imageView.layer.sublayers?.forEach { $0.removeFromSuperlayer() }
    imageView.subviews.forEach { $0.removeFromSuperview() }
  }

  @objc private func next() {
    current = (current + 1) % images.count
    show()
  }

  @objc private func detect() {
    guard let image = imageView.image else { return }
    let size = Detections.inputSize
    let small = image.resized(to: CGSize(width: size, height: size))
    guard var planes = small.normalized(mean: [0, 0, 0], std: [1, 1, 1]) else { return }
    clear()
    detectButton.isEnabled = false
    detectButton.setTitle("Running the model...", for: .normal)
    let scale = (imageView.bounds.width / CGFloat(size), imageView.bounds.height / CGFloat(size))
    let module = self.module
    DispatchQueue.global().async {
      let outputs = planes.withUnsafeMutableBytes { module.detect(image: $0.baseAddress!) } ?? []
      let found = Detections.find(in: outputs, scaleX: scale.0, scaleY: scale.1)
      DispatchQueue.main.async {
        found.forEach(self.draw)
        self.detectButton.isEnabled = true
        self.detectButton.setTitle("Detect", for: .normal)
      }
    }
  }

  private func draw(_ detection: Detection) {
    let box = UIView(frame: detection.rect)
    box.layer.borderColor = UIColor.yellow.cgColor
    box.layer.borderWidth = 4
    imageView.addSubview(box)
    let label = UILabel(frame: CGRect(x: detection.rect.minX, y: detection.rect.minY, width: 120, height: 20))
    let name = classes.indices.contains(detection.classIndex) ? classes[detection.classIndex] : "?"
    label.text = String(format: " %@ %.2f", name, detection.score)
    label.font = .systemFont(ofSize: 14)
    label.textColor = .white
    label.backgroundColor = .magenta
    imageView.addSubview(label)
  }
}
