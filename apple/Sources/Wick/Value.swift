// What models take and give.

/// A value of TorchScript.
///
///     let output = try module.forward(image)
///     let mask = try output["out"].tensor(of: Float.self)
///
/// Numbers, texts, arrays and dictionary literals become values by themselves:
///
///     let inputs: [Value] = [.tensor(image), 0.5, "text", [1, 2, 3], ["scale": 2.0]]
///
/// Lists and dicts are copied between Swift and a model, tensors and objects are shared.
public indirect enum Value: Sendable {
  case none
  case bool(Bool)
  case int(Int)
  case double(Double)
  case complex(real: Double, imaginary: Double)
  case string(String)
  case tensor(AnyTensor)
  /// `elementType` as annotations write it ("Tensor", "List[int]"); nil: that of the items. Needed for empty lists.
  case list([Value], elementType: String? = nil)
  case tuple([Value])
  case dict(ValueDict)
  /// The name of a device, such as "cpu".
  case device(String)
  /// An object of a class, a member of an enum, a future and what else has no form in Swift: it can be given back to a
  /// model, and its attributes be read.
  case object(ValueObject)
}

/// A dict in the order its entries were added, as in Python.
public struct ValueDict: Sendable {
  public private(set) var keys: [Value] = []
  public private(set) var values: [Value] = []
  private var places: [Key: Int] = [:]
  /// As annotations write them; nil: those of the entries.
  public var keyType: String?
  public var valueType: String?

  public init(keyType: String? = nil, valueType: String? = nil) {
    self.keyType = keyType
    self.valueType = valueType
  }
  public init(_ entries: KeyValuePairs<String, Value>) {
    self.init()
    for (key, value) in entries { self[.string(key)] = value }
  }

  public var count: Int { keys.count }
  public var isEmpty: Bool { keys.isEmpty }

  /// Keys are texts, numbers and truth values; others are never found and not added.
  public subscript(key: Value) -> Value? {
    get { Key(key).flatMap { places[$0] }.map { values[$0] } }
    set {
      guard let place = Key(key) else { return }
      if let index = places[place] {
        if let newValue {
          values[index] = newValue
        } else {
          keys.remove(at: index)
          values.remove(at: index)
          places = Dictionary(uniqueKeysWithValues: keys.enumerated().map { (Key($1)!, $0) })
        }
      } else if let newValue {
        places[place] = keys.count
        keys.append(key)
        values.append(newValue)
      }
    }
  }
  public subscript(key: String) -> Value? {
    get { self[.string(key)] }
    set { self[.string(key)] = newValue }
  }
  public subscript(key: Int) -> Value? {
    get { self[.int(key)] }
    set { self[.int(key)] = newValue }
  }

  enum Key: Hashable {
    case bool(Bool)
    case int(Int)
    case double(Double)
    case complex(Double, Double)
    case string(String)
    case device(String)
    case tensor(ObjectIdentifier)

    init?(_ value: Value) {
      switch value {
      case .bool(let value): self = .bool(value)
      case .int(let value): self = .int(value)
      case .double(let value): self = .double(value)
      case .complex(let real, let imaginary): self = .complex(real, imaginary)
      case .string(let value): self = .string(value)
      case .device(let value): self = .device(value)
      case .tensor(let value): self = .tensor(ObjectIdentifier(value.storage))
      default: return nil
      }
    }
  }
}

extension ValueDict: Sequence {
  public func makeIterator() -> Zip2Sequence<[Value], [Value]>.Iterator { zip(keys, values).makeIterator() }
}

// MARK: - Reading

extension Value {
  public static func tensor<Element>(_ tensor: Tensor<Element>) -> Value { .tensor(tensor.untyped) }

  /// What kind it is, for messages: "tensor", "list" and so on.
  public var kind: String {
    switch self {
    case .none: return "none"
    case .bool: return "bool"
    case .int: return "int"
    case .double: return "double"
    case .complex: return "complex"
    case .string: return "string"
    case .tensor: return "tensor"
    case .list: return "list"
    case .tuple: return "tuple"
    case .dict: return "dict"
    case .device: return "device"
    case .object: return "object"
    }
  }

  private func mismatch(_ expected: String) -> WickError {
    WickError(code: .typeMismatch, message: "a value of kind \(kind) where one of kind \(expected) is expected")
  }

  public var isNone: Bool { if case .none = self { return true } else { return false } }

  public func bool() throws -> Bool {
    guard case .bool(let value) = self else { throw mismatch("bool") }
    return value
  }
  public func int() throws -> Int {
    guard case .int(let value) = self else { throw mismatch("int") }
    return value
  }
  /// Also of an int.
  public func double() throws -> Double {
    if case .int(let value) = self { return Double(value) }
    guard case .double(let value) = self else { throw mismatch("double") }
    return value
  }
  public func string() throws -> String {
    guard case .string(let value) = self else { throw mismatch("string") }
    return value
  }
  public func tensor() throws -> AnyTensor {
    guard case .tensor(let value) = self else { throw mismatch("tensor") }
    return value
  }
  /// Throws `typeMismatch` for a tensor of other elements.
  public func tensor<Element: TensorElement>(of type: Element.Type) throws -> Tensor<Element> {
    try Tensor<Element>(tensor())
  }
  /// The items of a list or a tuple.
  public func items() throws -> [Value] {
    switch self {
    case .list(let items, _), .tuple(let items): return items
    default: throw mismatch("list or tuple")
    }
  }
  public func dict() throws -> ValueDict {
    guard case .dict(let value) = self else { throw mismatch("dict") }
    return value
  }
  public func object() throws -> ValueObject {
    guard case .object(let value) = self else { throw mismatch("object") }
    return value
  }

  /// An item of a list or a tuple, or a dict's entry with this number as its key.
  public subscript(index: Int) -> Value {
    get throws {
      if case .dict(let dict) = self {
        guard let value = dict[index] else { throw WickError(code: .notFound, message: "the dict has no key \(index)") }
        return value
      }
      let items = try self.items()
      guard items.indices.contains(index) else {
        throw WickError(code: .indexOutOfRange, message: "item \(index) of \(items.count)")
      }
      return items[index]
    }
  }

  /// A dict's entry, or an attribute of an object.
  public subscript(name: String) -> Value {
    get throws {
      if case .object(let object) = self { return try object.attribute(name) }
      let dict = try self.dict()
      guard let value = dict[name] else {
        let known = dict.keys.prefix(20).map { "\($0)" }.joined(separator: ", ")
        throw WickError(code: .notFound, message: "the dict has no key '\(name)'; its keys: \(known)")
      }
      return value
    }
  }
}

extension Value: CustomStringConvertible {
  public var description: String {
    switch self {
    case .none: return "None"
    case .bool(let value): return value ? "True" : "False"
    case .int(let value): return "\(value)"
    case .double(let value): return "\(value)"
    case .complex(let real, let imaginary): return "(\(real)+\(imaginary)j)"
    case .string(let value): return "'\(value)'"
    case .tensor(let value): return value.description
    case .list(let items, _): return "[" + items.map(\.description).joined(separator: ", ") + "]"
    case .tuple(let items):
      return "(" + items.map(\.description).joined(separator: ", ") + (items.count == 1 ? ",)" : ")")
    case .dict(let dict): return "{" + dict.map { "\($0): \($1)" }.joined(separator: ", ") + "}"
    case .device(let name): return "device('\(name)')"
    case .object(let object): return object.description
    }
  }
}

// MARK: - Making

extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
  public init(dictionaryLiteral elements: (String, Value)...) {
    var dict = ValueDict()
    for (key, value) in elements { dict[key] = value }
    self = .dict(dict)
  }
  public init(nilLiteral: ()) { self = .none }
}

/// Types of Swift that become values of a model by themselves.
public protocol ValueConvertible {
  var value: Value { get }
}

extension Value: ValueConvertible { public var value: Value { self } }
extension Bool: ValueConvertible { public var value: Value { .bool(self) } }
extension Int: ValueConvertible { public var value: Value { .int(self) } }
extension Double: ValueConvertible { public var value: Value { .double(self) } }
extension Float: ValueConvertible { public var value: Value { .double(Double(self)) } }
extension String: ValueConvertible { public var value: Value { .string(self) } }
extension AnyTensor: ValueConvertible { public var value: Value { .tensor(self) } }
extension Tensor: ValueConvertible { public var value: Value { .tensor(untyped) } }
extension ValueObject: ValueConvertible { public var value: Value { .object(self) } }
extension ValueDict: ValueConvertible { public var value: Value { .dict(self) } }
extension Optional: ValueConvertible where Wrapped: ValueConvertible {
  public var value: Value { self?.value ?? .none }
}
extension Array: ValueConvertible where Element: ValueConvertible {
  public var value: Value { .list(map(\.value), elementType: (Element.self as? ValueTyped.Type)?.annotation) }
}
extension Dictionary: ValueConvertible where Key == String, Value: ValueConvertible {
  /// In the order of the keys.
  public var value: Wick.Value {
    var dict = ValueDict(keyType: "str", valueType: (Value.self as? ValueTyped.Type)?.annotation)
    for (key, value) in sorted(by: { $0.key < $1.key }) { dict[key] = value.value }
    return .dict(dict)
  }
}

/// Types that always have the same type in a model, so that empty arrays of them have one.
protocol ValueTyped { static var annotation: String? { get } }
extension Bool: ValueTyped { static var annotation: String? { "bool" } }
extension Int: ValueTyped { static var annotation: String? { "int" } }
extension Double: ValueTyped { static var annotation: String? { "float" } }
extension Float: ValueTyped { static var annotation: String? { "float" } }
extension String: ValueTyped { static var annotation: String? { "str" } }
extension AnyTensor: ValueTyped { static var annotation: String? { "Tensor" } }
extension Tensor: ValueTyped { static var annotation: String? { "Tensor" } }
extension Array: ValueTyped {
  static var annotation: String? { (Element.self as? ValueTyped.Type)?.annotation.map { "List[\($0)]" } }
}

/// Types of Swift that a model's result can be asked for as.
public protocol ValueDecodable {
  init(value: Value) throws
}

extension Value: ValueDecodable { public init(value: Value) { self = value } }
extension Bool: ValueDecodable { public init(value: Value) throws { self = try value.bool() } }
extension Int: ValueDecodable { public init(value: Value) throws { self = try value.int() } }
extension Double: ValueDecodable { public init(value: Value) throws { self = try value.double() } }
extension Float: ValueDecodable { public init(value: Value) throws { self = Float(try value.double()) } }
extension String: ValueDecodable { public init(value: Value) throws { self = try value.string() } }
extension AnyTensor: ValueDecodable { public init(value: Value) throws { self = try value.tensor() } }
extension Tensor: ValueDecodable { public init(value: Value) throws { try self.init(value.tensor()) } }
extension ValueDict: ValueDecodable { public init(value: Value) throws { self = try value.dict() } }
extension Optional: ValueDecodable where Wrapped: ValueDecodable {
  public init(value: Value) throws { self = value.isNone ? nil : try Wrapped(value: value) }
}
extension Array: ValueDecodable where Element: ValueDecodable {
  public init(value: Value) throws { self = try value.items().map { try Element(value: $0) } }
}
extension Dictionary: ValueDecodable where Key == String, Value: ValueDecodable {
  public init(value: Wick.Value) throws {
    self.init()
    for (key, item) in try value.dict() { self[try key.string()] = try Value(value: item) }
  }
}
