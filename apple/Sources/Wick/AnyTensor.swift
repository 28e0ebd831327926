// Tensors of any element type: a handle to the library's tensor.
import CWick
import Foundation

/// A tensor whose element type is known at run time only; `Tensor(anyTensor)` gives it one.
///
/// Copies are handles to the same elements, as in PyTorch: a change through one is seen through all. Reading and running
/// from several threads is allowed at the same time, changing elements meanwhile is not.
public struct AnyTensor: @unchecked Sendable {
  /// Releases the handle when the last copy goes.
  final class Storage {
    let handle: OpaquePointer
    init(_ handle: OpaquePointer) { self.handle = handle }
    deinit { wick_tensor_release(handle) }
  }
  let storage: Storage
  var handle: OpaquePointer { storage.handle }

  /// Takes the handle over.
  init(owning handle: OpaquePointer) { storage = Storage(handle) }

  /// Of zeros.
  public init(zeros shape: [Int], type: ElementType) throws {
    let sizes = shape.map(Int64.init)
    self.init(owning: try create { wick_tensor_zeros(type.rawValue, sizes, sizes.count, $0, $1) })
  }

  /// Copies bytes, which are all the elements in order.
  public init(copying bytes: UnsafeRawBufferPointer, shape: [Int], type: ElementType) throws {
    let sizes = shape.map(Int64.init)
    var none: UInt8 = 0
    self.init(
      owning: try withUnsafePointer(to: &none) { empty in
        try create {
          wick_tensor_from_copy(bytes.baseAddress ?? UnsafeRawPointer(empty), bytes.count, type.rawValue, sizes,
                                sizes.count, $0, $1)
        }
      })
  }

  /// Uses the caller's memory without a copy.
  /// - Parameters:
  ///   - memory: must hold every element that `shape` and `strides` reach, until `deallocator` is called.
  ///   - strides: in elements; nil: contiguous.
  ///   - deallocator: called once when no tensor uses the memory any more, from whichever thread that is; also when
  ///     this throws.
  public init(
    noCopy memory: UnsafeMutableRawBufferPointer, shape: [Int], strides: [Int]? = nil, type: ElementType,
    deallocator: (@Sendable (UnsafeMutableRawBufferPointer) -> Void)? = nil
  ) throws {
    if let problem = AnyTensor.problem(of: shape, strides: strides, bytes: memory.count, type: type) {
      deallocator?(memory)
      throw WickError(code: .invalidArgument, message: problem)
    }
    let sizes = shape.map(Int64.init)
    let steps = strides?.map(Int64.init)
    let release = Unmanaged.passRetained(Release { deallocator?(memory) })
    // An empty buffer may have no address; the library wants one.
    let address = memory.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 64)
    self.init(
      owning: try create { out, error in
        wick_tensor_from_blob(
          address, type.rawValue, sizes, sizes.count, steps,
          { _, context in Unmanaged<Release>.fromOpaque(context!).takeRetainedValue().action() },
          release.toOpaque(), out, error)
      })
  }

  private final class Release {
    let action: () -> Void
    init(_ action: @escaping () -> Void) { self.action = action }
  }

  /// What is wrong with memory of `bytes` bytes for these elements; nil: nothing.
  private static func problem(of shape: [Int], strides: [Int]?, bytes: Int, type: ElementType) -> String? {
    if shape.contains(where: { $0 < 0 }) { return "sizes \(shape) have a negative one" }
    if let strides, strides.count != shape.count { return "\(strides.count) strides for \(shape.count) dimensions" }
    if let strides, strides.contains(where: { $0 < 0 }) { return "strides \(strides) have a negative one" }
    if shape.contains(0) { return nil }
    var last = 0  // index of the last element
    var contiguous = 1
    for (dim, size) in shape.enumerated().reversed() {
      let step = strides?[dim] ?? contiguous
      let (reach, tooFar) = (size - 1).multipliedReportingOverflow(by: step)
      let (sum, tooMany) = last.addingReportingOverflow(reach)
      let (product, tooLarge) = contiguous.multipliedReportingOverflow(by: size)
      if tooFar || tooMany || tooLarge { return "sizes \(shape) are too large" }
      last = sum
      contiguous = product
    }
    let (needed, overflow) = (last &+ 1).multipliedReportingOverflow(by: type.size)
    if overflow || needed > bytes { return "memory of \(bytes) bytes, sizes \(shape) need \(needed) of \(type)" }
    return nil
  }

  public var elementType: ElementType { ElementType(rawValue: wick_tensor_dtype(handle)) ?? .other }
  public var shape: [Int] { ints(wick_tensor_sizes(handle)) }
  /// In elements.
  public var strides: [Int] { ints(wick_tensor_strides(handle)) }
  /// Number of elements.
  public var count: Int { Int(wick_tensor_numel(handle)) }
  public var isContiguous: Bool { wick_tensor_is_contiguous(handle) }

  private func ints(_ values: UnsafePointer<Int64>?) -> [Int] {
    UnsafeBufferPointer(start: values, count: wick_tensor_dims(handle)).map(Int.init)
  }

  /// The tensor itself when its elements lie one after the other, else a copy for which that is so.
  public func contiguous() throws -> AnyTensor {
    AnyTensor(owning: try create { wick_tensor_contiguous(handle, $0, $1) })
  }

  /// Converted to another element type.
  public func converted(to type: ElementType) throws -> AnyTensor {
    AnyTensor(owning: try create { wick_tensor_to(handle, type.rawValue, $0, $1) })
  }

  /// Scale and zero point of a tensor that is quantized with one of each.
  public func quantization() throws -> (scale: Double, zeroPoint: Int) {
    var scale = 0.0
    var zero: Int64 = 0
    try check { wick_tensor_qparams(handle, &scale, &zero, $0) }
    return (scale, Int(zero))
  }

  /// All elements in order as bytes, whatever the strides.
  public func data() throws -> Data {
    let bytes = count * wick_tensor_itemsize(handle)
    var out = Data(count: bytes)
    try out.withUnsafeMutableBytes { buffer in
      if bytes > 0 { try check { wick_tensor_copy_to(handle, buffer.baseAddress, bytes, $0) } }
    }
    return out
  }

  /// The elements' own memory as `Data`, without a copy, which keeps the tensor; a copy when it is not contiguous.
  public func dataNoCopy() throws -> Data {
    let tensor = try contiguous()
    let bytes = count * wick_tensor_itemsize(handle)
    guard bytes > 0, let start = wick_tensor_data(tensor.handle) else { return Data() }
    return Data(bytesNoCopy: start, count: bytes, deallocator: .custom { _, _ in withExtendedLifetime(tensor) {} })
  }
}

extension ElementType {
  /// Bytes of an element.
  public var size: Int {
    switch self {
    case .uint8, .int8, .bool, .qint8, .quint8, .quint4x2, .quint2x4: return 1
    case .float8_e5m2, .float8_e4m3fn, .float8_e5m2fnuz, .float8_e4m3fnuz, .other: return 1
    case .int16, .uint16, .float16, .bfloat16: return 2
    case .int32, .uint32, .float32, .qint32, .complex32: return 4
    case .int64, .uint64, .float64, .complex64: return 8
    case .complex128: return 16
    }
  }
}

extension AnyTensor: CustomStringConvertible {
  /// As PyTorch prints it.
  public var description: String { (try? text { wick_tensor_repr(handle, $0, $1) }) ?? "tensor(...)" }
}
