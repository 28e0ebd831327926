// Models.
import CWick
import Dispatch
import Foundation

/// Bounds of a load. Zero and nil are no bound, or the default.
public struct LoadOptions: Sendable {
  /// Loads a model that needs operators the library lacks; running one of them throws.
  public var allowMissingOperators = false
  /// Reads the whole file at once instead of mapping it into memory.
  public var copy = false
  public var timeout: TimeInterval?
  /// In bytes.
  public var maxMemory: Int?
  /// Bytes that plans of runs may keep.
  public var maxPlanMemory: Int?
  public var cancellation: Cancellation?

  public init() {}

  func cancellable() -> (LoadOptions, Cancellation) {
    var options = self
    let cancellation = cancellation ?? Cancellation()
    options.cancellation = cancellation
    return (options, cancellation)
  }

  func withPointer<R>(_ body: (UnsafePointer<wick_load_options>) throws -> R) throws -> R {
    var options = wick_load_options()
    options.struct_size = MemoryLayout<wick_load_options>.size
    options.allow_missing_operators = allowMissingOperators
    options.copy = copy
    options.timeout_ms = milliseconds(timeout)
    options.max_memory = UInt64(clamping: maxMemory ?? 0)
    options.max_plan_memory = UInt64(clamping: maxPlanMemory ?? 0)
    options.cancellation = cancellation?.constHandle
    return try withExtendedLifetime(cancellation) { try withUnsafePointer(to: &options, body) }
  }
}

/// Bounds of a run. Zero and nil are no bound, or the default.
public struct RunOptions: Sendable {
  public var timeout: TimeInterval?
  /// In bytes.
  public var maxMemory: Int?
  public var maxOperations: Int?
  public var maxThreads: Int?
  public var cancellation: Cancellation?

  public init() {}
  public init(timeout: TimeInterval? = nil, maxThreads: Int? = nil, cancellation: Cancellation? = nil) {
    self.timeout = timeout
    self.maxThreads = maxThreads
    self.cancellation = cancellation
  }

  func cancellable() -> (RunOptions, Cancellation) {
    var options = self
    let cancellation = cancellation ?? Cancellation()
    options.cancellation = cancellation
    return (options, cancellation)
  }

  func withPointer<R>(_ body: (UnsafePointer<wick_run_options>) throws -> R) throws -> R {
    var options = wick_run_options()
    options.struct_size = MemoryLayout<wick_run_options>.size
    options.timeout_ms = milliseconds(timeout)
    options.max_memory = UInt64(clamping: maxMemory ?? 0)
    options.max_operations = Int64(clamping: maxOperations ?? 0)
    options.max_threads = Int32(clamping: maxThreads ?? 0)
    options.cancellation = cancellation?.constHandle
    return try withExtendedLifetime(cancellation) { try withUnsafePointer(to: &options, body) }
  }
}

/// At least 1 for a bound, however small: 0 is none.
private func milliseconds(_ seconds: TimeInterval?) -> Int64 {
  guard let seconds, seconds.isFinite else { return 0 }
  return Int64(min(max(seconds * 1000, 1), 1e15))
}

/// Stops the loads and runs that it is given to, from any thread.
public final class Cancellation: @unchecked Sendable {
  private let handle: OpaquePointer?
  var constHandle: OpaquePointer? { handle }

  public init() { handle = try? create { wick_cancellation_create($0, $1) } }
  deinit { wick_cancellation_release(handle) }

  public func cancel() { wick_cancellation_cancel(handle) }
  public var isCancelled: Bool { wick_cancellation_is_cancelled(handle) }
}

/// A model of PyTorch's (`.ptl`, `.pt`, TorchScript or lite interpreter).
///
///     let module = try Module(path: Bundle.main.path(forResource: "model", ofType: "ptl")!)
///     let scores: Tensor<Float> = try module.forward(image)
///
/// Runs may happen on several threads at the same time; `setAttribute` and `setMaxThreads` only between runs.
public final class Module: @unchecked Sendable {
  let handle: OpaquePointer

  private init(owning handle: OpaquePointer) { self.handle = handle }
  deinit { wick_module_release(handle) }

  /// Loads a file, which must not change while the module is used.
  public convenience init(path: String, options: LoadOptions = LoadOptions()) throws {
    self.init(
      owning: try options.withPointer { options in
        try create { wick_module_load_file(path, options, $0, $1) }
      })
  }

  public convenience init(url: URL, options: LoadOptions = LoadOptions()) throws {
    guard url.isFileURL else {
      throw WickError(code: .invalidArgument, message: "\(url) is not the URL of a file; download it first")
    }
    try self.init(path: url.path, options: options)
  }

  /// Loads bytes, which are copied.
  public convenience init(data: Data, options: LoadOptions = LoadOptions()) throws {
    self.init(
      owning: try options.withPointer { options in
        try data.withUnsafeBytes { bytes in
          var none: UInt8 = 0
          return try withUnsafePointer(to: &none) { empty in
            try create {
              wick_module_load_memory(bytes.baseAddress ?? UnsafeRawPointer(empty), bytes.count, options, $0, $1)
            }
          }
        }
      })
  }

  /// Loads a file without blocking the caller's thread. Cancelling the task stops the load.
  public static func load(path: String, options: LoadOptions = LoadOptions()) async throws -> Module {
    let (options, cancellation) = options.cancellable()
    return try await Module.background(cancellation) { try Module(path: path, options: options) }
  }

  /// An argument of a method.
  public struct Argument: Sendable, Equatable {
    public let name: String
    /// As annotations write it: "Tensor", "Optional[int]".
    public let type: String
  }

  public var methodNames: [String] {
    (0..<wick_module_method_count(handle)).compactMap { wick_module_method_name(handle, $0).map { String(cString: $0) } }
  }

  public func hasMethod(_ name: String) -> Bool { wick_module_has_method(handle, name) }

  /// The arguments of a method, without self.
  public func arguments(of method: String = "forward") throws -> [Argument] {
    var count = 0
    try check { wick_module_argument_count(handle, method, &count, $0) }
    return try (0..<count).map { index in
      var type: UnsafeMutablePointer<CChar>?
      let name = try text { wick_module_argument(handle, method, index, $0, &type, $1) }
      defer { wick_string_release(type) }
      return Argument(name: name, type: type.map { String(cString: $0) } ?? "")
    }
  }

  // MARK: Running

  /// Runs a method on this thread. Missing arguments take their defaults.
  public func run(
    _ method: String, _ arguments: [Value], named: KeyValuePairs<String, Value> = [:],
    options: RunOptions = RunOptions()
  ) throws -> Value {
    let names = named.map { strdup($0.key) }
    defer { names.forEach { free($0) } }
    let pointers = names.map { UnsafePointer<CChar>($0) }
    return try Value.withHandles(arguments + named.map(\.value)) { handles in
      try options.withPointer { options in
        try Value(
          owning: create {
            wick_module_run_named(handle, method, handles, handles.count, pointers, pointers.count, options, $0, $1)
          })
      }
    }
  }

  /// Runs a method on a thread of a queue of its own; others may run at the same time. Cancelling the task stops the
  /// run, which then throws `CancellationError`, and cancels `options.cancellation`.
  public func run(
    _ method: String, _ arguments: [Value], named: KeyValuePairs<String, Value> = [:],
    options: RunOptions = RunOptions()
  ) async throws -> Value {
    let (options, cancellation) = options.cancellable()
    return try await Module.background(cancellation) { [self] in
      try run(method, arguments, named: named, options: options)
    }
  }

  /// Runs `forward`.
  @discardableResult
  public func forward(_ arguments: ValueConvertible...) throws -> Value {
    try run("forward", arguments.map(\.value))
  }

  /// Runs `forward`, whose result is of a known type: `let scores: Tensor<Float> = try module.forward(image)`.
  public func forward<Result: ValueDecodable>(_ arguments: ValueConvertible...) throws -> Result {
    try Result(value: run("forward", arguments.map(\.value)))
  }

  /// Runs `forward` as `run` does in an asynchronous context.
  public func forward<Result: ValueDecodable>(_ arguments: ValueConvertible...) async throws -> Result {
    try Result(value: await run("forward", arguments.map(\.value)))
  }

  // MARK: Attributes

  /// An attribute; dots reach into submodules.
  public func attribute(_ path: String) throws -> Value {
    try Value(owning: create { wick_module_attribute(handle, path, $0, $1) })
  }

  public func setAttribute(_ path: String, to value: Value) throws {
    let made = try value.makeHandle()
    try withExtendedLifetime(made) { try check { wick_module_set_attribute(handle, path, made.handle, $0) } }
  }

  /// A file stored beside the model; nil when there is none of this name.
  public func extraFile(_ name: String) throws -> Data? {
    var bytes: UnsafePointer<CChar>?
    var size = 0
    do {
      try check { wick_module_extra_file(handle, name, &bytes, &size, $0) }
    } catch let error as WickError where error.code == .notFound {
      return nil
    }
    return bytes.map { Data(bytes: $0, count: size) } ?? Data()
  }

  /// Threads that an operator of this module may use; 0: as many as `threadCount` says.
  public func setMaxThreads(_ count: Int) throws {
    try check { wick_module_set_max_threads(handle, Int32(clamping: count), $0) }
  }

  // MARK: Concurrency

  private static let queue = DispatchQueue(label: "wick.runs", qos: .userInitiated, attributes: .concurrent)

  /// Runs `body` on the queue; the task's cancellation becomes `cancellation`.
  private static func background<R: Sendable>(
    _ cancellation: Cancellation, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try Task.checkCancellation()
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
      } onCancel: {
        cancellation.cancel()
      }
    } catch let error as WickError where error.code == .cancelled && Task.isCancelled {
      throw CancellationError()
    }
  }
}
