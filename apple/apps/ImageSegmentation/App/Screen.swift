// Colors persons, dogs and sheep in deeplab.jpg or dog.jpg.
import UIKit

final class Screen: UIViewController {
  private let imageView = UIImageView()
  private let segmentButton = UIButton(type: .system)
  private let restartButton = UIButton(type: .system)
  private var imageName = "deeplab"
  private static let size = 250

  private lazy var module: TorchModule = {
    let path = bundled("deeplabv3_scripted", "pt", "Can't find the model file!")
    guard let module = TorchModule(fileAtPath: path) else { fatalError("Can't find the model file!") }
    return module
  }()

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Image Segmentation"
    imageView.contentMode = .scaleAspectFit
    segmentButton.setTitle("Segment", for: .normal)
    segmentButton.addTarget(self, action: #selector(segment), for: .touchUpInside)
    restartButton.setTitle("Restart", for: .normal)
    restartButton.addTarget(self, action: #selector(restart), for: .touchUpInside)
    _ = UIStackView(filling: view, [imageView, segmentButton, restartButton])
    show()
  }

  private func show() { imageView.image = UIImage(named: imageName + ".jpg") }

  @objc private func restart() {
    imageName = imageName == "deeplab" ? "dog" : "deeplab"
    show()
  }

  @objc private func segment() {
    guard let image = UIImage(named: imageName + ".jpg") else { return }
    segmentButton.isEnabled = false
    segmentButton.setTitle("Running the model...", for: .normal)
    let size = Screen.size
    guard var planes = image.resized(to: CGSize(width: size, height: size)).normalized() else { return }
    let module = self.module
    DispatchQueue.global().async {
      let colors = planes.withUnsafeMutableBytes {
        module.segment(image: $0.baseAddress!, withWidth: Int32(size), withHeight: Int32(size))
      }
      let result = colors.flatMap { UIImage(colors: $0, width: size, height: size) }
      free(colors)
      DispatchQueue.main.async {
        if let result { self.imageView.image = result }
        self.segmentButton.isEnabled = true
        self.segmentButton.setTitle("Segment", for: .normal)
      }
    }
  }
}
