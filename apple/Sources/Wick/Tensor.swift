// Tensors with an element type of Swift.
import CWick
import Foundation

/// A tensor of `Element`s.
///
///     let image = try Tensor<Float>(pixels, shape: [1, 3, 224, 224])
///     let scores: Tensor<Float> = try module.forward(image)
///     print(scores.shape, scores[0, 7])
///
/// Copies are handles to the same elements, as in PyTorch; `copy()` makes others. Reading from several threads is
/// allowed at the same time, changing elements meanwhile is not.
public struct Tensor<Element: TensorElement>: @unchecked Sendable {
  /// The same tensor without its type.
  public let untyped: AnyTensor
  // Asked for once: subscripts use them.
  private let sizes: [Int]
  private let steps: [Int]

  private init(checked: AnyTensor) {
    untyped = checked
    sizes = checked.shape
    steps = checked.strides
  }

  /// Throws `typeMismatch` unless the tensor's elements are of this type: `converted(to:)` changes them.
  public init(_ tensor: AnyTensor) throws {
    guard tensor.elementType == Element.elementType else {
      throw WickError(
        code: .typeMismatch,
        message: "a tensor of \(tensor.elementType) where one of \(Element.elementType) is expected; "
          + "converted(to: .\(Element.elementType)) makes one")
    }
    self.init(checked: tensor)
  }

  /// Of zeros.
  public init(zeros shape: [Int]) throws {
    self.init(checked: try AnyTensor(zeros: shape, type: Element.elementType))
  }

  /// Copies the elements, in order.
  public init(_ elements: [Element], shape: [Int]) throws {
    self.init(
      checked: try elements.withUnsafeBytes {
        try AnyTensor(copying: $0, shape: shape, type: Element.elementType)
      })
  }

  /// A tensor of one dimension.
  public init(_ elements: [Element]) throws { try self.init(elements, shape: [elements.count]) }

  /// A tensor without dimensions, of one element.
  public init(scalar: Element) throws { try self.init([scalar], shape: []) }

  /// Copies the bytes, which are all the elements in order.
  public init(data: Data, shape: [Int]) throws {
    self.init(
      checked: try data.withUnsafeBytes { try AnyTensor(copying: $0, shape: shape, type: Element.elementType) })
  }

  /// Memory of the library's, of zeros at first, that `initialize` fills: no copy is made.
  public init(shape: [Int], initializingWith initialize: (UnsafeMutableBufferPointer<Element>) throws -> Void) throws {
    try self.init(zeros: shape)
    try withUnsafeMutableElements(initialize)
  }

  /// Uses the caller's memory without a copy; see `AnyTensor.init(noCopy:...)`.
  public init(
    noCopy memory: UnsafeMutableBufferPointer<Element>, shape: [Int], strides: [Int]? = nil,
    deallocator: (@Sendable (UnsafeMutableRawBufferPointer) -> Void)? = nil
  ) throws {
    self.init(
      checked: try AnyTensor(
        noCopy: UnsafeMutableRawBufferPointer(memory), shape: shape, strides: strides, type: Element.elementType,
        deallocator: deallocator))
  }

  public var shape: [Int] { sizes }
  /// In elements.
  public var strides: [Int] { steps }
  /// Number of elements.
  public var count: Int { untyped.count }
  public var isContiguous: Bool { untyped.isContiguous }

  /// All elements in order, whatever the strides.
  public func array() throws -> [Element] {
    let count = self.count
    guard count > 0 else { return [] }
    return try [Element](unsafeUninitializedCapacity: count) { buffer, used in
      let bytes = count * MemoryLayout<Element>.stride
      try check { wick_tensor_copy_to(untyped.handle, buffer.baseAddress, bytes, $0) }
      used = count
    }
  }

  /// The element without a copy, where the strides say.
  /// - Precondition: as many indices as dimensions, each within its size.
  public subscript(indices: Int...) -> Element {
    get { pointer(to: indices).pointee }
    nonmutating set { pointer(to: indices).pointee = newValue }
  }

  private func pointer(to indices: [Int]) -> UnsafeMutablePointer<Element> {
    precondition(indices.count == sizes.count, "\(indices.count) indices into \(sizes.count) dimensions")
    var offset = 0
    for (dim, index) in indices.enumerated() {
      precondition(index >= 0 && index < sizes[dim], "index \(index) into dimension \(dim) of size \(sizes[dim])")
      offset += index * steps[dim]
    }
    return wick_tensor_data(untyped.handle)!.assumingMemoryBound(to: Element.self) + offset
  }

  /// The only element of a tensor that has one.
  public func item() throws -> Element {
    guard count == 1 else {
      throw WickError(code: .shapeMismatch, message: "item() of a tensor with sizes \(sizes), which has \(count) elements")
    }
    return try array()[0]
  }

  /// The elements in order: the tensor's own memory when it is contiguous, else a copy. Valid in `body` only.
  public func withUnsafeElements<R>(_ body: (UnsafeBufferPointer<Element>) throws -> R) throws -> R {
    let tensor = try untyped.contiguous()
    return try withExtendedLifetime(tensor) {
      let start = wick_tensor_data(tensor.handle)?.assumingMemoryBound(to: Element.self)
      return try body(UnsafeBufferPointer(start: count == 0 ? nil : start, count: count))
    }
  }

  /// The tensor's own memory, to be changed. Throws unless the tensor is contiguous. Valid in `body` only.
  public func withUnsafeMutableElements<R>(_ body: (UnsafeMutableBufferPointer<Element>) throws -> R) throws -> R {
    guard isContiguous else {
      throw WickError(
        code: .unsupported,
        message: "elements of a tensor with sizes \(sizes) and strides \(steps) do not lie one after the other; copy() it")
    }
    return try withExtendedLifetime(untyped) {
      let start = wick_tensor_data(untyped.handle)?.assumingMemoryBound(to: Element.self)
      return try body(UnsafeMutableBufferPointer(start: count == 0 ? nil : start, count: count))
    }
  }

  /// A tensor of its own memory, contiguous.
  public func copy() throws -> Tensor {
    let source = self
    return try Tensor(shape: sizes) { buffer in
      let bytes = buffer.count * MemoryLayout<Element>.stride
      if bytes > 0 { try check { wick_tensor_copy_to(source.untyped.handle, buffer.baseAddress, bytes, $0) } }
    }
  }

  /// Converted to another element type.
  public func converted<Other: TensorElement>(to type: Other.Type) throws -> Tensor<Other> {
    try Tensor<Other>(untyped.converted(to: Other.elementType))
  }
}

extension Tensor where Element: Comparable {
  /// The `k` largest elements of the flattened tensor with their indices, largest first; of equal ones the first first.
  public func top(_ k: Int) throws -> [(index: Int, value: Element)] {
    let elements = try array()
    return elements.indices.sorted { elements[$0] > elements[$1] || (elements[$0] == elements[$1] && $0 < $1) }
      .prefix(max(0, k)).map { ($0, elements[$0]) }
  }
}

extension Tensor: CustomStringConvertible {
  /// As PyTorch prints it.
  public var description: String { untyped.description }
}
