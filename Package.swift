// swift-tools-version: 6.2
// Layers are listed in order of dependency; within a layer, a module follows those that it uses.
import PackageDescription

/// `Deploy/try` and the gate of the tests set the variable. A release build then optimises only what develops photos:
/// the rest compiles three times as fast, and costs 1 to 3 ms more a photo.
let isQuickBuild = Context.environment["RAWMILL_QUICK_BUILD"] != nil

func inQuickBuild(_ flag: String) -> [SwiftSetting] {
    isQuickBuild ? [.unsafeFlags([flag], .when(configuration: .release))] : []
}

let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ] + inQuickBuild("-Onone")

/// Kernels are optimised in every configuration, and compiled without checks in release builds: their initializers
/// prove all sizes (with `-O` they take 1.75 to 2.1 times as long as with `-Ounchecked`). See "Kernels" in the
/// documentation.
let kernels: [SwiftSetting] =
    strict + [
        .unsafeFlags(["-O"], .when(configuration: .debug)),
        .unsafeFlags(["-Ounchecked"], .when(configuration: .release)),
    ]

/// Strict memory safety: every use of an unsafe construct is marked.
let memorySafe: [SwiftSetting] = strict + [.strictMemorySafety()]

/// Code that computes tables or iterates over pictures is also optimised in debug builds, with all checks, so that its
/// tests take seconds.
let optimised: [SwiftSetting] =
    strict + [.unsafeFlags(["-O"], .when(configuration: .debug))] + inQuickBuild("-O")

/// Our own C checks buffer lengths and its stack, and aborts on an overrun. glibc's checks (`_FORTIFY_SOURCE`) need
/// optimisation.
let stackProtection = ["-fstack-protector-strong", "-fstack-clash-protection"]
let hardenedC: [CSetting] = [
    .unsafeFlags(stackProtection), .define("_FORTIFY_SOURCE", to: "3", .when(configuration: .release)),
]
let hardenedCXX: [CXXSetting] = [
    .unsafeFlags(stackProtection), .define("_FORTIFY_SOURCE", to: "3", .when(configuration: .release)),
]

/// Binds all symbols at start-up and makes their table read-only (RELRO). Uses the toolchain's linker: Debian 13's
/// omits RELRO for Swift programs, because their `.rodata` is writable.
let hardenedProgram: [LinkerSetting] = [
    .unsafeFlags(["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "-z", "-Xlinker", "relro"])
]

extension [String] {
    var dependencies: [Target.Dependency] { map { .init(stringLiteral: $0) } }
}

extension String {
    /// The last folder of a path, which is the module's name.
    var folderName: String { split(separator: "/").last.map(String.init) ?? self }
}

/// A Swift module at `Sources/PATH`.
func module(_ path: String, _ dependencies: [String] = [], _ settings: [SwiftSetting] = strict) -> Target {
    .target(
        name: path.folderName, dependencies: dependencies.dependencies, path: "Sources/\(path)", swiftSettings: settings
    )
}

/// A program at `Sources/Programs/NAME`.
func program(_ name: String, _ dependencies: [String]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies.dependencies, path: "Sources/Programs/\(name)",
        swiftSettings: memorySafe, linkerSettings: hardenedProgram)
}

/// A system library, at `Sources/C/System/NAME`.
func systemLibrary(_ name: String) -> Target { .systemLibrary(name: name, path: "Sources/C/System/\(name)") }

/// Our own C, at `Sources/PATH`; `library` is the system library that it wraps.
func c(_ path: String, linking library: String? = nil) -> Target {
    .target(
        name: path.folderName, path: "Sources/\(path)", cSettings: hardenedC, cxxSettings: hardenedCXX,
        linkerSettings: library.map { [.linkedLibrary($0)] } ?? [])
}

/// The tests of a module, at `Tests/PATH`.
func tests(_ path: String, _ dependencies: [String]) -> Target {
    .testTarget(
        name: path.folderName, dependencies: dependencies.dependencies, path: "Tests/\(path)", swiftSettings: strict)
}

/// Code shared by several suites, at `Tests/Support/NAME`.
func support(
    _ name: String, _ dependencies: [String] = [], excluding: [String] = [], _ settings: [SwiftSetting] = strict
) -> Target {
    .target(
        name: name, dependencies: dependencies.dependencies, path: "Tests/Support/\(name)", exclude: excluding,
        swiftSettings: settings)
}

/// A deliberately wrong parser, compiled with the settings under test.
func wrongParser(_ name: String, _ settings: [SwiftSetting]) -> Target {
    .target(name: name, path: "Tests/Support/\(name)", swiftSettings: settings)
}

/// A program that tests start or benchmarks run, at `Tests/PATH`.
func helper(
    _ name: String, _ path: String, _ dependencies: [String], _ settings: [SwiftSetting] = strict,
    _ linker: [LinkerSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies.dependencies, path: "Tests/\(path)", swiftSettings: settings,
        linkerSettings: linker)
}

let clibraries: [Target] = [
    c("C/System/CLibRaw", linking: "raw_r"),
    systemLibrary("CTurboJPEG"),
    systemLibrary("CZlib"),
    systemLibrary("CDeflate"),
    c("C/System/CAVIF", linking: "avif"),
    c("C/System/CJXL", linking: "jxl"),
    c("C/System/CJXLTiles", linking: "jxl"),
    c("C/System/CJPEGTiles", linking: "turbojpeg"),
    systemLibrary("CLittleCMS"),
    systemLibrary("CExempi"),
    systemLibrary("CLensfun"),
    systemLibrary("CSQLite"),
    systemLibrary("CPostgreSQL"),
    systemLibrary("COpenSSL"),
    systemLibrary("CRdKafka"),
    systemLibrary("CYAML"),
    systemLibrary("CMicroHTTPD"),
    systemLibrary("CJansson"),
    systemLibrary("CSeccomp"),
    systemLibrary("CArchive"),
    systemLibrary("CCurl"),
    c("C/Own/CCache"),
    c("C/Own/CAVX512"),
    c("C/Own/CBaselineJPEG"),
    c("C/Own/CCubic"),
    c("C/Own/CFiles"),
    c("C/Own/CPage"),
    c("C/Own/CProcesses"),
    c("C/Own/CSandbox"),
]

let platform: [Target] = [
    module("Platform/Concurrency", [], memorySafe),
    module("Platform/Clock", [], memorySafe),
    module("Platform/Memory", [], memorySafe),
    module("Platform/Digest", ["COpenSSL"], memorySafe),
    module("Platform/Mounts", [], memorySafe),
    module("Platform/Storage", ["CFiles", "Concurrency", "Digest", "Memory", "Mounts"], memorySafe),
    module("Platform/Processes", ["CProcesses", "Mounts"], memorySafe),
    module("Platform/Sandbox", ["CSandbox", "CSeccomp"], memorySafe),
    module("Platform/PostgreSQL", ["CPostgreSQL"], memorySafe),
    module("Platform/Database", ["CSQLite", "Digest", "PostgreSQL", "Storage"], memorySafe),
    module("Platform/Compression", ["CZlib", "CDeflate"], memorySafe),
    module("Platform/Archives", ["CArchive"], memorySafe),
    module("Platform/Settings", ["CYAML"], memorySafe),
    module("Platform/Spelling", [], memorySafe),
    module("Platform/Arguments", ["Spelling"], memorySafe),
    module("Platform/Web", ["CMicroHTTPD"], memorySafe),
    module("Platform/HTTPClient", ["CCurl"], memorySafe),
    module("Platform/JSON", ["CJansson"], memorySafe),
    module("Platform/EmbeddedPage", ["CPage"], memorySafe),
    module("Platform/Telemetry", ["Clock"], memorySafe),
    module("Platform/Metrics", [], memorySafe),
    module("Platform/Tracing", ["Clock", "Concurrency", "HTTPClient", "Telemetry"], memorySafe),
]

let model: [Target] = [
    module("Model/PictureFormat", [], memorySafe),
    module("Model/Jobs", ["Digest", "PictureFormat"], memorySafe),
    module("Model/Manifests", ["Jobs", "PictureFormat", "Processes", "Digest"], memorySafe),
    c("Model/Wire", linking: "protobuf-c"),
    module("Model/Records", ["Wire", "Jobs", "Manifests", "PictureFormat", "Processes", "Digest"]),
]

let imaging: [Target] = [
    module("Imaging/ColourScience", ["PictureFormat"], optimised + [.strictMemorySafety()]),
    // Without checks: loops whose sizes an initializer proved.
    module("Imaging/PixelKernels", ["CCache"], kernels),
    module(
        "Imaging/Pixels", ["Concurrency", "Memory", "PictureFormat", "PixelKernels"],
        optimised + [.strictMemorySafety()]),
    module("Imaging/PNG", ["Compression", "PictureFormat"], optimised + [.strictMemorySafety()]),
    module("Imaging/TIFF", [], memorySafe),
    module("Imaging/Metadata", ["CExempi", "Manifests", "PictureFormat", "TIFF"], memorySafe),
    // Stages: siblings that take a value and return a value.
    module("Imaging/DecodeKernels", ["Concurrency", "PixelKernels", "Pixels", "PictureFormat"], kernels),
    module(
        "Imaging/Decode",
        [
            "CJPEGTiles", "CJXLTiles", "CLibRaw", "ColourScience", "Compression", "DecodeKernels", "PixelKernels",
            "Pixels", "PictureFormat",
            "Metadata", "TIFF",
            "Concurrency",
        ], memorySafe + inQuickBuild("-O")),
    // Loops without checks, and the decisions about them with checks (see "Kernels" in the documentation).
    module(
        "Imaging/DevelopKernels",
        ["CAVX512", "CCubic", "ColourScience", "Memory", "PixelKernels", "Pixels", "PictureFormat", "Concurrency"],
        kernels),
    module(
        "Imaging/Develop",
        ["ColourScience", "Concurrency", "DevelopKernels", "Memory", "PixelKernels", "Pixels", "PictureFormat"],
        optimised + [.strictMemorySafety()]),
    module(
        "Imaging/Looks", ["ColourScience", "Pixels", "PixelKernels", "PictureFormat", "PNG", "Digest", "Settings"],
        optimised + [.strictMemorySafety()]),
    module(
        "Imaging/Encode",
        [
            "CAVIF", "CBaselineJPEG", "CJXL", "CTurboJPEG", "CLittleCMS", "Compression", "ColourScience", "Pixels",
            "PictureFormat", "PNG", "Metadata",
        ], memorySafe + inQuickBuild("-O")),
    module("Imaging/Lenses", ["Memory", "Pixels", "PictureFormat"], optimised + [.strictMemorySafety()]),
    // Builds tables from this machine's lens database, which rendering only reads.
    module("Imaging/LensDatabase", ["CLensfun", "Digest", "Lenses", "Storage"], memorySafe),
    // A job's files and settings, shared by workers and render processes.
    module(
        "Imaging/RenderJobs", ["Digest", "Jobs", "Looks", "Manifests", "PictureFormat", "Storage"], memorySafe),
    // Runs a photo through the stages.
    module(
        "Imaging/Render",
        [
            "Decode", "Develop", "Lenses", "Looks", "Encode", "Metadata", "Memory", "Pixels", "PictureFormat",
            "RenderJobs", "Storage", "Jobs", "Manifests", "Digest", "Clock", "Concurrency", "TIFF",
        ], memorySafe + inQuickBuild("-O")),
    module(
        "Imaging/Samples", ["TIFF", "Pixels", "PictureFormat"], optimised + [.strictMemorySafety()]),
]

let transport: [Target] = [
    module("Transport/Broker", ["Database", "Clock", "Concurrency", "Jobs", "Manifests", "Records"], memorySafe),
    module("Transport/KafkaBroker", ["CRdKafka", "Broker", "Concurrency"], memorySafe),
]

let roles: [Target] = [
    // Starts render processes and talks to them.
    module(
        "Roles/RenderHost",
        ["Clock", "Jobs", "Manifests", "PictureFormat", "Processes", "Records", "RenderJobs", "Sandbox"], memorySafe),
    // Reads the metadata of untrusted photos in a sandboxed process.
    module(
        "Roles/MetadataHost",
        [
            "Clock", "Concurrency", "Digest", "Jobs", "Manifests", "PictureFormat", "Processes", "Records",
            "RenderHost", "Storage",
        ],
        memorySafe),
    // The processes of the render program, the only one with decoders and encoders.
    module(
        "Roles/Rendering",
        [
            "Decode", "Digest", "Encode", "Jobs", "Manifests", "Metadata", "MetadataHost", "PictureFormat", "Processes",
            "Records", "Render", "RenderHost", "RenderJobs", "Sandbox", "Storage",
        ], memorySafe),
    // A library's tables, and where they are.
    module(
        "Roles/LibraryTables",
        [
            "Database", "Digest", "Jobs", "Manifests", "Memory", "MetadataHost", "PictureFormat", "PostgreSQL",
            "Storage",
        ], memorySafe),
    // The files below `photos/`: their names, what they show, and merging renditions into them.
    module(
        "Roles/PhotoTree",
        [
            "Concurrency", "Digest", "Jobs", "LibraryTables", "Manifests", "MetadataHost", "PictureFormat", "Records",
            "Storage",
        ], memorySafe),
    // Conditions that choose photos, and what lists show of them.
    module(
        "Roles/Selection",
        [
            "Database", "Digest", "Jobs", "LibraryTables", "Manifests", "PhotoTree", "PictureFormat", "Spelling",
        ], memorySafe),
    // Histories of edits.
    module(
        "Roles/Revisions",
        [
            "Digest", "Jobs", "LibraryTables", "Manifests", "PhotoTree", "Selection", "Storage",
        ], memorySafe),
    module(
        "Roles/Albums",
        [
            "Database", "Digest", "Jobs", "LibraryTables", "PhotoTree", "Selection", "Spelling",
        ], memorySafe),
    module(
        "Roles/Campaigns",
        [
            "Database", "Digest", "Jobs", "LibraryTables", "Manifests", "PhotoTree", "Revisions", "Selection",
            "Storage",
        ], memorySafe),
    // Verification, rebuilding, removal, backups and migration.
    module(
        "Roles/Upkeep",
        [
            "Albums", "Campaigns", "Concurrency", "Database", "Digest", "Jobs", "LibraryTables", "Manifests",
            "MetadataHost", "PhotoTree", "PictureFormat", "PostgreSQL", "Records", "Selection", "Storage",
        ], memorySafe),
    module(
        "Roles/Coordinator",
        [
            "Broker", "Clock", "Concurrency", "Database", "Digest", "Jobs", "LibraryTables", "Manifests", "PostgreSQL",
            "Records", "Storage", "Upkeep",
        ], memorySafe),
    module(
        "Roles/Worker",
        [
            "Broker", "RenderHost", "RenderJobs", "Records", "Jobs", "Manifests", "Memory", "Storage", "Telemetry",
            "Processes",
            "Sandbox", "Clock", "Concurrency", "Digest",
        ], memorySafe),
    module(
        "Roles/Catalogue",
        [
            "Broker", "Clock", "Concurrency", "Digest", "Jobs", "LibraryTables", "Manifests", "Memory", "PhotoTree",
            "Records", "Selection", "Storage", "Telemetry", "Upkeep",
        ], memorySafe),
    // Replaces the cataloguer where no library is kept.
    module(
        "Roles/Export",
        [
            "Broker", "Records", "Database", "Jobs", "Manifests", "Storage", "Telemetry", "Clock", "Concurrency",
            "Digest", "PictureFormat",
        ], memorySafe),
    // Generic web service: routes, authorisation, events, uploads.
    module(
        "Roles/WebService", ["Clock", "Concurrency", "Digest", "JSON", "Storage", "Telemetry", "Web"], memorySafe),
    // The web page, from Sources/Page.
    module("Roles/WebPage", ["Digest", "EmbeddedPage", "Storage", "Web", "WebService"], memorySafe),
    module(
        "Roles/Monitoring",
        [
            "Broker", "Catalogue", "Clock", "Concurrency", "Coordinator", "Digest", "Jobs", "LibraryTables",
            "Manifests", "Memory", "Metrics", "PhotoTree", "Storage", "Telemetry", "Tracing", "Web", "Worker",
        ], memorySafe),
    // Operator's access to a cluster: reads its state and sends commands to its coordinator.
    module("Roles/ClusterControl", ["Broker", "Clock", "Jobs", "Manifests", "Records"], memorySafe),
    // Runs on one machine: folder and locks, roles, shutdown.
    module(
        "Roles/Runs",
        [
            "Broker", "Catalogue", "Clock", "Coordinator", "Database", "Digest", "Export", "Jobs", "LibraryTables",
            "Manifests", "PhotoTree", "Records", "Storage", "Telemetry", "Worker",
        ], memorySafe),
    // A library behind a web page: routes, drops, edits.
    module(
        "Roles/Serving",
        [
            "Albums", "Archives", "Broker", "Clock", "ClusterControl", "Concurrency", "Coordinator", "Database",
            "Digest", "JSON", "Jobs", "LibraryTables", "Looks", "Manifests", "Memory", "MetadataHost", "PhotoTree",
            "PictureFormat", "Processes", "Records", "Revisions", "Runs", "Selection", "Storage", "Telemetry", "Web",
            "WebPage", "WebService", "Worker",
        ], memorySafe),
]

let programs: [Target] = [
    // Shared by the command-line programs.
    module(
        "Programs/CommandLineTool",
        [
            "Arguments", "Jobs", "KafkaBroker", "LibraryTables", "Storage", "Telemetry",
        ], memorySafe),
    program("rawmill-render", ["MetadataHost", "RenderHost", "Rendering"]),
    // Wires roles to concrete back ends, as only programs do.
    program(
        "rawmill",
        [
            "Albums", "Archives", "Arguments", "Broker", "Campaigns", "Catalogue", "Clock", "ClusterControl",
            "CommandLineTool", "Compression", "Concurrency", "Coordinator", "Database", "Develop", "Digest", "Export",
            "HTTPClient", "JSON", "Jobs", "KafkaBroker", "LensDatabase", "Lenses", "LibraryTables", "Looks",
            "Manifests", "MetadataHost", "Metrics", "Monitoring", "PNG", "PhotoTree", "PictureFormat", "Pixels",
            "PostgreSQL", "Processes", "Records", "RenderHost", "RenderJobs", "Revisions", "Runs", "Samples", "Sandbox",
            "Selection", "Serving", "Settings", "Spelling", "Storage", "Telemetry", "Tracing", "Upkeep", "Web",
            "WebPage",
            "WebService", "Worker",
        ]),
]

/// Mirrors the sources.
let testTargets: [Target] = [
    tests("ArchitectureTests", ["ExternalTools"]),
    tests("ForeignBytesTests", ["ForeignBytes", "ExternalTools"]),

    tests("Platform/ConcurrencyTests", ["Concurrency"]),
    tests("Platform/ClockTests", ["Clock"]),
    tests("Platform/MemoryTests", ["Memory"]),
    tests("Platform/DigestTests", ["Digest", "SeededRandom", "ExternalTools"]),
    tests(
        "Platform/StorageTests",
        ["Storage", "Mounts", "Digest", "storage-writer", "ExternalTools", "SeededRandom"]),
    tests("Platform/ProcessesTests", ["Processes", "ExternalTools"]),
    tests("Platform/DatabaseTests", ["Database", "ExternalTools", "PostgreSQL", "PostgreSQLServer", "SeededRandom"]),
    tests("Platform/CompressionTests", ["Compression", "SeededRandom"]),
    tests("Platform/ArchivesTests", ["Archives", "Digest", "ExternalTools"]),
    tests("Platform/SettingsTests", ["Settings", "SeededRandom"]),
    tests("Platform/SpellingTests", ["Spelling"]),
    tests("Platform/ArgumentsTests", ["Arguments", "ExternalTools"]),
    tests("Platform/JSONTests", ["JSON"]),
    tests("Platform/HTTPClientTests", ["HTTPClient", "Web"]),
    tests("Platform/WebTests", ["Web", "WebClient", "SeededRandom"]),
    tests("Platform/TelemetryTests", ["Telemetry", "Clock", "ExternalTools"]),
    tests("Platform/MetricsTests", ["Metrics"]),
    tests("Platform/TracingTests", ["Tracing", "Telemetry", "TraceCollector"]),

    tests("Model/JobsTests", ["Jobs", "Digest", "PictureFormat", "ExternalTools"]),
    tests("Model/ManifestsTests", ["Manifests", "Jobs", "Digest", "PictureFormat"]),
    tests(
        "Model/RecordsTests",
        [
            "Records", "Jobs", "Manifests", "PictureFormat", "Processes", "Digest", "SeededRandom", "ExternalTools",
        ]),

    tests("Imaging/ColourScienceTests", ["ColourScience", "PictureFormat", "SeededRandom"]),
    tests("Imaging/PixelsTests", ["PixelKernels", "Pixels", "PictureFormat"]),
    tests(
        "Imaging/MetadataTests",
        [
            "Metadata", "Encode", "Manifests", "Pixels", "PictureFormat", "Digest", "TIFF", "ExternalTools",
            "SeededRandom",
        ]),
    tests(
        "Imaging/DecodeTests",
        [
            "CLibRaw", "ColourScience", "Decode", "DecodeKernels", "Metadata", "TIFF", "Pixels", "PictureFormat",
            "Samples",
            "decode-probe", "CameraFiles", "ExternalTools",
        ]),
    tests(
        "Imaging/DevelopTests",
        ["CCubic", "ColourScience", "Develop", "DevelopKernels", "Pixels", "PictureFormat", "SeededRandom"]),
    tests(
        "Imaging/LensesTests",
        ["CLensfun", "Digest", "Lenses", "LensDatabase", "Pixels", "PictureFormat", "SeededRandom"]),
    tests("Imaging/PNGTests", ["PNG", "Compression", "PictureFormat"]),
    tests(
        "Imaging/LooksTests",
        [
            "ColourScience", "Compression", "Looks", "Pixels", "PictureFormat", "PNG", "Digest", "SeededRandom",
            "ExternalTools",
        ]),
    tests(
        "Imaging/EncodeTests",
        [
            "Encode", "Concurrency", "Metadata", "Pixels", "PictureFormat", "Digest", "ExternalTools", "SeededRandom",
            "TIFF",
        ]),
    tests(
        "Imaging/RenderTests",
        [
            "Render", "RenderJobs", "ColourScience", "Decode", "Develop", "DirectRender", "Jobs", "Lenses", "Manifests",
            "Storage",
            "Samples", "Looks", "Digest", "Metadata", "Pixels", "PictureFormat", "render-probe", "ExternalTools",
        ]),
    tests("Imaging/SamplesTests", ["Samples", "Pixels", "PictureFormat", "ExternalTools"]),

    tests("Transport/BrokerTests", ["Broker", "BrokerConformance", "Database", "SeededRandom", "broker-victim"]),
    tests(
        "Transport/KafkaBrokerTests",
        ["KafkaBroker", "MockKafka", "Broker", "BrokerConformance", "SeededRandom", "ExternalTools"]),

    tests(
        "Roles/RenderHostTests",
        ["RenderHost", "Manifests", "PictureFormat", "Processes", "Samples", "rawmill-render"]),
    tests(
        "Roles/MetadataHostTests",
        [
            "MetadataHost", "LibraryFixtures", "Jobs", "Manifests", "Metadata", "PictureFormat", "RenderHost",
            "Storage",
            "rawmill-render", "hostile-process",
        ]),
    tests(
        "Roles/LibraryTablesTests",
        [
            "Albums", "Database", "Digest", "Jobs", "LibraryFixtures", "LibraryTables", "Manifests", "PhotoTree",
            "PostgreSQLServer", "SeededRandom", "Selection", "Upkeep", "rawmill-render",
        ]),
    tests(
        "Roles/PhotoTreeTests",
        [
            "Database", "Digest", "Jobs", "LibraryFixtures", "LibraryTables", "Manifests", "PhotoTree", "PictureFormat",
            "SeededRandom", "Selection", "Storage", "Upkeep", "rawmill-render",
        ]),
    tests(
        "Roles/SelectionTests",
        [
            "Database", "Digest", "Jobs", "LibraryFixtures", "LibraryTables", "Manifests", "PhotoTree", "PictureFormat",
            "PostgreSQLServer", "SeededRandom", "Selection", "Storage", "Upkeep", "rawmill-render",
        ]),
    tests(
        "Roles/RevisionsTests",
        [
            "Digest", "Jobs", "LibraryFixtures", "LibraryTables", "Manifests", "PhotoTree", "Revisions", "SeededRandom",
            "Selection", "Storage", "Upkeep", "rawmill-render",
        ]),
    tests(
        "Roles/AlbumsTests",
        [
            "Albums", "Digest", "Jobs", "LibraryFixtures", "LibraryTables", "Manifests", "PhotoTree", "SeededRandom",
            "Selection", "Storage", "Upkeep", "rawmill-render",
        ]),
    tests(
        "Roles/CampaignsTests",
        [
            "Campaigns", "Database", "Digest", "ExternalTools", "Jobs", "LibraryFixtures", "LibraryTables", "Manifests",
            "PhotoTree", "SeededRandom", "Selection", "Storage", "rawmill-render",
        ]),
    tests(
        "Roles/UpkeepTests",
        [
            "Albums", "Campaigns", "Database", "Digest", "ExternalTools", "Jobs", "LibraryFixtures", "LibraryTables",
            "Manifests", "MetadataHost", "PhotoTree", "PictureFormat", "PostgreSQL", "PostgreSQLServer", "Records",
            "SeededRandom", "Selection", "Storage", "Upkeep", "hostile-process", "rawmill-render",
        ]),
    tests(
        "Roles/CoordinatorTests",
        [
            "Broker", "BrokerConformance", "Clock", "Coordinator", "Database", "Digest", "ExternalTools", "Jobs",
            "LibraryTables", "Manifests", "PictureFormat", "PostgreSQL", "PostgreSQLServer", "Records", "SeededRandom",
            "Storage", "Upkeep",
        ]),
    tests(
        "Roles/WorkerTests",
        [
            "Worker", "Broker", "BrokerConformance", "Clock", "RenderHost", "RenderJobs", "Records", "Lenses", "Looks",
            "Samples",
            "Jobs", "Manifests", "Storage", "Pixels", "PictureFormat", "Processes", "Sandbox", "Telemetry", "Digest",
            "SeededRandom", "rawmill-render", "worker-host", "hostile-process", "CAttacks", "ExternalTools",
        ]),
    tests(
        "Roles/CatalogueTests",
        [
            "Albums", "Broker", "BrokerConformance", "Campaigns", "Catalogue", "Clock", "Database", "Digest",
            "ExternalTools", "Jobs", "LibraryFixtures", "LibraryTables", "Manifests", "PhotoTree", "PostgreSQLServer",
            "Records", "Revisions", "SeededRandom", "Selection", "Storage", "Telemetry", "Upkeep", "rawmill-render",
        ]),
    tests(
        "Roles/ExportTests",
        ["Export", "Broker", "Records", "Jobs", "Manifests", "Storage", "Digest", "PictureFormat", "Telemetry"]),
    tests("Roles/RunsTests", ["Coordinator", "Runs"]),
    tests(
        "Roles/ServingTests",
        [
            "Serving", "Coordinator", "Digest", "JSON", "Jobs", "Looks", "PictureFormat", "RenderHost", "Runs",
            "SeededRandom", "Storage", "Telemetry", "Web", "WebService", "Worker", "rawmill-render",
        ]),
    tests("Roles/WebServiceTests", ["Clock", "Concurrency", "Storage", "Web", "WebService"]),
    tests(
        "Roles/MonitoringTests",
        [
            "Monitoring", "Broker", "BrokerConformance", "Catalogue", "Clock", "Coordinator", "ExternalTools", "Jobs",
            "Looks", "Manifests", "Metrics", "PictureFormat", "Pixels", "RenderHost", "Samples", "Storage", "Web",
            "WebClient", "Worker", "rawmill-render",
        ]),

    tests(
        "Programs/EndToEndTests",
        [
            "rawmill", "rawmill-render", "rawmill-torture", "Broker", "KafkaBroker", "MockKafka", "Records", "Database",
            "Digest", "Jobs",
            "Lenses", "Manifests", "Samples",
            "PictureFormat", "Pixels", "PostgreSQLServer", "RenderHost", "SeededRandom", "ExternalTools", "Storage",
            "Telemetry",
            "SimulatedImmich", "TraceCollector", "Web", "WebClient", "WebService", "Worker",
        ]),
]

let testTools: [Target] = [
    // Starts a cluster, injects faults, and checks what is left. Has its own Debian package.
    helper(
        "rawmill-torture", "Programs/Torture",
        [
            "Arguments", "Broker", "ClusterControl", "CommandLineTool", "Coordinator", "Digest", "Jobs", "KafkaBroker",
            "LibraryTables", "Manifests", "MetadataHost", "MockKafka", "PhotoTree", "PictureFormat", "Processes",
            "Records", "RenderHost", "Rendering", "Samples", "Selection", "Storage", "Telemetry", "Upkeep", "Worker",
        ], memorySafe, hardenedProgram),
    // Preloaded by rawmill-torture and tests to make a program's disk fail.
    .target(name: "CFailingCalls", path: "Tests/Programs/CFailingCalls", cSettings: hardenedC),
    .systemLibrary(name: "CRdKafkaMock", path: "Tests/Support/CRdKafkaMock"),
    support("MockKafka", ["CRdKafkaMock", "Concurrency"], memorySafe),
    support("FileDamage", ["SeededRandom"]),
    support("ExternalTools"),
    support("SeededRandom"),
    support(
        "ForeignBytes",
        [
            "Decode", "DecodeKernels", "Develop", "Encode", "JSON", "Jobs", "Lenses", "Looks", "Manifests", "Metadata",
            "PNG", "PictureFormat", "Pixels", "Records", "SeededRandom", "Selection", "Settings", "TIFF", "Web",
            "WebService",
        ]),
    wrongParser("WrongParserChecked", strict),
    wrongParser("WrongParserUnchecked", kernels),
    support("PostgreSQLServer", ["Database", "ExternalTools", "PostgreSQL"]),
    support("CameraFiles", ["PictureFormat", "Pixels", "Samples"], optimised),
    support("WebClient"),
    // What code that took over a render process would try.
    .target(name: "CAttacks", path: "Tests/Support/CAttacks"),
    support("DirectRender", ["Render", "RenderJobs", "Jobs", "Manifests", "Storage"]),
    support(
        "LibraryFixtures",
        [
            "Database", "Digest", "Jobs", "LibraryTables", "Manifests", "Metadata", "PhotoTree", "PictureFormat",
            "PostgreSQLServer", "Selection", "Storage", "TIFF",
        ]),
    support("TraceCollector", ["ExternalTools"], excluding: ["collector.py"]),
    support("SimulatedImmich", ["ExternalTools"], excluding: ["immich.py"]),
    support("BrokerConformance", ["Broker", "SeededRandom"]),

    helper("both-programs", "Helpers/BothPrograms", ["rawmill", "rawmill-render"]),
    helper("storage-writer", "Helpers/StorageWriter", ["Storage"]),
    helper(
        "decode-probe", "Helpers/DecodeProbe",
        [
            "CameraFiles", "Decode", "FileDamage", "PictureFormat", "Pixels", "Samples", "WrongParserChecked",
            "WrongParserUnchecked",
        ]),
    helper(
        "render-probe", "Helpers/RenderProbe",
        ["DirectRender", "Jobs", "Looks", "Manifests", "PictureFormat", "Render", "Storage"]),
    helper("broker-victim", "Helpers/BrokerVictim", ["Broker"]),
    helper(
        "hostile-process", "Helpers/HostileProcess", ["CAttacks", "MetadataHost", "RenderHost", "Rendering", "Sandbox"]),
    helper("worker-host", "Helpers/WorkerHost", ["Worker", "Broker", "Storage"]),

    helper(
        "catalogue-benchmark", "Benchmarks/Catalogue",
        [
            "Broker", "Catalogue", "Digest", "Jobs", "LibraryTables", "Manifests", "PictureFormat", "PostgreSQL",
            "Records", "Storage",
        ]),
    helper(
        "library-rates", "Benchmarks/LibraryRates",
        [
            "Campaigns", "Database", "Digest", "Jobs", "LibraryTables", "Manifests", "PhotoTree", "PostgreSQL",
            "Selection", "Upkeep",
        ]),
    // Benchmarks the stages alone, without files.
    helper(
        "engine-benchmark", "Benchmarks/Engine",
        ["ColourScience", "Decode", "Develop", "Encode", "Looks", "PictureFormat", "Pixels"]),
    helper("camera-files", "Benchmarks/CameraFileWriter", ["CameraFiles", "Samples"]),
    helper("broker-rates", "Benchmarks/BrokerRates", ["Broker"]),
    helper("kafka-rates", "Benchmarks/KafkaRates", ["Broker", "KafkaBroker"]),
    helper(
        "coordinator-rates", "Benchmarks/CoordinatorRates", ["Broker", "Coordinator", "Digest", "Jobs", "Manifests"]),
]

/// libFuzzer provides the main function, so only `Deploy/fuzz`, which passes its flags and sets the variable, can build
/// this.
let fuzzers: [Target] =
    Context.environment["RAWMILL_FUZZ"] == nil
    ? []
    : [
        .executableTarget(
            name: "rawmill-fuzz", dependencies: ["ForeignBytes"], path: "Tests/Fuzz/Fuzzer",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
    ]

let package = Package(
    name: "rawmill",
    products: [
        .executable(name: "rawmill", targets: ["rawmill"]),
        .executable(name: "rawmill-torture", targets: ["rawmill-torture"]),
        // The render process alone, which `Deploy/build` builds once per processor level.
        .executable(name: "rawmill-render", targets: ["rawmill-render"]),
        // For rawmill-torture and tests.
        .library(name: "failing-calls", type: .dynamic, targets: ["CFailingCalls"]),
    ],
    targets: clibraries + platform + model + imaging + transport + roles + programs + testTargets + testTools + fuzzers,
    swiftLanguageModes: [.v6]
)
