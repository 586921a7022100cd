// swift-tools-version: 6.2
// The order of the targets is the way of a photo: read it as the diagram of the system.
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Pixel kernels are optimised in every configuration, and without overflow checks in release: their sizes are
/// checked once, at the door (`-O` costs them 1.75 to 2.1 times the time of `-Ounchecked`).
let kernels: [SwiftSetting] =
    strict + [
        .unsafeFlags(["-O"], .when(configuration: .debug)),
        .unsafeFlags(["-Ounchecked"], .when(configuration: .release)),
    ]

func room(_ name: String, _ dependencies: [String] = [], _ settings: [SwiftSetting] = strict) -> Target {
    .target(name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [String]) -> Target {
    .testTarget(name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, swiftSettings: strict)
}

let package = Package(
    name: "rawmill",
    products: [
        .executable(name: "rawmill", targets: ["rawmill"]),
        // The render process alone, which `Deploy/build` makes once for each processor level.
        .executable(name: "rawmill-render", targets: ["rawmill-render"]),
        // The stages alone, for the benchmark of the engine.
        .library(name: "Engine", targets: ["Decode", "Develop", "Looks", "Encode", "Pixels"]),
    ],
    targets: [
        // C libraries of Debian 12, each seen by exactly one module below.
        .target(name: "CLibRaw", linkerSettings: [.linkedLibrary("raw_r")]),
        .systemLibrary(name: "CTurboJPEG"),
        .systemLibrary(name: "CLittleCMS"),
        .systemLibrary(name: "CExempi"),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "COpenSSL"),
        .systemLibrary(name: "CRdKafka"),
        .systemLibrary(name: "CYAML"),
        .target(name: "CCache"),
        .target(name: "CWide"),
        .target(name: "CFiles"),
        .target(name: "CProcesses"),
        .systemLibrary(name: "CMicroHTTPD"),
        .target(name: "Wire", linkerSettings: [.linkedLibrary("protobuf-c")]),

        // Words.
        room("Digest", ["COpenSSL"]),
        room("Memory"),
        room("Pixels", ["CCache", "Memory"], kernels),
        room("Jobs", ["Digest", "Pixels"]),
        room("Metadata", ["CExempi"]),

        // Stages: siblings that take a value and return a value.
        room("Decode", ["CLibRaw", "Pixels", "Metadata"], kernels),
        room("Develop", ["CWide", "Memory", "Pixels"], kernels),
        room("Looks", ["Pixels", "Digest"], kernels),
        room("Encode", ["CTurboJPEG", "CLittleCMS", "Pixels", "Metadata"]),
        room("Manifests", ["Jobs", "Pixels", "Digest"]),
        room("Records", ["Wire", "Jobs", "Manifests", "Pixels", "Digest"]),

        // Ground.
        room("Processes", ["CProcesses"]),
        room("Storage", ["CFiles", "Digest", "Memory"]),
        room("Database", ["CSQLite"]),
        room("Threads"),
        room("Broker", ["Database", "Threads"]),
        room("KafkaBroker", ["CRdKafka", "Broker", "Threads"]),
        room("Library", ["Jobs", "Manifests", "Pixels", "Database", "Storage", "Digest"]),
        room("Telemetry"),
        room("Tracing", ["Telemetry"]),
        room("Arguments"),
        room("Settings", ["CYAML"]),
        room("Metrics"),
        room("Web", ["CMicroHTTPD"]),
        room("Samples", ["Pixels"], kernels),

        // One photo's way, and the roles.
        room(
            "Render",
            [
                "Decode", "Develop", "Looks", "Encode", "Metadata", "Memory", "Pixels", "Storage", "Jobs", "Manifests",
                "Digest",
            ]),
        room("RenderHost", ["Render", "Records", "Jobs", "Manifests", "Digest", "Storage", "Processes"]),
        .executableTarget(name: "rawmill-render", dependencies: ["RenderHost"], swiftSettings: strict),
        room(
            "Coordinator",
            ["Broker", "Records", "Database", "Jobs", "Manifests", "Storage", "Telemetry", "Threads", "Digest"]),
        room(
            "Worker",
            [
                "Broker", "Render", "RenderHost", "Records", "Jobs", "Manifests", "Storage", "Telemetry", "Processes",
                "Threads", "Digest",
            ]),
        room(
            "Catalogue",
            [
                "Broker", "Library", "Records", "Jobs", "Manifests", "Pixels", "Storage", "Telemetry", "Threads",
                "Metadata", "Digest",
            ]),
        room(
            "Monitoring",
            [
                "Broker", "Catalogue", "Coordinator", "Jobs", "Library", "Manifests", "Metrics", "Telemetry", "Web",
                "Worker",
            ]),

        // The command line, and the only wiring.
        .executableTarget(
            name: "rawmill",
            dependencies: [
                "Arguments", "Broker", "Catalogue", "Coordinator", "Database", "Digest", "Jobs", "KafkaBroker",
                "Library", "Looks", "Manifests", "Metrics", "Monitoring", "Pixels", "Processes", "Records", "Render",
                "RenderHost", "Samples", "Settings", "Storage", "Telemetry", "Tracing", "Web", "Worker",
            ],
            swiftSettings: strict),

        // Tests mirror the sources.
        tests(
            "RenderTests",
            [
                "Render", "Decode", "Develop", "Jobs", "Manifests", "Storage", "Samples", "Looks", "Digest", "Metadata",
                "Pixels", "Judges",
            ]),
        .executableTarget(
            name: "catalogue-benchmark",
            dependencies: [
                "Catalogue", "Broker", "Records", "Jobs", "Manifests", "Pixels", "Storage", "Digest",
            ], path: "Tests/Benchmarks/Catalogue", swiftSettings: strict),
        tests("LibraryTests", ["Library", "Jobs", "Manifests", "Digest", "Storage"]),
        tests(
            "CatalogueTests",
            [
                "Catalogue", "Library", "Broker", "Records", "Database", "Jobs", "Manifests", "Metadata", "Storage",
                "Telemetry", "Digest", "Pixels",
            ]),
        tests(
            "CoordinatorTests",
            ["Coordinator", "Broker", "Database", "Digest", "Jobs", "Manifests", "Pixels", "Records", "Storage"]),
        tests("MemoryTests", ["Memory"]),
        tests("PixelsTests", ["Pixels"]),
        tests("DevelopTests", ["Develop", "Pixels"]),
        tests("LooksTests", ["Looks", "Pixels", "Digest"]),
        tests("DatabaseTests", ["Database", "SeededRandom"]),
        tests("ThreadsTests", ["Threads"]),
        tests("DigestTests", ["Digest", "SeededRandom", "Judges"]),
        .executableTarget(
            name: "storage-writer", dependencies: ["Storage"], path: "Tests/StorageWriter", swiftSettings: strict),
        tests("StorageTests", ["Storage", "Digest", "storage-writer"]),
        .executableTarget(
            name: "decode-probe", dependencies: ["Decode", "Pixels", "Samples"], path: "Tests/DecodeProbe",
            swiftSettings: strict),
        tests("DecodeTests", ["Decode", "Metadata", "Pixels", "Samples", "decode-probe", "Judges"]),
        tests("SamplesTests", ["Samples", "Pixels", "Judges"]),
        tests("JobsTests", ["Jobs", "Digest", "Pixels"]),
        tests("ManifestsTests", ["Manifests", "Jobs", "Digest"]),
        tests("MetadataTests", ["Metadata", "Encode", "Pixels", "Digest", "Judges"]),
        tests("EncodeTests", ["Encode", "Pixels", "Digest", "Judges"]),
        tests("TelemetryTests", ["Telemetry"]),
        .target(name: "TraceCollector", path: "Tests/TraceCollector", exclude: ["collector.py"], swiftSettings: strict),
        tests("TracingTests", ["Tracing", "Telemetry", "TraceCollector"]),
        tests("MetricsTests", ["Metrics"]),
        .target(name: "WebClient", path: "Tests/WebClient", swiftSettings: strict),
        tests("WebTests", ["Web", "WebClient", "SeededRandom"]),
        tests(
            "MonitoringTests",
            [
                "Monitoring", "Broker", "Catalogue", "Coordinator", "Jobs", "Looks", "Manifests", "Metrics", "Pixels",
                "Samples", "Storage", "Web", "WebClient", "Worker", "rawmill",
            ]),
        .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: strict),
        .target(name: "Judges", path: "Tests/Judges", swiftSettings: strict),
        .target(
            name: "BrokerConformance", dependencies: ["Broker", "SeededRandom"], path: "Tests/BrokerConformance",
            swiftSettings: strict),
        .executableTarget(
            name: "broker-rates", dependencies: ["Broker"], path: "Tests/Benchmarks/BrokerRates",
            swiftSettings: strict),
        .executableTarget(
            name: "kafka-rates", dependencies: ["Broker", "KafkaBroker"], path: "Tests/Benchmarks/KafkaRates",
            swiftSettings: strict),
        .executableTarget(
            name: "coordinator-rates", dependencies: ["Broker", "Coordinator", "Digest", "Jobs", "Manifests"],
            path: "Tests/Benchmarks/CoordinatorRates", swiftSettings: strict),
        .executableTarget(
            name: "broker-victim", dependencies: ["Broker"], path: "Tests/BrokerVictim", swiftSettings: strict),
        tests("BrokerTests", ["Broker", "BrokerConformance", "Database", "SeededRandom", "broker-victim"]),
        tests("ProcessesTests", ["Processes"]),
        tests("KafkaBrokerTests", ["KafkaBroker", "Broker", "BrokerConformance", "SeededRandom"]),
        tests("RecordsTests", ["Records", "Jobs", "Manifests", "Pixels", "Digest", "SeededRandom"]),
        tests("ArgumentsTests", ["Arguments", "Judges"]),
        tests("SettingsTests", ["Settings"]),
        .executableTarget(
            name: "worker-host", dependencies: ["Worker", "RenderHost", "Broker", "Storage"], path: "Tests/WorkerHost",
            swiftSettings: strict),
        tests(
            "WorkerTests",
            [
                "Worker", "Broker", "Render", "RenderHost", "Records", "Looks", "Samples", "Jobs", "Manifests",
                "Storage", "Pixels", "Processes", "Telemetry", "Digest", "rawmill", "worker-host",
            ]),
        tests("ArchitectureTests", []),
        tests(
            "EndToEndTests",
            [
                "rawmill", "Broker", "KafkaBroker", "Records", "Database", "Digest", "Jobs", "Manifests", "Samples",
                "Pixels", "SeededRandom", "Judges", "TraceCollector", "WebClient",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
