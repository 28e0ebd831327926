// Words as the numbers of a BERT vocabulary.
import Foundation

struct Tokenizer {
  static let length = 360
  let words: [String]
  private let numbers: [String: Int]

  /// `words`: the vocabulary's lines, whose places are the numbers.
  init(words: [String]) {
    self.words = words
    numbers = Dictionary(words.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Numbers of the pieces that a text consists of.
  func pieces(of text: String) -> [Int] {
    let whole = NSRange(text.startIndex..., in: text)
    let expression = try! NSRegularExpression(pattern: "\\w+|\\S")
    return expression.matches(in: text, range: whole).flatMap { match in
      pieces(ofWord: text[Range(match.range, in: text)!].lowercased())
    }
  }

  private func pieces(ofWord word: String) -> [Int] {
    if let number = numbers[word] { return [number] }
    var out: [Int] = []
    var rest = Substring(word)
    while !rest.isEmpty {
      var piece = rest
      while !piece.isEmpty, numbers[(out.isEmpty ? "" : "##") + piece] == nil { piece = piece.dropLast() }
      guard let number = numbers[(out.isEmpty ? "" : "##") + piece], !piece.isEmpty else { return [numbers["[UNK]"] ?? 100] }
      out.append(number)
      rest = rest.dropFirst(piece.count)
    }
    return out
  }

  /// [CLS] question [SEP] text [SEP], cut and padded; nil when the question alone is too long.
  func tokens(question: String, text: String) -> [Int]? {
    let asked = pieces(of: question)
    guard asked.count < Tokenizer.length - 3, let begin = numbers["[CLS]"], let separator = numbers["[SEP]"] else {
      return nil
    }
    var out = [begin] + asked + [separator]
    out += pieces(of: text).prefix(Tokenizer.length - 1 - out.count) + [separator]
    return out + [Int](repeating: numbers["[PAD]"] ?? 0, count: Tokenizer.length - out.count)
  }

  /// The words of an answer.
  func text(of tokens: ArraySlice<Int>) -> String {
    let joined = tokens.map { words.indices.contains($0) ? words[$0] : "" }.joined(separator: " ")
    return joined.replacingOccurrences(of: " ##", with: "")
      .replacingOccurrences(of: "\\s+(?=\\p{Punct})", with: "", options: .regularExpression)
  }
}
