// Images as models take them.
import UIKit

extension UIImage {
  func resized(to size: CGSize) -> UIImage {
    let format = UIGraphicsImageRendererFormat()
    format.scale = 1
    return UIGraphicsImageRenderer(size: size, format: format).image { _ in draw(in: CGRect(origin: .zero, size: size)) }
  }

  /// Planes of red, green and blue: (value / 255 - mean) / std.
  func normalized(
    mean: [Float] = [0.485, 0.456, 0.406], std: [Float] = [0.229, 0.224, 0.225]
  ) -> [Float]? {
    guard let image = cgImage else { return nil }
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
    guard drawn else { return nil }
    var planes = [Float](repeating: 0, count: width * height * 3)
    for pixel in 0..<width * height {
      for channel in 0..<3 {
        planes[channel * width * height + pixel] = (Float(bytes[4 * pixel + channel]) / 255 - mean[channel]) / std[channel]
      }
    }
    return planes
  }

  /// Of three bytes a pixel.
  convenience init?(colors: UnsafePointer<UInt8>, width: Int, height: Int) {
    var bytes = [UInt8](repeating: 255, count: width * height * 4)
    for pixel in 0..<width * height {
      for channel in 0..<3 { bytes[4 * pixel + channel] = colors[3 * pixel + channel] }
    }
    guard
      let provider = CGDataProvider(data: Data(bytes) as CFData),
      let image = CGImage(
        width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue),
        provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
    else { return nil }
    self.init(cgImage: image)
  }
}

/// A file of the app's bundle; the model and its words are put there by whoever builds the app.
func bundled(_ name: String, _ type: String, _ missing: String) -> String {
  guard let path = Bundle.main.path(forResource: name, ofType: type) else { fatalError(missing) }
  return path
}

/// The lines of a bundled text file.
func bundledLines(_ name: String) -> [String] {
  let path = bundled(name, "txt", "Can't find the text file!")
  guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { fatalError("Can't find the text file!") }
  return text.components(separatedBy: .newlines)
}

extension UIStackView {
  /// Views below each other, filling a screen.
  convenience init(filling view: UIView, _ views: [UIView]) {
    self.init(arrangedSubviews: views)
    axis = .vertical
    spacing = 12
    translatesAutoresizingMaskIntoConstraints = false
    view.backgroundColor = .white
    view.addSubview(self)
    let guide = view.safeAreaLayoutGuide
    NSLayoutConstraint.activate([
      topAnchor.constraint(equalTo: guide.topAnchor, constant: 12),
      bottomAnchor.constraint(equalTo: guide.bottomAnchor, constant: -12),
      leadingAnchor.constraint(equalTo: guide.leadingAnchor, constant: 12),
      trailingAnchor.constraint(equalTo: guide.trailingAnchor, constant: -12),
    ])
  }
}
