import Foundation
import XCTest

@testable import Wick

func model(_ name: String) throws -> String {
  try XCTUnwrap(Bundle.module.path(forResource: "Models/" + name, ofType: nil), "no model \(name)")
}

final class ModuleTests: XCTestCase {
  func testLinearFromFileDataAndScript() throws {
    let path = try model("linear.ptl")
    let input = try Tensor<Float>([1, 2, 3, 0, 0, 1], shape: [2, 3])
    let expected: [Float] = [24, -9.25, 13, -9.75]
    for module in [
      try Module(path: path), try Module(url: URL(fileURLWithPath: path)),
      try Module(data: Data(contentsOf: URL(fileURLWithPath: path))), try Module(path: model("linear.pt")),
    ] {
      let output: Tensor<Float> = try module.forward(input)
      XCTAssertEqual(output.shape, [2, 2])
      XCTAssertEqual(try output.array(), expected)
      XCTAssertTrue(module.hasMethod("forward"))
      XCTAssertFalse(module.hasMethod("backward"))
    }
  }

  func testLoadErrors() throws {
    XCTAssertThrowsError(try Module(path: "/nowhere/model.ptl")) { error in
      XCTAssertTrue("\(error)".contains("/nowhere/model.ptl"), "\(error)")
      XCTAssertEqual(error.localizedDescription, "\(error)")
    }
    XCTAssertThrowsError(try Module(data: Data())) { XCTAssertEqual(($0 as! WickError).code, .corruptFile) }
    XCTAssertThrowsError(try Module(data: Data("no model at all".utf8)))
    XCTAssertThrowsError(try Module(url: URL(string: "https://example.org/model.ptl")!)) {
      XCTAssertEqual(($0 as! WickError).code, .invalidArgument)
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: model("values.ptl")))
    for count in stride(from: 0, to: bytes.count, by: 97) {
      XCTAssertThrowsError(try Module(data: bytes.prefix(count)))
    }
  }

  func testMethodsAndArguments() throws {
    let module = try Module(path: model("values.ptl"))
    XCTAssertEqual(
      Set(module.methodNames).intersection(["forward", "words", "total", "nested", "state", "forever", "fails"]).count, 7)
    let arguments = try module.arguments(of: "total")
    XCTAssertEqual(arguments.map(\.name), ["items", "scale", "more"])
    XCTAssertEqual(arguments.map(\.type), ["List[float]", "Optional[float]", "Optional[Dict[str, int]]"])
    XCTAssertThrowsError(try module.arguments(of: "nothing"))
    XCTAssertThrowsError(try module.run("nothing", []))
  }

  func testDictOfTensors() throws {
    let module = try Module(path: model("values.ptl"))
    let input = try Tensor<Float>([1, 2, 3, 4, 5, 6], shape: [2, 3])
    let output = try module.forward(input) as Value
    XCTAssertEqual(try output["out"].tensor(of: Float.self).array(), [2, 4, 6, 8, 10, 12])
    // A view with swapped strides: elements come in the order of its sizes.
    let aux = try output["aux"].tensor(of: Float.self)
    XCTAssertEqual(aux.shape, [3, 2])
    XCTAssertFalse(aux.isContiguous)
    XCTAssertEqual(try aux.array(), [1, 4, 2, 5, 3, 6])
    XCTAssertEqual(aux[2, 1], 6)
    XCTAssertThrowsError(try output["other"]) { XCTAssertTrue("\($0)".contains("'out'"), "\($0)") }
    let typed: [String: Tensor<Float>] = try module.forward(input)
    XCTAssertEqual(typed.keys.sorted(), ["aux", "out"])
  }

  func testWordsNumbersAndNames() throws {
    let module = try Module(path: model("values.ptl"))
    XCTAssertEqual(try [String](value: module.run("words", ["añ\u{0}b", 2])), ["añ\u{0}b0", "añ\u{0}b1"])
    XCTAssertEqual(try [String](value: module.run("words", ["", 0])), [])
    XCTAssertEqual(try module.run("total", [[1.5, 2.5].value]).double(), 4)
    XCTAssertEqual(try module.run("total", [[Double]().value, 2.0]).double(), 0)
    XCTAssertEqual(try module.run("total", [[1.5].value], named: ["scale": 2.0]).double(), 3)
    XCTAssertEqual(try module.run("total", [[1.5].value], named: ["more": ["a": 1, "b": 2], "scale": nil]).double(), 4.5)
    XCTAssertThrowsError(try module.run("total", [[1.5].value], named: ["weight": 1.0]))
    XCTAssertThrowsError(try module.run("total", ["text"])) {
      XCTAssertFalse("\($0)".isEmpty)
    }
    let (value, flag, device): (Value, Value, Value)
    let items = try module.run("twice", [.complex(real: 1, imaginary: -2), true]).items()
    (value, flag, device) = (items[0], items[1], items[2])
    guard case .complex(real: 2, imaginary: -4) = value else { return XCTFail("\(value)") }
    XCTAssertFalse(try flag.bool())
    guard case .device("cpu") = device else { return XCTFail("\(device)") }
  }

  func testNestedValues() throws {
    let module = try Module(path: model("values.ptl"))
    let output = try module.run("nested", [.tensor(Tensor<Float>([1]))])
    XCTAssertEqual(try output[0].string(), "text")
    XCTAssertEqual(try output[1][1][0].int(), 2)
    XCTAssertEqual(try output[1][1][1].tensor(of: Float.self).item(), 2)
    let dict = try output[2].dict()
    XCTAssertEqual(try dict.keys.map { try $0.int() }, [7, 3])
    XCTAssertEqual(try [Bool](value: XCTUnwrap(dict[7])), [true, false])
    XCTAssertEqual(dict.keyType, "int")
    XCTAssertEqual(dict.valueType, "List[bool]")
    XCTAssertTrue(try output[3].isNone)
    XCTAssertThrowsError(try output[4]) { XCTAssertEqual(($0 as! WickError).code, .indexOutOfRange) }
    XCTAssertThrowsError(try output[0].int()) { XCTAssertEqual(($0 as! WickError).code, .typeMismatch) }
    XCTAssertTrue(output.description.hasPrefix("('text', [(1, "), output.description)
  }

  func testStateGoesInAgain() throws {
    let module = try Module(path: model("values.ptl"))
    var state = try module.run("state", [])
    for _ in 0..<4 { state = try module.run("state", [state]) }
    XCTAssertEqual(try [Int](value: state[0]), [0, 1, 2, 3])
    XCTAssertEqual(try state[1][3].tensor(of: Float.self).array(), [3, 3])
  }

  func testElementTypes() throws {
    let module = try Module(path: model("values.ptl"))
    let tensors = try module.run("typed", [.tensor(Tensor<Float>([1, 2]))]).items().map { try $0.tensor() }
    XCTAssertEqual(
      tensors.map(\.elementType),
      [.uint8, .int8, .int16, .int32, .int64, .float16, .float32, .float64, .bool, .quint8])
    XCTAssertEqual(try Tensor<Float16>(tensors[5]).array(), [1, 2])
    XCTAssertEqual(try Tensor<Bool>(tensors[8]).array(), [false, true])
    XCTAssertEqual(try tensors[9].quantization().scale, 0.5)
    XCTAssertEqual(try tensors[9].quantization().zeroPoint, 3)
    XCTAssertThrowsError(try tensors[0].quantization())
  }

  func testErrorsOfTheModel() throws {
    let module = try Module(path: model("values.ptl"))
    XCTAssertThrowsError(try module.run("fails", [.tensor(Tensor<Float>(zeros: [2]))])) { error in
      XCTAssertEqual((error as! WickError).code, .modelException)
      XCTAssertTrue("\(error)".contains("more than one row"), "\(error)")
    }
    XCTAssertNoThrow(try module.run("fails", [.tensor(Tensor<Float>(zeros: [1]))]))
  }

  func testAttributesAndFiles() throws {
    let module = try Module(path: model("values.ptl"))
    XCTAssertEqual(try module.attribute("counter.count").int(), 0)
    try module.setAttribute("counter.count", to: 5)
    XCTAssertEqual(try module.attribute("counter.count").int(), 5)
    XCTAssertThrowsError(try module.attribute("nothing"))
    let counter = try module.attribute("counter")
    XCTAssertEqual(try counter["count"].int(), 5)
    XCTAssertEqual(try counter["state"]["a"].tensor(of: Float.self).array(), [0, 0])
    XCTAssertTrue(try counter.object().typeName.contains("Counter"))
    XCTAssertEqual(try module.extraFile("labels.txt"), Data("cat\ndog\n".utf8))
    XCTAssertNil(try module.extraFile("other.txt"))
  }

  func testLimits() throws {
    let module = try Module(path: model("values.ptl"))
    XCTAssertThrowsError(try module.run("forever", [], options: RunOptions(timeout: 0.05))) {
      XCTAssertEqual(($0 as! WickError).code, .deadlineExceeded)
    }
    var options = RunOptions()
    options.maxOperations = 1000
    XCTAssertThrowsError(try module.run("forever", [], options: options)) {
      XCTAssertEqual(($0 as! WickError).code, .limitExceeded)
    }
    let cancellation = Cancellation()
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { cancellation.cancel() }
    XCTAssertThrowsError(try module.run("forever", [], options: RunOptions(cancellation: cancellation))) {
      XCTAssertEqual(($0 as! WickError).code, .cancelled)
    }
    XCTAssertTrue(cancellation.isCancelled)
    var load = LoadOptions()
    load.cancellation = cancellation
    XCTAssertThrowsError(try Module(path: model("values.ptl"), options: load))
  }

  func testValuesTooDeepAreRefused() throws {
    var value: Value = 1
    for _ in 0..<300 { value = .tuple([value]) }
    let module = try Module(path: model("values.ptl"))
    XCTAssertThrowsError(try module.run("forward", [value])) { XCTAssertEqual(($0 as! WickError).code, .limitExceeded) }
  }

  func testTypeArguments() {
    XCTAssertEqual(Value.typeArguments("Dict[str, List[Tuple[int, Tensor]]]"), ["str", "List[Tuple[int, Tensor]]"])
    XCTAssertEqual(Value.typeArguments("List[Dict[str, int]]"), ["Dict[str, int]"])
    XCTAssertEqual(Value.typeArguments("int"), [])
  }

  func testSettings() throws {
    XCTAssertFalse(libraryVersion.isEmpty)
    let before = threadCount
    threadCount = 1
    XCTAssertEqual(threadCount, 1)
    threadCount = before
    let module = try Module(path: model("linear.ptl"))
    XCTAssertNoThrow(try module.setMaxThreads(1))
  }
}

final class ConcurrencyTests: XCTestCase {
  func testAsyncRunsBesideEachOther() async throws {
    let module = try await Module.load(path: model("linear.ptl"))
    let sums = try await withThrowingTaskGroup(of: Float.self) { group in
      for index in 0..<50 {
        group.addTask {
          let input = try Tensor<Float>([Float(index), 0, 0], shape: [1, 3])
          let output: Tensor<Float> = try await module.forward(input)
          return output[0, 0]
        }
      }
      return try await group.reduce(into: Set<Float>()) { $0.insert($1) }
    }
    XCTAssertEqual(sums, Set((0..<50).map { Float($0 + 10) }))
  }

  func testCancelledTaskStopsItsRun() async throws {
    let module = try Module(path: model("values.ptl"))
    let task = Task { try await module.run("forever", []) }
    try await Task.sleep(nanoseconds: 50_000_000)
    task.cancel()
    do {
      _ = try await task.value
      XCTFail("the run ended by itself")
    } catch is CancellationError {
    }
  }

  func testTimeoutOfAnAsyncRun() async throws {
    let module = try Module(path: model("values.ptl"))
    do {
      _ = try await module.run("forever", [], options: RunOptions(timeout: 0.05))
      XCTFail("the run ended by itself")
    } catch let error as WickError {
      XCTAssertEqual(error.code, .deadlineExceeded)
    }
  }

  func testAsyncLoadOfNothingThrows() async {
    do {
      _ = try await Module.load(path: "/nowhere")
      XCTFail("loaded nothing")
    } catch {
      XCTAssertTrue("\(error)".contains("/nowhere"))
    }
  }
}
