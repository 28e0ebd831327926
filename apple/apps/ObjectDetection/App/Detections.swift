// What of a YOLOv5 model's rows are objects.
import CoreGraphics
import Foundation

struct Detection {
  let classIndex: Int
  let score: Float
  /// In pixels of the image that is shown.
  let rect: CGRect
}

enum Detections {
  static let inputSize = 640
  static let rowLength = 85
  static let threshold: Float = 0.35
  static let limit = 15
  static let overlap: CGFloat = 0.30

  static func find(in outputs: [NSNumber], scaleX: CGFloat, scaleY: CGFloat) -> [Detection] {
    var found: [Detection] = []
    for row in 0..<outputs.count / rowLength {
      let values = outputs[row * rowLength..<(row + 1) * rowLength].map(\.floatValue)
      guard values[4] > threshold else { continue }
      let classes = values[5...]
      let best = classes.indices.max { classes[$0] < classes[$1] }!
      let (x, y, width, height) = (CGFloat(values[0]), CGFloat(values[1]), CGFloat(values[2]), CGFloat(values[3]))
      found.append(
        Detection(
          classIndex: best - 5, score: values[4],
          rect: CGRect(
            x: (x - width / 2) * scaleX, y: (y - height / 2) * scaleY, width: width * scaleX, height: height * scaleY)))
    }
    return suppress(found)
  }

  /// Of those that overlap, the likeliest.
  static func suppress(_ found: [Detection]) -> [Detection] {
    var kept: [Detection] = []
    for candidate in found.sorted(by: { $0.score > $1.score }) where kept.count < limit {
      let covered = kept.contains { intersectionOverUnion($0.rect, candidate.rect) > overlap }
      if !covered { kept.append(candidate) }
    }
    return kept
  }

  static func intersectionOverUnion(_ a: CGRect, _ b: CGRect) -> CGFloat {
    let common = a.intersection(b)
    guard !common.isNull else { return 0 }
    let area = common.width * common.height
    let union = a.width * a.height + b.width * b.height - area
    return union > 0 ? area / union : 0
  }
}
