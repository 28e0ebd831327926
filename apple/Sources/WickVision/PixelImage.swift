// Pixels in memory, as cameras, decoders and pixel buffers give them.
import Foundation

/// How pixels lie in memory.
public enum PixelFormat: Sendable, Equatable {
  case rgba8, bgra8, argb8, abgr8, rgb8, bgr8, gray8
  /// A plane of luma, one of interleaved chroma (Cb, Cr) at half the size: cameras of Apple's devices ('420v', '420f').
  case nv12(YUVCoding)
  /// As `nv12` with Cr before Cb: cameras of Android.
  case nv21(YUVCoding)
  /// Planes of luma, Cb and Cr, the last two at half the size.
  case i420(YUVCoding)

  var bytesPerPixel: Int {
    switch self {
    case .rgba8, .bgra8, .argb8, .abgr8: return 4
    case .rgb8, .bgr8: return 3
    case .gray8, .nv12, .nv21, .i420: return 1
    }
  }
  var planeCount: Int {
    switch self {
    case .nv12, .nv21: return 2
    case .i420: return 3
    default: return 1
    }
  }
}

/// How luma and chroma become red, green and blue.
public struct YUVCoding: Sendable, Equatable {
  public enum Matrix: Sendable, Equatable { case bt601, bt709 }
  public var matrix: Matrix
  /// Luma from 0 to 255; else from 16 to 235, as video has it.
  public var fullRange: Bool
  public init(_ matrix: Matrix = .bt601, fullRange: Bool = true) {
    self.matrix = matrix
    self.fullRange = fullRange
  }
}

/// Pixels in memory of another's, valid as long as that memory.
public struct PixelImage {
  public struct Plane {
    public var base: UnsafeRawPointer
    public var bytesPerRow: Int
    public init(base: UnsafeRawPointer, bytesPerRow: Int) {
      self.base = base
      self.bytesPerRow = bytesPerRow
    }
  }
  public let width: Int
  public let height: Int
  public let format: PixelFormat
  public let planes: [Plane]

  /// - Precondition: each plane's memory has all rows of the size that the format says (chroma: half, rounded up).
  public init(width: Int, height: Int, format: PixelFormat, planes: [Plane]) {
    self.width = width
    self.height = height
    self.format = format
    self.planes = planes
  }

  /// What is wrong with it; nil: nothing that can be seen.
  var problem: String? {
    if width < 1 || height < 1 || width > 1 << 20 || height > 1 << 20 { return "an image of \(width) x \(height) pixels" }
    if planes.count != format.planeCount { return "\(planes.count) planes, \(format) has \(format.planeCount)" }
    for (index, plane) in planes.enumerated() {
      let halves = (width + 1) / 2
      let row = index == 0 ? width * format.bytesPerPixel : format.planeCount == 2 ? halves * 2 : halves
      if plane.bytesPerRow < row { return "rows of \(plane.bytesPerRow) bytes in plane \(index), which need \(row)" }
    }
    return nil
  }
}

/// Pixels in memory of its own, all planes one after the other without gaps: what tests and decoders make.
public struct PixelData: Sendable {
  public let width: Int
  public let height: Int
  public let format: PixelFormat
  public var bytes: [UInt8]

  /// Bytes that an image has.
  public static func byteCount(width: Int, height: Int, format: PixelFormat) -> Int {
    let chroma = ((width + 1) / 2) * ((height + 1) / 2) * 2
    return width * height * format.bytesPerPixel + (format.planeCount > 1 ? chroma : 0)
  }

  /// - Precondition: as many bytes as `byteCount` says.
  public init(width: Int, height: Int, format: PixelFormat, bytes: [UInt8]) {
    precondition(
      bytes.count == PixelData.byteCount(width: width, height: height, format: format),
      "\(bytes.count) bytes for \(width) x \(height) pixels of \(format)")
    self.width = width
    self.height = height
    self.format = format
    self.bytes = bytes
  }

  /// Calls `body` with the pixels, which are valid in it only.
  public func withImage<R>(_ body: (PixelImage) throws -> R) rethrows -> R {
    try bytes.withUnsafeBytes { buffer in
      var none: UInt8 = 0
      return try withUnsafePointer(to: &none) { empty in
        let start = buffer.baseAddress ?? UnsafeRawPointer(empty)
        let luma = width * height * format.bytesPerPixel
        let halves = (width + 1) / 2
        var planes = [PixelImage.Plane(base: start, bytesPerRow: width * format.bytesPerPixel)]
        if format.planeCount == 2 { planes.append(.init(base: start + luma, bytesPerRow: halves * 2)) }
        if format.planeCount == 3 {
          planes.append(.init(base: start + luma, bytesPerRow: halves))
          planes.append(.init(base: start + luma + halves * ((height + 1) / 2), bytesPerRow: halves))
        }
        return try body(PixelImage(width: width, height: height, format: format, planes: planes))
      }
    }
  }
}

/// How an image is to be turned to be upright; numbers of EXIF and CGImagePropertyOrientation.
public enum Orientation: Int, Sendable, CaseIterable {
  case up = 1
  case upMirrored
  case down
  case downMirrored
  case leftMirrored
  /// Turned clockwise by 90 degrees to be upright: an iPhone's back camera held upright.
  case right
  case rightMirrored
  case left

  /// Clockwise, in degrees that are a multiple of 90.
  public init?(clockwiseDegrees degrees: Int) {
    switch ((degrees % 360) + 360) % 360 {
    case 0: self = .up
    case 90: self = .right
    case 180: self = .down
    case 270: self = .left
    default: return nil
    }
  }

  /// Whether width and height change places.
  var swapsSides: Bool { rawValue >= 5 }
  /// Whether the stored column (or row, with swapped sides) falls as the upright one grows.
  var flipsX: Bool { self == .upMirrored || self == .down || self == .rightMirrored || self == .left }
  var flipsY: Bool { self == .down || self == .downMirrored || self == .right || self == .rightMirrored }
}

/// A rectangle of pixels.
public struct PixelRect: Sendable, Equatable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
