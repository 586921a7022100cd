// swift-tools-version: 6.2
// Measures the develop engine alone: `swift run -c release --package-path Tests/Benchmarks/Engine engine-benchmark`.
import PackageDescription

let package = Package(
    name: "engine-benchmark",
    dependencies: [.package(name: "rawmill", path: "../../..")],
    targets: [
        .executableTarget(
            name: "engine-benchmark", dependencies: [.product(name: "Engine", package: "rawmill")],
            swiftSettings: [.enableUpcomingFeature("ExistentialAny")])
    ],
    swiftLanguageModes: [.v6]
)
