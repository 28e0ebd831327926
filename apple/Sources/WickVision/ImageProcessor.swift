// Images to tensors.
import Wick

/// Turns images into a model's input: rotation, crop, resize or letterbox, normalization, in one pass over the pixels.
///
///     var processor = ImageProcessor.imageNet(width: 224, height: 224)
///     processor.orientation = .right
///     let input = try processor.tensor(from: pixelBuffer)   // [1, 3, 224, 224]
///
/// A value without state: it may be used on any thread.
public struct ImageProcessor: Sendable {
  public enum Scaling: Sendable, Equatable {
    /// To the whole size, whatever the proportions.
    case stretch
    /// Letterbox: all of the image, centered; the rest has this color (red, green, blue from 0 to 1).
    case fit(padding: [Float])
    /// The largest centered part of the image with the proportions of the tensor.
    case fill
  }
  public enum Channels: Sendable { case rgb, bgr, gray }
  public enum Layout: Sendable {
    /// Channels, then rows, then columns: PyTorch's images.
    case nchw
    case nhwc
  }

  /// Size of the tensor.
  public var width: Int
  public var height: Int
  public var scaling: Scaling
  public var orientation = Orientation.up
  /// A part of the upright image; nil: all of it.
  public var crop: PixelRect?
  public var channels = Channels.rgb
  public var layout = Layout.nchw
  public var interpolation = Interpolation.bilinear
  /// Of values from 0 to 1, one a channel in the tensor's order: (value - mean) / std.
  public var mean: [Float]
  public var std: [Float]

  public init(width: Int, height: Int, scaling: Scaling = .stretch, mean: [Float] = [0, 0, 0], std: [Float] = [1, 1, 1]) {
    self.width = width
    self.height = height
    self.scaling = scaling
    self.mean = mean
    self.std = std
  }

  /// For torchvision's classifiers: centered part, their mean and standard deviation.
  public static func imageNet(width: Int = 224, height: Int = 224) -> ImageProcessor {
    ImageProcessor(width: width, height: height, scaling: .fill, mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225])
  }
  /// For YOLO's detectors: letterbox in gray, values from 0 to 1.
  public static func letterbox(width: Int = 640, height: Int = 640) -> ImageProcessor {
    ImageProcessor(width: width, height: height, scaling: .fit(padding: [Float](repeating: 114 / 255, count: 3)))
  }

  /// Where in the tensor an image of this (stored) size goes.
  public func placement(imageWidth: Int, imageHeight: Int) throws -> Placement {
    let problem = self.problem(imageWidth, imageHeight)
    guard problem == nil else { throw WickError(code: .invalidArgument, message: problem!) }
    let upright = orientation.swapsSides ? (imageHeight, imageWidth) : (imageWidth, imageHeight)
    var source = crop ?? PixelRect(x: 0, y: 0, width: upright.0, height: upright.1)
    var target = PixelRect(x: 0, y: 0, width: width, height: height)
    let wide = Double(width) * Double(source.height)
    let tall = Double(height) * Double(source.width)
    switch scaling {
    case .stretch: break
    case .fit:
      let scale = min(Double(width) / Double(source.width), Double(height) / Double(source.height))
      target.width = min(width, max(1, Int((Double(source.width) * scale).rounded())))
      target.height = min(height, max(1, Int((Double(source.height) * scale).rounded())))
      target.x = (width - target.width) / 2
      target.y = (height - target.height) / 2
    case .fill:
      if wide < tall {
        let part = max(1, Int((wide / Double(height)).rounded()))
        source.x += (source.width - part) / 2
        source.width = part
      } else if wide > tall {
        let part = max(1, Int((tall / Double(width)).rounded()))
        source.y += (source.height - part) / 2
        source.height = part
      }
    }
    return Placement(source: source, target: target)
  }

  private func problem(_ imageWidth: Int, _ imageHeight: Int) -> String? {
    if width < 1 || height < 1 || width > 1 << 16 || height > 1 << 16 {
      return "a tensor of \(width) x \(height) pixels; sizes are from 1 to 65,536"
    }
    if imageWidth < 1 || imageHeight < 1 { return "an image of \(imageWidth) x \(imageHeight) pixels" }
    let needed = channels == .gray ? 1 : 3
    if mean.count < needed || std.count < needed { return "mean and std have \(needed) values, found \(mean), \(std)" }
    if std.prefix(needed).contains(0) { return "std \(std) has a zero" }
    if case .fit(let padding) = scaling, padding.count < 3 { return "padding has 3 values, found \(padding)" }
    if let crop {
      let (across, down) = orientation.swapsSides ? (imageHeight, imageWidth) : (imageWidth, imageHeight)
      if crop.x < 0 || crop.y < 0 || crop.width < 1 || crop.height < 1 || crop.x > across - crop.width
        || crop.y > down - crop.height
      {
        return "crop \(crop) does not lie in the upright image of \(across) x \(down) pixels"
      }
    }
    return nil
  }

  /// Sizes of the tensor with one image.
  public var shape: [Int] {
    let count = channels == .gray ? 1 : 3
    return layout == .nchw ? [1, count, height, width] : [1, height, width, count]
  }

  /// A new tensor with the image.
  public func tensor(from image: PixelImage) throws -> Tensor<Float> {
    let problem = self.problem(image.width, image.height)
    guard problem == nil else { throw WickError(code: .invalidArgument, message: problem!) }
    let tensor = try Tensor<Float>(zeros: shape)
    try fill(tensor, from: image)
    return tensor
  }
  public func tensor(from image: PixelData) throws -> Tensor<Float> { try image.withImage { try tensor(from: $0) } }

  /// Writes the image over a tensor's item `index`, so that one tensor serves a camera's frames, or a batch.
  public func fill(_ tensor: Tensor<Float>, index: Int = 0, from image: PixelImage) throws {
    if let problem = image.problem { throw WickError(code: .invalidArgument, message: problem) }
    let place = try placement(imageWidth: image.width, imageHeight: image.height)
    guard tensor.shape.count == 4, Array(tensor.shape.dropFirst()) == Array(shape.dropFirst()),
      index >= 0, index < tensor.shape[0]
    else {
      throw WickError(
        code: .shapeMismatch, message: "item \(index) of a tensor with sizes \(tensor.shape); one image has \(shape)")
    }
    try tensor.withUnsafeMutableElements { elements in
      let item = elements.baseAddress! + index * width * height * (channels == .gray ? 1 : 3)
      pad(item, place.target)
      write(item, image, place)
    }
  }
  public func fill(_ tensor: Tensor<Float>, index: Int = 0, from image: PixelData) throws {
    try image.withImage { try fill(tensor, index: index, from: $0) }
  }

  // MARK: Pixels

  /// Elements from one pixel, row, channel to the next.
  private var steps: (column: Int, row: Int, channel: Int) {
    let count = channels == .gray ? 1 : 3
    return layout == .nchw ? (1, width, width * height) : (count, width * count, 1)
  }

  /// Weights of red, green and blue (0 to 255) in each channel, and what is added: normalization included.
  private var mixes: [(red: Float, green: Float, blue: Float, add: Float)] {
    func mix(_ channel: Int, _ r: Float, _ g: Float, _ b: Float) -> (Float, Float, Float, Float) {
      let scale = 1 / (255 * std[channel])
      return (r * scale, g * scale, b * scale, -mean[channel] / std[channel])
    }
    switch channels {
    case .rgb: return [mix(0, 1, 0, 0), mix(1, 0, 1, 0), mix(2, 0, 0, 1)]
    case .bgr: return [mix(0, 0, 0, 1), mix(1, 0, 1, 0), mix(2, 1, 0, 0)]
    case .gray: return [mix(0, 0.299, 0.587, 0.114)]
    }
  }

  private func pad(_ item: UnsafeMutablePointer<Float>, _ target: PixelRect) {
    guard case .fit(let padding) = scaling, target.width < width || target.height < height else { return }
    for (channel, mix) in mixes.enumerated() {
      let color = 255 * (mix.red * padding[0] + mix.green * padding[1] + mix.blue * padding[2]) + mix.add
      for y in 0..<height {
        let inside = y >= target.y && y < target.y + target.height
        for x in 0..<width where !inside || x < target.x || x >= target.x + target.width {
          item[channel * steps.channel + y * steps.row + x * steps.column] = color
        }
      }
    }
  }

  private func write(_ item: UnsafeMutablePointer<Float>, _ image: PixelImage, _ place: Placement) {
    let (source, target) = (place.source, place.target)
    let across = Taps(from: source.width, to: target.width, interpolation)
    let down = Taps(from: source.height, to: target.height, interpolation)
    // Only columns that have a weight are read.
    var wanted: [Int] = []
    var places = [Int](repeating: -1, count: source.width)
    for x in 0..<target.width {
      for tap in 0..<across.counts[x] where places[across.first[x] + tap] < 0 {
        places[across.first[x] + tap] = wanted.count
        wanted.append(across.first[x] + tap)
      }
    }
    let reader = PixelReader(image, orientation, source, wanted: wanted)
    // Rows that were resized across, the latest ones: `held[slot]` is the row of a slot.
    let slots = (down.counts.max() ?? 1) + 1
    let rowSize = 3 * target.width
    var held = [Int](repeating: -1, count: slots)
    let pixels = UnsafeMutablePointer<Float>.allocate(capacity: 3 * wanted.count)
    let rows = UnsafeMutablePointer<Float>.allocate(capacity: slots * rowSize)
    let sums = UnsafeMutablePointer<Float>.allocate(capacity: rowSize)
    defer {
      pixels.deallocate()
      rows.deallocate()
      sums.deallocate()
    }
    let mixes = self.mixes
    let steps = self.steps
    for y in 0..<target.height {
      sums.initialize(repeating: 0, count: rowSize)
      for tap in 0..<down.counts[y] {
        let row = down.first[y] + tap
        let slot = row % slots
        if held[slot] != row {
          reader.read(row: row, into: pixels)
          resize(pixels, wanted.count, across, places, into: rows + slot * rowSize, target.width)
          held[slot] = row
        }
        let weight = down.weights[down.starts[y] + tap]
        let from = rows + slot * rowSize
        for index in 0..<rowSize { sums[index] += weight * from[index] }
      }
      let first = item + (target.y + y) * steps.row + target.x * steps.column
      let (red, green, blue) = (sums, sums + target.width, sums + 2 * target.width)
      for (channel, mix) in mixes.enumerated() {
        var out = first + channel * steps.channel
        for x in 0..<target.width {
          out.pointee = mix.red * red[x] + mix.green * green[x] + mix.blue * blue[x] + mix.add
          out += steps.column
        }
      }
    }
  }

  private func resize(
    _ pixels: UnsafePointer<Float>, _ count: Int, _ taps: Taps, _ places: [Int],
    into out: UnsafeMutablePointer<Float>, _ width: Int
  ) {
    taps.weights.withUnsafeBufferPointer { weights in
      places.withUnsafeBufferPointer { places in
        for x in 0..<width {
          var (red, green, blue): (Float, Float, Float) = (0, 0, 0)
          let start = taps.starts[x]
          let column = taps.first[x]
          for tap in 0..<taps.counts[x] {
            let weight = weights[start + tap]
            let at = places[column + tap]
            red += weight * pixels[at]
            green += weight * pixels[at + count]
            blue += weight * pixels[at + 2 * count]
          }
          out[x] = red
          out[x + width] = green
          out[x + 2 * width] = blue
        }
      }
    }
  }
}

/// Which part of the upright image lies where in the tensor.
public struct Placement: Sendable, Equatable {
  public let source: PixelRect
  public let target: PixelRect

  /// A point of the tensor (a corner of a detector's box) in the upright image.
  public func imagePoint(x: Double, y: Double) -> (x: Double, y: Double) {
    (
      Double(source.x) + (x - Double(target.x)) * Double(source.width) / Double(target.width),
      Double(source.y) + (y - Double(target.y)) * Double(source.height) / Double(target.height)
    )
  }
}
