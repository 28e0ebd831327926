import Foundation
import Wick
import XCTest

@testable import WickVision

/// Noise that is the same everywhere.
private func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 33)
  }
}

private func image(_ width: Int, _ height: Int, _ format: PixelFormat = .rgba8) -> PixelData {
  let count = PixelData.byteCount(width: width, height: height, format: format)
  return PixelData(width: width, height: height, format: format, bytes: noise(count))
}

final class ImageProcessorTests: XCTestCase {
  private func close(_ a: [Float], _ b: [Float], _ tolerance: Float = 1e-5, line: UInt = #line) {
    XCTAssertEqual(a.count, b.count, line: line)
    let worst = zip(a, b).map { abs($0 - $1) }.max() ?? 0
    XCTAssertLessThanOrEqual(worst, tolerance, line: line)
  }

  /// The pixels' own colors as [1, 3, height, width] from 0 to 1.
  private func plain(_ data: PixelData) throws -> Tensor<Float> {
    try ImageProcessor(width: data.width, height: data.height).tensor(from: data)
  }

  func testIdentityReadsEveryPackedFormat() throws {
    let colors: [(UInt8, UInt8, UInt8)] = [(255, 0, 51), (1, 2, 3), (0, 255, 0), (102, 204, 153)]
    let expected = [0, 1, 2].flatMap { channel in
      colors.map { Float(channel == 0 ? $0.0 : channel == 1 ? $0.1 : $0.2) / 255 }
    }
    let layouts: [(PixelFormat, ((UInt8, UInt8, UInt8)) -> [UInt8])] = [
      (.rgba8, { [$0.0, $0.1, $0.2, 9] }), (.bgra8, { [$0.2, $0.1, $0.0, 9] }), (.argb8, { [9, $0.0, $0.1, $0.2] }),
      (.abgr8, { [9, $0.2, $0.1, $0.0] }), (.rgb8, { [$0.0, $0.1, $0.2] }), (.bgr8, { [$0.2, $0.1, $0.0] }),
    ]
    for (format, bytes) in layouts {
      let data = PixelData(width: 2, height: 2, format: format, bytes: colors.flatMap(bytes))
      close(try plain(data).array(), expected)
    }
    let gray = PixelData(width: 2, height: 1, format: .gray8, bytes: [0, 255])
    close(try plain(gray).array(), [0, 1, 0, 1, 0, 1])
  }

  func testAgainstPyTorchsInterpolation() throws {
    let path = try XCTUnwrap(Bundle.module.path(forResource: "Models/resize", ofType: "ptl"))
    let module = try Module(path: path)
    let data = image(37, 23)
    let source = try plain(data)
    for (width, height) in [(37, 23), (16, 16), (74, 46), (5, 90), (1, 1), (100, 3), (224, 224)] {
      for (interpolation, mode, antialias) in [
        (Interpolation.nearest, "nearest", false), (.bilinear, "bilinear", false), (.antialiased, "bilinear", true),
      ] {
        var processor = ImageProcessor(width: width, height: height)
        processor.interpolation = interpolation
        let expected = try module.run(
          "forward", [.tensor(source), [height, width].value, .string(mode), .bool(antialias)])
        close(try processor.tensor(from: data).array(), try expected.tensor(of: Float.self).array())
      }
    }
  }

  func testOrientations() throws {
    // 1 2 3
    // 4 5 6
    let data = PixelData(width: 3, height: 2, format: .gray8, bytes: [1, 2, 3, 4, 5, 6])
    let expected: [Orientation: [[Float]]] = [
      .up: [[1, 2, 3], [4, 5, 6]], .upMirrored: [[3, 2, 1], [6, 5, 4]], .down: [[6, 5, 4], [3, 2, 1]],
      .downMirrored: [[4, 5, 6], [1, 2, 3]], .leftMirrored: [[1, 4], [2, 5], [3, 6]], .right: [[4, 1], [5, 2], [6, 3]],
      .rightMirrored: [[6, 3], [5, 2], [4, 1]], .left: [[3, 6], [2, 5], [1, 4]],
    ]
    for orientation in Orientation.allCases {
      let rows = expected[orientation]!
      var processor = ImageProcessor(width: rows[0].count, height: rows.count, std: [Float(1) / 255])
      processor.channels = .gray
      processor.orientation = orientation
      close(try processor.tensor(from: data).array(), rows.flatMap { $0 }, 1e-4)
    }
    XCTAssertEqual(Orientation(clockwiseDegrees: 90), .right)
    XCTAssertEqual(Orientation(clockwiseDegrees: -90), .left)
    XCTAssertEqual(Orientation(clockwiseDegrees: 540), .down)
    XCTAssertNil(Orientation(clockwiseDegrees: 45))
  }

  func testPlanarFormatsAgreeWhateverTheOrientation() throws {
    let (width, height) = (7, 5)
    let (halfWidth, halfHeight) = (4, 3)
    let luma = noise(width * height, seed: 3)
    let cb = noise(halfWidth * halfHeight, seed: 4)
    let cr = noise(halfWidth * halfHeight, seed: 5)
    for coding in [YUVCoding(), YUVCoding(.bt709, fullRange: false), YUVCoding(.bt601, fullRange: false)] {
      // The colors by the standards' formulas.
      var rgb: [UInt8] = []
      for y in 0..<height {
        for x in 0..<width {
          let at = (y / 2) * halfWidth + x / 2
          let (l, u, v) = (Double(luma[y * width + x]), Double(cb[at]) - 128, Double(cr[at]) - 128)
          let red, green, blue: Double
          switch (coding.matrix, coding.fullRange) {
          case (.bt601, true): (red, green, blue) = (l + 1.402 * v, l - 0.344136 * u - 0.714136 * v, l + 1.772 * u)
          case (.bt601, false):
            let c = 1.164384 * (l - 16)
            (red, green, blue) = (c + 1.596027 * v, c - 0.391762 * u - 0.812968 * v, c + 2.017232 * u)
          default:
            let c = 1.164384 * (l - 16)
            (red, green, blue) = (c + 1.792741 * v, c - 0.213249 * u - 0.532909 * v, c + 2.112402 * u)
          }
          rgb += [red, green, blue].map { UInt8(min(max($0, 0), 255).rounded()) }
        }
      }
      let packed = PixelData(width: width, height: height, format: .rgb8, bytes: rgb)
      let i420 = PixelData(width: width, height: height, format: .i420(coding), bytes: luma + cb + cr)
      let nv12 = PixelData(
        width: width, height: height, format: .nv12(coding), bytes: luma + zip(cb, cr).flatMap { [$0, $1] })
      let nv21 = PixelData(
        width: width, height: height, format: .nv21(coding), bytes: luma + zip(cb, cr).flatMap { [$1, $0] })
      for orientation in Orientation.allCases {
        var processor = ImageProcessor(width: 4, height: 6)
        processor.orientation = orientation
        let expected = try processor.tensor(from: packed).array()
        for data in [i420, nv12, nv21] { close(try processor.tensor(from: data).array(), expected, 0.51 / 255) }
      }
    }
  }

  func testCropFillAndLetterbox() throws {
    let data = image(20, 10)
    let source = try plain(data)
    var processor = ImageProcessor(width: 4, height: 3)
    processor.crop = PixelRect(x: 5, y: 2, width: 4, height: 3)
    let cropped = try processor.tensor(from: data)
    for (channel, y, x) in [(0, 0, 0), (1, 2, 3), (2, 1, 2)] {
      XCTAssertEqual(cropped[0, channel, y, x], source[0, channel, y + 2, x + 5], accuracy: 1e-6)
    }
    processor = ImageProcessor(width: 10, height: 10, scaling: .fill)
    let filled = try processor.tensor(from: data)
    XCTAssertEqual(filled[0, 1, 4, 0], source[0, 1, 4, 5], accuracy: 1e-6)
    XCTAssertEqual(try processor.placement(imageWidth: 20, imageHeight: 10).source.x, 5)

    processor = ImageProcessor(
      width: 20, height: 20, scaling: .fit(padding: [0.25, 0.5, 0.75]), mean: [0.1, 0.2, 0.3], std: [0.5, 0.25, 2])
    let boxed = try processor.tensor(from: data)
    for (channel, (mean, std)) in zip([Float(0.1), 0.2, 0.3], [Float(0.5), 0.25, 2]).enumerated() {
      let padding = (Float(channel + 1) * 0.25 - mean) / std
      XCTAssertEqual(boxed[0, channel, 4, 7], padding, accuracy: 1e-6)
      XCTAssertEqual(boxed[0, channel, 15, 19], padding, accuracy: 1e-6)
      XCTAssertEqual(boxed[0, channel, 5, 3], (source[0, channel, 0, 3] - mean) / std, accuracy: 1e-5)
      XCTAssertEqual(boxed[0, channel, 14, 19], (source[0, channel, 9, 19] - mean) / std, accuracy: 1e-5)
    }
    // A camera's frame on its side: 1920 x 1080 stored, upright 1080 x 1920.
    var letterbox = ImageProcessor.letterbox()
    letterbox.orientation = .right
    let place = try letterbox.placement(imageWidth: 1920, imageHeight: 1080)
    XCTAssertEqual(place.target, PixelRect(x: 140, y: 0, width: 360, height: 640))
    XCTAssertEqual(place.imagePoint(x: 140, y: 0).x, 0)
    XCTAssertEqual(place.imagePoint(x: 500, y: 640).x, 1080)
    XCTAssertEqual(place.imagePoint(x: 500, y: 640).y, 1920)
  }

  func testLayoutsChannelsAndBatches() throws {
    let data = image(6, 4)
    let source = try plain(data)
    var processor = ImageProcessor(width: 6, height: 4)
    processor.layout = .nhwc
    processor.channels = .bgr
    let tensor = try processor.tensor(from: data)
    XCTAssertEqual(tensor.shape, [1, 4, 6, 3])
    for y in 0..<4 {
      for x in 0..<6 {
        for channel in 0..<3 { XCTAssertEqual(tensor[0, y, x, channel], source[0, 2 - channel, y, x], accuracy: 1e-6) }
      }
    }
    processor = ImageProcessor(width: 6, height: 4)
    let batch = try Tensor<Float>(zeros: [3, 3, 4, 6])
    try processor.fill(batch, index: 2, from: data)
    XCTAssertEqual(batch[2, 1, 3, 5], source[0, 1, 3, 5])
    XCTAssertEqual(batch[1, 1, 3, 5], 0)
    XCTAssertThrowsError(try processor.fill(batch, index: 3, from: data))
    XCTAssertThrowsError(try processor.fill(Tensor<Float>(zeros: [1, 3, 6, 4]), from: data))
  }

  func testRowsWithGaps() throws {
    let data = image(5, 4, .bgra8)
    var bytes: [UInt8] = []
    for row in 0..<4 { bytes += data.bytes[row * 20..<row * 20 + 20] + [7, 7, 7, 7] }
    let processor = ImageProcessor(width: 3, height: 3)
    let expected = try processor.tensor(from: data).array()
    let found = try bytes.withUnsafeBytes { buffer in
      try processor.tensor(
        from: PixelImage(
          width: 5, height: 4, format: .bgra8, planes: [.init(base: buffer.baseAddress!, bytesPerRow: 24)])
      ).array()
    }
    XCTAssertEqual(found, expected)
  }

  func testWhatIsWrongIsSaid() throws {
    let data = image(4, 4)
    func fails(_ change: (inout ImageProcessor) -> Void, line: UInt = #line) {
      var processor = ImageProcessor(width: 2, height: 2)
      change(&processor)
      XCTAssertThrowsError(try processor.tensor(from: data), line: line) { XCTAssertTrue($0 is WickError) }
    }
    fails { $0.width = 0 }
    fails { $0.height = -3 }
    fails { $0.width = 1 << 40 }
    fails { $0.mean = [0] }
    fails { $0.std = [1, 0, 1] }
    fails { $0.scaling = .fit(padding: []) }
    fails { $0.crop = PixelRect(x: 3, y: 0, width: 2, height: 2) }
    fails { $0.crop = PixelRect(x: 0, y: -1, width: 2, height: 2) }
    fails { $0.crop = PixelRect(x: 0, y: 0, width: 0, height: 2) }
    fails { $0.crop = PixelRect(x: .max, y: 0, width: 2, height: 2) }
    let processor = ImageProcessor(width: 2, height: 2)
    try data.bytes.withUnsafeBytes { buffer in
      let plane = PixelImage.Plane(base: buffer.baseAddress!, bytesPerRow: 15)
      for image in [
        PixelImage(width: 4, height: 4, format: .rgba8, planes: [plane]),
        PixelImage(width: 3, height: 3, format: .nv12(YUVCoding()), planes: [plane]),
        PixelImage(width: 0, height: 3, format: .gray8, planes: [plane]),
      ] {
        XCTAssertThrowsError(try processor.tensor(from: image))
      }
    }
  }

  func testFramesOfAVideo() throws {
    // One tensor for all frames, in the time that a camera leaves.
    let data = image(1280, 720, .nv12(YUVCoding()))
    var processor = ImageProcessor.imageNet()
    processor.orientation = .right
    let tensor = try Tensor<Float>(zeros: processor.shape)
    measure { try? processor.fill(tensor, from: data) }
    XCTAssertNotEqual(tensor[0, 0, 100, 100], 0)
  }
}
