// Answers a question from a text.
import UIKit

final class Screen: UIViewController {
  private let textView = UITextView()
  private let questionField = UITextField()
  private let button = UIButton(type: .system)

  private lazy var module: InferenceModule = {
    let path = bundled("qa360_quantized", "ptl", "Can't find the model file!")
    guard let module = InferenceModule(fileAtPath: path) else { fatalError("Can't find the model file!") }
    return module
  }()
  private lazy var tokenizer = Tokenizer(words: bundledLines("vocab"))

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Question Answering"
    textView.text = "The lamp in the hall was lit by a boy of nine, who had been given a wick and a can of oil for his "
      + "birthday. It burned until four in the morning."
    textView.font = .systemFont(ofSize: 16)
    questionField.placeholder = "Who lit the lamp?"
    questionField.borderStyle = .roundedRect
    button.setTitle("Answer", for: .normal)
    button.addTarget(self, action: #selector(answer), for: .touchUpInside)
    _ = UIStackView(filling: view, [textView, questionField, button])
  }

  @objc private func answer() {
    view.endEditing(true)
    let text = textView.text ?? ""
    let question = questionField.text?.isEmpty == false ? questionField.text! : questionField.placeholder!
    guard let tokens = tokenizer.tokens(question: question, text: text) else { return show("Question too long") }
    button.isEnabled = false
    let (module, tokenizer) = (self.module, self.tokenizer)
    DispatchQueue.global().async {
      let places = module.answer(tokens: tokens.map(NSNumber.init(value:)))?.map(\.intValue)
      let answer = places.flatMap { $0[0] <= $0[1] ? tokenizer.text(of: tokens[$0[0]...$0[1]]) : nil }
      DispatchQueue.main.async {
        self.button.isEnabled = true
        self.mark(answer ?? "", in: text)
      }
    }
  }

  /// Shows the answer in red where it stands.
  private func mark(_ answer: String, in text: String) {
    guard !answer.isEmpty, let range = text.range(of: answer, options: .caseInsensitive) else { return show("Beat me!") }
    let colored = NSMutableAttributedString(string: text, attributes: [.font: UIFont.systemFont(ofSize: 16)])
    colored.addAttribute(.foregroundColor, value: UIColor.red, range: NSRange(range, in: text))
    textView.attributedText = colored
  }

  private func show(_ message: String) {
    let alert = UIAlertController(title: nil, message: message, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default))
    present(alert, animated: true)
  }
}
