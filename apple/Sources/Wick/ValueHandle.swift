// Values between Swift and the library.
import CWick
import Foundation

/// A value that stays in the library: an object of a class, a member of an enum, a future.
public final class ValueObject: @unchecked Sendable, CustomStringConvertible {
  let handle: OpaquePointer

  /// Takes the handle over.
  init(owning handle: OpaquePointer) { self.handle = handle }
  deinit { wick_value_release(handle) }

  /// The name of its type.
  public var typeName: String { (try? text { wick_value_type(handle, $0, $1) }) ?? "?" }
  public var description: String { (try? text { wick_value_repr(handle, $0, $1) }) ?? "<\(typeName)>" }

  public func attribute(_ name: String) throws -> Value {
    try Value(owning: create { wick_value_field(handle, name, $0, $1) })
  }
  /// The value of an enum's member, or a future's, which is waited for.
  public func inner() throws -> Value { try Value(owning: create { wick_value_get_inner(handle, $0, $1) }) }
}

/// A value of the library's, released with this.
final class ValueHandle {
  let handle: OpaquePointer
  init(_ handle: OpaquePointer) { self.handle = handle }
  deinit { wick_value_release(handle) }
}

/// Bounds of what is copied out of a model: its values may hold themselves, or each other many times over.
private struct Budget {
  static let depth = 200
  var items = 20_000_000

  mutating func spend(_ count: Int, depth: Int) throws {
    items -= count
    guard items >= 0, depth <= Budget.depth else {
      throw WickError(
        code: .limitExceeded,
        message: "a value nested deeper than \(Budget.depth), or of more than 20,000,000 items (a list that holds itself?)")
    }
  }
}

extension Value {
  /// Takes the handle over.
  init(owning handle: OpaquePointer) throws {
    let owner = ValueHandle(handle)
    var budget = Budget()
    self = try withExtendedLifetime(owner) { try Value.read(handle, depth: 0, &budget) }
  }

  private static func read(_ handle: OpaquePointer, depth: Int, _ budget: inout Budget) throws -> Value {
    try budget.spend(1, depth: depth)
    switch Int(wick_value_kind(handle)) {
    case Int(WICK_KIND_NONE):
      return .none
    case Int(WICK_KIND_BOOL):
      var value = false
      try check { wick_value_get_bool(handle, &value, $0) }
      return .bool(value)
    case Int(WICK_KIND_INT):
      var value: Int64 = 0
      try check { wick_value_get_int(handle, &value, $0) }
      return .int(Int(truncatingIfNeeded: value))
    case Int(WICK_KIND_DOUBLE):
      var value = 0.0
      try check { wick_value_get_double(handle, &value, $0) }
      return .double(value)
    case Int(WICK_KIND_COMPLEX):
      var (real, imaginary) = (0.0, 0.0)
      try check { wick_value_get_complex(handle, &real, &imaginary, $0) }
      return .complex(real: real, imaginary: imaginary)
    case Int(WICK_KIND_STRING):
      var characters: UnsafePointer<CChar>?
      var length = 0
      try check { wick_value_get_string(handle, &characters, &length, $0) }
      let bytes = UnsafeRawBufferPointer(start: characters, count: length)
      return .string(String(decoding: bytes, as: UTF8.self))
    case Int(WICK_KIND_TENSOR):
      return .tensor(AnyTensor(owning: try create { wick_value_get_tensor(handle, $0, $1) }))
    case Int(WICK_KIND_LIST):
      let type = try text { wick_value_type(handle, $0, $1) }
      return .list(try items(handle, depth, &budget), elementType: typeArguments(type).first)
    case Int(WICK_KIND_TUPLE):
      return .tuple(try items(handle, depth, &budget))
    case Int(WICK_KIND_DICT):
      let types = typeArguments(try text { wick_value_type(handle, $0, $1) })
      var dict = ValueDict(keyType: types.first, valueType: types.count > 1 ? types[1] : nil)
      var count = 0
      try check { wick_value_size(handle, &count, $0) }
      for index in 0..<count {
        var key: OpaquePointer?
        var value: OpaquePointer?
        try check { wick_value_entry(handle, index, &key, &value, $0) }
        guard let key, let value else { throw WickError(code: .internal, message: "a dict's entry is missing") }
        let owners = (ValueHandle(key), ValueHandle(value))
        try withExtendedLifetime(owners) {
          dict[try read(key, depth: depth + 1, &budget)] = try read(value, depth: depth + 1, &budget)
        }
      }
      return .dict(dict)
    case Int(WICK_KIND_DEVICE):
      return .device(try text { wick_value_get_device(handle, $0, $1) })
    default:
      guard let share = wick_value_retain(handle) else { throw WickError(code: .outOfMemory, message: "out of memory") }
      return .object(ValueObject(owning: share))
    }
  }

  private static func items(_ handle: OpaquePointer, _ depth: Int, _ budget: inout Budget) throws -> [Value] {
    var count = 0
    try check { wick_value_size(handle, &count, $0) }
    var items: [Value] = []
    for index in 0..<count {
      let item = ValueHandle(try create { wick_value_item(handle, index, $0, $1) })
      items.append(try withExtendedLifetime(item) { try read(item.handle, depth: depth + 1, &budget) })
    }
    return items
  }

  /// "Dict[str, List[int]]" -> ["str", "List[int]"].
  static func typeArguments(_ type: String) -> [String] {
    guard let open = type.firstIndex(of: "["), type.last == "]" else { return [] }
    var arguments: [String] = []
    var current = ""
    var depth = 0
    for character in type[type.index(after: open)...].dropLast() {
      if character == "[" || character == "(" { depth += 1 }
      if character == "]" || character == ")" { depth -= 1 }
      if character == ",", depth == 0 {
        arguments.append(current)
        current = ""
      } else if !(character == " " && current.isEmpty) {
        current.append(character)
      }
    }
    arguments.append(current)
    return arguments
  }

  /// The library's form.
  func makeHandle(depth: Int = 0) throws -> ValueHandle {
    guard depth <= Budget.depth else {
      throw WickError(code: .limitExceeded, message: "a value nested deeper than \(Budget.depth)")
    }
    switch self {
    case .none: return ValueHandle(try create { wick_value_none($0, $1) })
    case .bool(let value): return ValueHandle(try create { wick_value_bool(value, $0, $1) })
    case .int(let value): return ValueHandle(try create { wick_value_int(Int64(value), $0, $1) })
    case .double(let value): return ValueHandle(try create { wick_value_double(value, $0, $1) })
    case .complex(let real, let imaginary):
      return ValueHandle(try create { wick_value_complex(real, imaginary, $0, $1) })
    case .string(var value):
      return try value.withUTF8 { bytes in
        try bytes.withMemoryRebound(to: CChar.self) { characters in
          ValueHandle(try create { wick_value_string(characters.baseAddress ?? empty, characters.count, $0, $1) })
        }
      }
    case .tensor(let tensor): return ValueHandle(try create { wick_value_tensor(tensor.handle, $0, $1) })
    case .list(let items, let elementType):
      return try Value.withHandles(items, depth) { handles in
        ValueHandle(try create { wick_value_list(elementType, handles, handles.count, $0, $1) })
      }
    case .tuple(let items):
      return try Value.withHandles(items, depth) { handles in
        ValueHandle(try create { wick_value_tuple(handles, handles.count, $0, $1) })
      }
    case .dict(let dict):
      let keys = try dict.keys.map { try $0.makeHandle(depth: depth + 1) }
      let values = try dict.values.map { try $0.makeHandle(depth: depth + 1) }
      let keyType = try dict.keyType ?? keys.first.map(Value.typeName)
      let valueType = try dict.valueType ?? values.first.map(Value.typeName)
      let made = ValueHandle(try create { wick_value_dict(keyType, valueType, $0, $1) })
      for (key, value) in zip(keys, values) {
        try check { wick_value_set(made.handle, key.handle, value.handle, $0) }
      }
      return made
    case .device(let name): return ValueHandle(try create { wick_value_device(name, $0, $1) })
    case .object(let object):
      guard let share = wick_value_retain(object.handle) else {
        throw WickError(code: .outOfMemory, message: "out of memory")
      }
      return ValueHandle(share)
    }
  }

  private static func typeName(_ value: ValueHandle) throws -> String {
    try text { wick_value_type(value.handle, $0, $1) }
  }

  /// Calls `body` with the library's forms of values.
  static func withHandles<R>(_ values: [Value], _ depth: Int = 0, _ body: ([OpaquePointer?]) throws -> R) throws -> R {
    let owners = try values.map { try $0.makeHandle(depth: depth + 1) }
    return try withExtendedLifetime(owners) { try body(owners.map(\.handle)) }
  }
}

/// An address for texts without characters.
private let empty = UnsafePointer(strdup("")!)
