// Element types of tensors, and the Swift types they are read as.
import CWick

/// PyTorch's element types.
public enum ElementType: Int32, Sendable, CaseIterable, CustomStringConvertible {
  case uint8 = 0
  case int8 = 1
  case int16 = 2
  case int32 = 3
  case int64 = 4
  case float16 = 5
  case float32 = 6
  case float64 = 7
  case complex32 = 8
  case complex64 = 9
  case complex128 = 10
  case bool = 11
  case qint8 = 12
  case quint8 = 13
  case qint32 = 14
  case bfloat16 = 15
  case quint4x2 = 16
  case quint2x4 = 17
  case float8_e5m2 = 23
  case float8_e4m3fn = 24
  case float8_e5m2fnuz = 25
  case float8_e4m3fnuz = 26
  case uint16 = 27
  case uint32 = 28
  case uint64 = 29
  /// One that this version has no name for: such a tensor can be given on to a model, and is not read.
  case other = -1

  /// PyTorch's name.
  public var description: String { ElementType.names[self] ?? "other" }

  private static let names: [ElementType: String] = [
    .uint8: "uint8", .int8: "int8", .int16: "int16", .int32: "int32", .int64: "int64", .float16: "float16",
    .float32: "float32", .float64: "float64", .complex32: "complex32", .complex64: "complex64",
    .complex128: "complex128", .bool: "bool", .qint8: "qint8", .quint8: "quint8", .qint32: "qint32",
    .bfloat16: "bfloat16", .quint4x2: "quint4x2", .quint2x4: "quint2x4", .float8_e5m2: "float8_e5m2",
    .float8_e4m3fn: "float8_e4m3fn", .float8_e5m2fnuz: "float8_e5m2fnuz", .float8_e4m3fnuz: "float8_e4m3fnuz",
    .uint16: "uint16", .uint32: "uint32", .uint64: "uint64",
  ]
}

/// A Swift type that tensors can have as elements. Its values lie in memory as the library's do.
public protocol TensorElement: Sendable {
  static var elementType: ElementType { get }
}

extension UInt8: TensorElement { public static var elementType: ElementType { .uint8 } }
extension Int8: TensorElement { public static var elementType: ElementType { .int8 } }
extension Int16: TensorElement { public static var elementType: ElementType { .int16 } }
extension Int32: TensorElement { public static var elementType: ElementType { .int32 } }
extension Int64: TensorElement { public static var elementType: ElementType { .int64 } }
#if arch(arm64) || arch(x86_64)
extension Int: TensorElement { public static var elementType: ElementType { .int64 } }
#endif
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
extension Float16: TensorElement { public static var elementType: ElementType { .float16 } }
#endif
extension Float: TensorElement { public static var elementType: ElementType { .float32 } }
extension Double: TensorElement { public static var elementType: ElementType { .float64 } }
extension Bool: TensorElement { public static var elementType: ElementType { .bool } }
extension UInt16: TensorElement { public static var elementType: ElementType { .uint16 } }
extension UInt32: TensorElement { public static var elementType: ElementType { .uint32 } }
extension UInt64: TensorElement { public static var elementType: ElementType { .uint64 } }
