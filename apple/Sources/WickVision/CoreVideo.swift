// Pixel buffers of cameras and video decoders.
#if canImport(CoreVideo)
import CoreVideo
import Wick

extension ImageProcessor {
  /// A new tensor with the image of a pixel buffer (BGRA, RGBA, ARGB, ABGR, RGB, one component, '420v', '420f', 'y420').
  public func tensor(from buffer: CVPixelBuffer) throws -> Tensor<Float> {
    try buffer.withImage { try tensor(from: $0) }
  }
  /// Writes the image over a tensor's item: one tensor serves all frames.
  public func fill(_ tensor: Tensor<Float>, index: Int = 0, from buffer: CVPixelBuffer) throws {
    try buffer.withImage { try fill(tensor, index: index, from: $0) }
  }
}

extension CVPixelBuffer {
  /// Calls `body` with the pixels, which are locked for reading meanwhile.
  public func withImage<R>(_ body: (PixelImage) throws -> R) throws -> R {
    let code = CVPixelBufferGetPixelFormatType(self)
    guard let format = pixelFormat(code) else {
      throw WickError(code: .unsupported, message: "pixel buffers of format \(code) ('\(fourCharacters(code))')")
    }
    guard CVPixelBufferLockBaseAddress(self, .readOnly) == kCVReturnSuccess else {
      throw WickError(code: .io, message: "the pixel buffer cannot be locked")
    }
    defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
    var planes: [PixelImage.Plane] = []
    if CVPixelBufferIsPlanar(self) {
      for index in 0..<CVPixelBufferGetPlaneCount(self) {
        guard let base = CVPixelBufferGetBaseAddressOfPlane(self, index) else { break }
        planes.append(.init(base: base, bytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(self, index)))
      }
    } else if let base = CVPixelBufferGetBaseAddress(self) {
      planes.append(.init(base: base, bytesPerRow: CVPixelBufferGetBytesPerRow(self)))
    }
    return try body(
      PixelImage(
        width: CVPixelBufferGetWidth(self), height: CVPixelBufferGetHeight(self), format: format, planes: planes))
  }

  private func pixelFormat(_ code: OSType) -> PixelFormat? {
    switch code {
    case kCVPixelFormatType_32BGRA: return .bgra8
    case kCVPixelFormatType_32RGBA: return .rgba8
    case kCVPixelFormatType_32ARGB: return .argb8
    case kCVPixelFormatType_32ABGR: return .abgr8
    case kCVPixelFormatType_24RGB: return .rgb8
    case kCVPixelFormatType_24BGR: return .bgr8
    case kCVPixelFormatType_OneComponent8: return .gray8
    case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: return .nv12(YUVCoding(matrix, fullRange: true))
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: return .nv12(YUVCoding(matrix, fullRange: false))
    case kCVPixelFormatType_420YpCbCr8Planar: return .i420(YUVCoding(matrix, fullRange: false))
    case kCVPixelFormatType_420YpCbCr8PlanarFullRange: return .i420(YUVCoding(matrix, fullRange: true))
    default: return nil
    }
  }

  /// What the buffer says of its colors, else that of standard definition.
  private var matrix: YUVCoding.Matrix {
    let value = CVBufferGetAttachment(self, kCVImageBufferYCbCrMatrixKey, nil)?.takeUnretainedValue()
    guard let value else { return .bt601 }
    return CFEqual(value, kCVImageBufferYCbCrMatrix_ITU_R_709_2) ? .bt709 : .bt601
  }
}

private func fourCharacters(_ code: OSType) -> String {
  String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }, as: UTF8.self)
}
#endif
