// Chooses a photo and shows its likeliest classes: the Swift package with SwiftUI.
import PhotosUI
import SwiftUI
import UIKit
import Wick
import WickVision

@main
struct ClassifierApp: App {
  var body: some Scene { WindowGroup { ContentView() } }
}

/// The model and what it says, for the screen.
@MainActor
final class Classifier: ObservableObject {
  @Published var image: UIImage?
  @Published var lines: [String] = []
  private var module: Module?
  private var labels: [String] = []

  func load() async {
    guard module == nil else { return }
    guard let model = Bundle.main.path(forResource: "model", ofType: "ptl"),
      let words = Bundle.main.path(forResource: "words", ofType: "txt")
    else { return lines = ["Add model.ptl and words.txt to the app."] }
    do {
      module = try await Module.load(path: model)
      labels = try String(contentsOfFile: words, encoding: .utf8).components(separatedBy: .newlines)
    } catch {
      lines = [error.localizedDescription]
    }
  }

  func classify(_ picture: UIImage) async {
    image = picture
    guard let module, let pixels = picture.pixelData else { return }
    do {
      let input = try ImageProcessor.imageNet().tensor(from: pixels)
      let start = Date()
      let scores: Tensor<Float> = try await module.forward(input)
      let time = Date().timeIntervalSince(start) * 1000
      lines = try scores.top(3).map { "\(labels.indices.contains($0.index) ? labels[$0.index] : "?"): \($0.value)" }
      lines.append(String(format: "%.1f ms", time))
    } catch {
      lines = [error.localizedDescription]
    }
  }
}

struct ContentView: View {
  @StateObject private var classifier = Classifier()
  @State private var item: PhotosPickerItem?

  var body: some View {
    VStack(spacing: 16) {
      if let image = classifier.image { Image(uiImage: image).resizable().scaledToFit() }
      ForEach(classifier.lines, id: \.self) { Text($0) }
      PhotosPicker("Choose a photo", selection: $item, matching: .images)
    }
    .padding()
    .task { await classifier.load() }
    .onChange(of: item) { chosen in
      Task {
        guard let data = try? await chosen?.loadTransferable(type: Data.self), let picture = UIImage(data: data) else { return }
        await classifier.classify(picture)
      }
    }
  }
}

extension UIImage {
  /// The pixels, upright.
  var pixelData: PixelData? {
    let format = UIGraphicsImageRendererFormat()
    format.scale = 1
    let upright = UIGraphicsImageRenderer(size: size, format: format).image { _ in draw(at: .zero) }
    guard let image = upright.cgImage else { return nil }
    let (width, height) = (image.width, image.height)
    var bytes = [UInt8](repeating: 0, count: width * height * 4)
    let drawn = bytes.withUnsafeMutableBytes { buffer -> Bool in
      guard
        let context = CGContext(
          data: buffer.baseAddress, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4,
          space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
      else { return false }
      context.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
      return true
    }
    return drawn ? PixelData(width: width, height: height, format: .rgba8, bytes: bytes) : nil
  }
}
