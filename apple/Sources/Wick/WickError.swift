// Errors of the library, as Swift throws them.
import CWick
import Foundation

/// What went wrong in loading or running a model: what was expected and found, where, and what to do.
public struct WickError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Kinds of errors. A kind that a newer library adds is `unknown`.
  public enum Code: Int32, Sendable, CaseIterable {
    case invalidArgument = 1
    case notFound
    case io
    case corruptFile
    case unsupportedVersion
    case missingOperator
    case unsupported
    case typeMismatch
    case shapeMismatch
    case indexOutOfRange
    case modelException
    case outOfMemory
    case limitExceeded
    case cancelled
    case deadlineExceeded
    case `internal`
    case unknown = -1
  }

  public let code: Code
  /// All that is known.
  public let message: String
  /// Of that, the lines that say where in the model it happened; empty when that is not known.
  public let source: String

  public init(code: Code, message: String, source: String = "") {
    self.code = code
    self.message = message
    self.source = source
  }

  public var description: String { message }
}

extension WickError: LocalizedError {
  public var errorDescription: String? { message }
}

/// The release of the library that runs, such as "0.1.0".
public var libraryVersion: String { String(cString: wick_version()) }

/// Threads that an operator may use, the calling one included; 0 sets the default. Of all modules.
public var threadCount: Int {
  get { Int(wick_num_threads()) }
  set { wick_set_num_threads(Int32(clamping: newValue)) }
}

/// Seeds the random numbers that models draw.
public func manualSeed(_ seed: UInt64) { wick_manual_seed(seed) }

/// Calls a function of the C API and throws its error.
func check(_ body: (UnsafeMutablePointer<OpaquePointer?>) -> wick_status) throws {
  var error: OpaquePointer?
  let status = body(&error)
  guard Int(status) != Int(WICK_OK) else { return }
  defer { wick_error_release(error) }
  throw WickError(
    code: WickError.Code(rawValue: status) ?? .unknown,
    message: error == nil ? String(cString: wick_status_name(status)) : String(cString: wick_error_message(error)),
    source: String(cString: wick_error_source(error)))
}

/// Calls a function that gives a handle, which then belongs to the caller.
func create(_ body: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<OpaquePointer?>) -> wick_status) throws
  -> OpaquePointer
{
  var handle: OpaquePointer?
  try check { body(&handle, $0) }
  guard let handle else { throw WickError(code: .internal, message: "the library gave no object and no error") }
  return handle
}

/// Calls a function that gives a text.
func text(_ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, UnsafeMutablePointer<OpaquePointer?>) -> wick_status)
  throws -> String
{
  var characters: UnsafeMutablePointer<CChar>?
  try check { body(&characters, $0) }
  defer { wick_string_release(characters) }
  return characters.map { String(cString: $0) } ?? ""
}
