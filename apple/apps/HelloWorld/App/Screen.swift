// Classifies image.png with model.pt and shows the three likeliest of words.txt.
import UIKit

final class Screen: UIViewController {
  private let imageView = UIImageView()
  private let resultView = UITextView()

  private lazy var module: TorchModule = {
    let path = bundled("model", "pt", "Can't find the model file!")
    guard let module = TorchModule(fileAtPath: path) else { fatalError("Can't find the model file!") }
    return module
  }()
  private lazy var labels = bundledLines("words")

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Image Classification"
    imageView.contentMode = .scaleAspectFit
    resultView.isEditable = false
    resultView.font = .systemFont(ofSize: 18)
    _ = UIStackView(filling: view, [imageView, resultView])
    resultView.heightAnchor.constraint(equalTo: view.heightAnchor, multiplier: 0.3).isActive = true
    guard let image = UIImage(named: "image.png") else { return }
    imageView.image = image
    guard var planes = image.resized(to: CGSize(width: 224, height: 224)).normalized() else { return }
    guard let outputs = planes.withUnsafeMutableBytes({ module.predict(image: $0.baseAddress!) }) else { return }
    let likeliest = zip(labels.indices, outputs).sorted { $0.1.floatValue > $1.1.floatValue }.prefix(3)
    resultView.text = likeliest.map { "\u{2022} \(labels[$0.0]) \n\n" }.joined()
  }
}
