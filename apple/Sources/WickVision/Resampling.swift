// Which pixels of the image make a pixel of the tensor, with PyTorch's rules of interpolation.

/// How pixels between those of the image are found. All have PyTorch's arithmetic (align_corners=False).
public enum Interpolation: Sendable {
  /// `mode="nearest"`.
  case nearest
  /// `mode="bilinear"`: the four pixels around, also where the image is made much smaller.
  case bilinear
  /// `mode="bilinear", antialias=True`: all pixels that fall on one, as Pillow and torchvision's transforms do.
  case antialiased
}

/// Weights of the pixels of one axis.
struct Taps {
  /// Per output: where its weights begin, and how many there are.
  var starts: [Int] = []
  var counts: [Int] = []
  /// Per output: the first pixel of the source.
  var first: [Int] = []
  var weights: [Float] = []

  init(from size: Int, to count: Int, _ interpolation: Interpolation) {
    let scale = Float(size) / Float(count)
    for index in 0..<count {
      starts.append(weights.count)
      switch interpolation {
      case .nearest:
        first.append(min(Int(Float(index) * scale), size - 1))
        weights.append(1)
      case .bilinear:
        let position = max(scale * (Float(index) + 0.5) - 0.5, 0)
        let low = min(Int(position), size - 1)
        let part = position - Float(low)
        first.append(low)
        if low + 1 < size {
          weights += [1 - part, part]
        } else {
          weights.append(1)
        }
      case .antialiased:
        let support = max(scale, 1)
        let center = scale * (Float(index) + 0.5)
        let low = max(Int(center - support + 0.5), 0)
        let high = min(Int(center + support + 0.5), size)
        let raw = (low..<max(high, low + 1)).map { max(0, 1 - abs((Float($0) - center + 0.5) / support)) }
        let sum = raw.reduce(0, +)
        first.append(min(low, size - 1))
        weights += sum > 0 ? raw.map { $0 / sum } : [1]
      }
      counts.append(weights.count - starts[index])
    }
  }
}

/// Reads pixels of an image at upright coordinates inside of a rectangle.
struct PixelReader {
  private let image: PixelImage
  /// Bytes from a plane's begin: of the columns that are read, and of all rows.
  private var columns: [Int] = []
  private var rows: [Int] = []
  private var chromaColumns: [Int] = []
  private var chromaRows: [Int] = []

  /// `wanted`: columns of the rectangle, in the order they are read.
  init(_ image: PixelImage, _ orientation: Orientation, _ rect: PixelRect, wanted: [Int]) {
    self.image = image
    let format = image.format
    // Where upright coordinates lie in the stored image: swapped sides make columns of rows.
    func stored(_ upright: Int, _ size: Int, _ flip: Bool) -> Int { flip ? size - 1 - upright : upright }
    let pixel = format.bytesPerPixel
    let chromaPixel = format.planeCount == 2 ? 2 : 1
    let row = image.planes[0].bytesPerRow
    let chromaRow = image.planes.count > 1 ? image.planes[1].bytesPerRow : 0
    let swap = orientation.swapsSides
    let across = swap ? image.height : image.width
    let down = swap ? image.width : image.height
    // With swapped sides the upright column is a stored row, whose direction flipsY tells.
    let flipColumns = swap ? orientation.flipsY : orientation.flipsX
    let flipRows = swap ? orientation.flipsX : orientation.flipsY
    for x in wanted {
      let at = stored(rect.x + x, across, flipColumns)
      columns.append(swap ? at * row : at * pixel)
      chromaColumns.append(swap ? (at / 2) * chromaRow : (at / 2) * chromaPixel)
    }
    for y in 0..<rect.height {
      let at = stored(rect.y + y, down, flipRows)
      rows.append(swap ? at * pixel : at * row)
      chromaRows.append(swap ? (at / 2) * chromaPixel : (at / 2) * chromaRow)
    }
  }

  /// Red, green and blue (0 to 255) of the wanted columns of a row: three runs of `columns.count` floats.
  func read(row y: Int, into out: UnsafeMutablePointer<Float>) {
    let count = columns.count
    let base = image.planes[0].base + rows[y]
    let (red, green, blue) = (out, out + count, out + 2 * count)
    func packed(_ r: Int, _ g: Int, _ b: Int) {
      columns.withUnsafeBufferPointer { columns in
        for index in 0..<count {
          let at = base + columns[index]
          red[index] = Float(at.load(fromByteOffset: r, as: UInt8.self))
          green[index] = Float(at.load(fromByteOffset: g, as: UInt8.self))
          blue[index] = Float(at.load(fromByteOffset: b, as: UInt8.self))
        }
      }
    }
    switch image.format {
    case .rgba8, .rgb8: packed(0, 1, 2)
    case .bgra8, .bgr8: packed(2, 1, 0)
    case .argb8: packed(1, 2, 3)
    case .abgr8: packed(3, 2, 1)
    case .gray8: packed(0, 0, 0)
    case .nv12(let coding):
      let chroma = image.planes[1].base + chromaRows[y]
      planar(base, chroma, chroma + 1, coding, out)
    case .nv21(let coding):
      let chroma = image.planes[1].base + chromaRows[y]
      planar(base, chroma + 1, chroma, coding, out)
    case .i420(let coding):
      // Both planes of chroma may have rows of different lengths.
      let other = swappedRow(y, plane: 2)
      planar(base, image.planes[1].base + chromaRows[y], other, coding, out)
    }
  }

  private func swappedRow(_ y: Int, plane: Int) -> UnsafeRawPointer { image.planes[plane].base + chromaRows[y] }

  private func planar(
    _ luma: UnsafeRawPointer, _ cb: UnsafeRawPointer, _ cr: UnsafeRawPointer, _ coding: YUVCoding,
    _ out: UnsafeMutablePointer<Float>
  ) {
    let count = columns.count
    // Kr and Kb of the standards; the rest follows.
    let (kr, kb): (Float, Float) = coding.matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    let kg = 1 - kr - kb
    let gain: Float = coding.fullRange ? 1 : 255 / 219
    let chromaGain: Float = coding.fullRange ? 1 : 255 / 224
    let offset: Float = coding.fullRange ? 0 : 16
    for index in 0..<count {
      let y = (Float(luma.load(fromByteOffset: columns[index], as: UInt8.self)) - offset) * gain
      let u = (Float(cb.load(fromByteOffset: chromaColumns[index], as: UInt8.self)) - 128) * chromaGain
      let v = (Float(cr.load(fromByteOffset: chromaColumns[index], as: UInt8.self)) - 128) * chromaGain
      let r = y + 2 * (1 - kr) * v
      let b = y + 2 * (1 - kb) * u
      let g = (y - kr * r - kb * b) / kg
      out[index] = min(max(r, 0), 255)
      out[index + count] = min(max(g, 0), 255)
      out[index + 2 * count] = min(max(b, 0), 255)
    }
  }
}
