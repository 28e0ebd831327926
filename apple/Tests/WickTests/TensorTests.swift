import Foundation
import XCTest

@testable import Wick

final class TensorTests: XCTestCase {
  func testElementsInOrder() throws {
    let tensor = try Tensor<Float>([1, 2, 3, 4, 5, 6], shape: [2, 3])
    XCTAssertEqual(tensor.shape, [2, 3])
    XCTAssertEqual(tensor.strides, [3, 1])
    XCTAssertEqual(tensor.count, 6)
    XCTAssertEqual(tensor[1, 0], 4)
    XCTAssertEqual(try tensor.array(), [1, 2, 3, 4, 5, 6])
    tensor[1, 0] = 40
    XCTAssertEqual(try tensor.array(), [1, 2, 3, 40, 5, 6])
  }

  func testWrongCountThrows() {
    XCTAssertThrowsError(try Tensor<Float>([1, 2, 3], shape: [2, 2])) { error in
      XCTAssertFalse((error as! WickError).message.isEmpty)
    }
    XCTAssertThrowsError(try Tensor<Float>(zeros: [-1]))
    XCTAssertThrowsError(try Tensor<Float>(zeros: [1 << 40, 1 << 40]))
  }

  func testEmptyAndScalar() throws {
    let none = try Tensor<Int64>([], shape: [0, 4])
    XCTAssertEqual(none.count, 0)
    XCTAssertEqual(try none.array(), [])
    XCTAssertEqual(try none.untyped.data(), Data())
    XCTAssertEqual(try none.withUnsafeElements { $0.count }, 0)
    XCTAssertThrowsError(try none.item())
    let one = try Tensor<Double>(scalar: 2.5)
    XCTAssertEqual(one.shape, [])
    XCTAssertEqual(try one.item(), 2.5)
  }

  func testEveryElementTypeRoundTrips() throws {
    func check<E: TensorElement & Equatable>(_ elements: [E]) throws {
      let tensor = try Tensor<E>(elements)
      XCTAssertEqual(try tensor.array(), elements)
      XCTAssertEqual(tensor.untyped.elementType, E.elementType)
      XCTAssertEqual(E.elementType.size, MemoryLayout<E>.stride)
      XCTAssertThrowsError(try E.self is Bool.Type ? Tensor<UInt8>(tensor.untyped).count : Tensor<Bool>(tensor.untyped).count)
    }
    try check([UInt8](0...255))
    try check([Int8](-128...127))
    try check([Int16.min, -1, 0, .max])
    try check([Int32.min, -1, 0, .max])
    try check([Int64.min, -1, 0, .max])
    try check([Int.min, -1, 0, .max])
    try check([UInt16.max, 1])
    try check([UInt32.max, 1])
    try check([UInt64.max, 1])
    try check([Float16(1.5), -2])
    try check([Float.pi, -.infinity])
    try check([Double.pi, .leastNonzeroMagnitude])
    try check([true, false, true])
  }

  func testNoCopyUsesTheCallersMemory() throws {
    let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: 6)
    for index in 0..<6 { memory[index] = Float(index) }
    let released = Counter()
    do {
      let tensor = try Tensor<Float>(noCopy: memory, shape: [2, 3]) { buffer in
        released.add()
        buffer.deallocate()
      }
      memory[4] = 44
      XCTAssertEqual(tensor[1, 1], 44)
      tensor[0, 0] = -1
      XCTAssertEqual(memory[0], -1)
      XCTAssertEqual(try tensor.withUnsafeElements { $0.baseAddress }, UnsafePointer(memory.baseAddress))
      XCTAssertEqual(released.value, 0)
    }
    XCTAssertEqual(released.value, 1)
  }

  func testNoCopyWithStrides() throws {
    let memory = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 6)
    defer { memory.deallocate() }
    for index in 0..<6 { memory[index] = Int32(index) }
    let transposed = try Tensor<Int32>(noCopy: memory, shape: [3, 2], strides: [1, 3])
    XCTAssertFalse(transposed.isContiguous)
    XCTAssertEqual(try transposed.array(), [0, 3, 1, 4, 2, 5])
    XCTAssertEqual(transposed[2, 1], 5)
    XCTAssertEqual(try transposed.withUnsafeElements { Array($0) }, [0, 3, 1, 4, 2, 5])
    XCTAssertThrowsError(try transposed.withUnsafeMutableElements { _ in })
    XCTAssertEqual(try transposed.copy().strides, [2, 1])
    XCTAssertEqual(transposed.description.split(separator: "\n").count, 4, transposed.description)
  }

  func testNoCopyRefusesTooLittleMemory() throws {
    let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: 5)
    defer { memory.deallocate() }
    let released = Counter()
    XCTAssertThrowsError(try Tensor<Float>(noCopy: memory, shape: [2, 3]) { _ in released.add() })
    XCTAssertEqual(released.value, 1)
    XCTAssertThrowsError(try Tensor<Float>(noCopy: memory, shape: [2, 2], strides: [4, 1]))
    XCTAssertThrowsError(try Tensor<Float>(noCopy: memory, shape: [2], strides: [-1]))
    XCTAssertThrowsError(try Tensor<Float>(noCopy: memory, shape: [2], strides: [1, 1]))
    XCTAssertThrowsError(try Tensor<Float>(noCopy: memory, shape: [.max, .max]))
    XCTAssertNoThrow(try Tensor<Float>(noCopy: memory, shape: [2, 2], strides: [3, 1]))
  }

  func testDataWithoutCopyKeepsTheTensor() throws {
    var data = Data()
    do { data = try Tensor<Float>([1, 2, 3]).untyped.dataNoCopy() }
    XCTAssertEqual(data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }, [1, 2, 3])
    XCTAssertEqual(try Tensor<Float>(data: data, shape: [3]).array(), [1, 2, 3])
  }

  func testConversionAndTop() throws {
    let tensor = try Tensor<Float>([0.5, 3, -1, 3])
    XCTAssertEqual(try tensor.converted(to: Int32.self).array(), [0, 3, -1, 3])
    XCTAssertEqual(try tensor.top(3).map(\.index), [1, 3, 0])
    XCTAssertThrowsError(try Tensor<Double>(tensor.untyped)) { error in
      XCTAssertEqual((error as! WickError).code, .typeMismatch)
    }
  }

  func testFilledInPlace() throws {
    let tensor = try Tensor<Int16>(shape: [2, 2]) { buffer in
      for index in buffer.indices { buffer[index] = Int16(index * index) }
    }
    XCTAssertEqual(try tensor.array(), [0, 1, 4, 9])
    struct Stop: Error {}
    XCTAssertThrowsError(try Tensor<Int16>(shape: [2]) { _ in throw Stop() }) { XCTAssertTrue($0 is Stop) }
  }
}

/// Counts calls from any thread.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  func add() { lock.lock(); count += 1; lock.unlock() }
  var value: Int { lock.lock(); defer { lock.unlock() }; return count }
}
