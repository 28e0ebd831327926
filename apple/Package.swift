// swift-tools-version:5.9
// Wick for Swift: PyTorch models (.pt, .ptl) on Apple's platforms and Linux, over Wick's C API.
//
// The library itself is Wick.xcframework beside this file (scripts/build_xcframework.sh makes it) or, where there is
// none, what pkg-config knows as "wick" (`cmake --install` of a Linux or Homebrew build).
import Foundation
import PackageDescription

let framework = "Wick.xcframework"
let hasFramework = FileManager.default.fileExists(atPath: Context.packageDirectory + "/" + framework)
let library: Target = hasFramework
  ? .binaryTarget(name: "CWick", path: framework)
  : .systemLibrary(name: "CWick", path: "Sources/CWick", pkgConfig: "wick")
let appleSystems: [Platform] = [.iOS, .macOS, .tvOS, .watchOS, .visionOS]

let package = Package(
  name: "Wick",
  platforms: [.iOS(.v13), .macOS(.v11), .tvOS(.v13), .watchOS(.v6)],
  products: [
    .library(name: "Wick", targets: ["Wick"]),
    .library(name: "WickVision", targets: ["WickVision"]),
  ],
  targets: [
    library,
    .target(
      name: "Wick", dependencies: ["CWick"],
      resources: [.copy("PrivacyInfo.xcprivacy")],
      linkerSettings: [
        .linkedLibrary("c++", .when(platforms: appleSystems)),
        .linkedLibrary("z", .when(platforms: appleSystems)),
      ]),
    .target(name: "WickVision", dependencies: ["Wick"]),
    .testTarget(name: "WickTests", dependencies: ["Wick"], resources: [.copy("Models")]),
    .testTarget(name: "WickVisionTests", dependencies: ["WickVision"], resources: [.copy("Models")]),
  ],
  cxxLanguageStandard: .cxx20
)
