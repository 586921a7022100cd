/// A module, and what it may import: the house's rule, against which the sources are held.
struct Room {
    let name: String
    let mayImport: Set<String>

    init(_ name: String, _ mayImport: Set<String> = []) {
        self.name = name
        self.mayImport = mayImport
    }
}

enum House {
    /// What every room may use: the C library and the atomics of the toolchain.
    static let ground: Set<String> = ["Glibc", "Synchronization"]

    /// C libraries and our own doors to the kernel, and the one room that sees each.
    static let cages = [
        "CLibRaw": "Decode", "CTurboJPEG": "Encode", "CLittleCMS": "Encode", "CExempi": "Metadata",
        "CSQLite": "Database", "COpenSSL": "Digest", "CRdKafka": "KafkaBroker", "Wire": "Records",
        "CYAML": "Settings", "CFiles": "Storage", "CProcesses": "Processes",
        "CMicroHTTPD": "Web", "CWide": "Develop", "CCache": "Pixels",
    ]

    /// In the order data flows, which is the order in Package.swift.
    static let rooms: [Room] = [
        Room("Digest", ["COpenSSL"]),
        Room("Memory"),
        Room("Pixels", ["CCache", "Memory"]),
        Room("Jobs", ["Digest", "Pixels"]),
        Room("Metadata", ["CExempi"]),
        Room("Decode", ["CLibRaw", "Pixels", "Metadata"]),
        Room("Develop", ["CWide", "Memory", "Pixels"]),
        Room("Looks", ["Pixels", "Digest"]),
        Room("Encode", ["CTurboJPEG", "CLittleCMS", "Pixels", "Metadata"]),
        Room("Manifests", ["Jobs", "Pixels", "Digest"]),
        Room("Records", ["Wire", "Jobs", "Manifests", "Pixels", "Digest"]),
        Room("Processes", ["CProcesses"]),
        Room("Storage", ["CFiles", "Digest", "Memory"]),
        Room("Database", ["CSQLite"]),
        Room("Threads"),
        Room("Broker", ["Database", "Threads"]),
        Room("KafkaBroker", ["CRdKafka", "Broker", "Threads"]),
        Room("Library", ["Jobs", "Manifests", "Database", "Storage", "Digest", "Pixels"]),
        Room("Telemetry"),
        Room("Tracing", ["Telemetry"]),
        Room("Arguments"),
        Room("Settings", ["CYAML"]),
        Room("Metrics"),
        Room("Web", ["CMicroHTTPD"]),
        Room("Samples", ["Pixels"]),
        Room(
            "Render",
            [
                "Decode", "Develop", "Looks", "Encode", "Metadata", "Memory", "Pixels", "Storage", "Jobs", "Manifests",
                "Digest",
            ]),
        Room("RenderHost", ["Render", "Records", "Jobs", "Manifests", "Digest", "Storage", "Processes"]),
        Room("rawmill-render", ["RenderHost"]),
        Room(
            "Coordinator",
            ["Broker", "Records", "Database", "Jobs", "Manifests", "Storage", "Telemetry", "Threads", "Digest"]),
        Room(
            "Worker",
            [
                "Broker", "Render", "RenderHost", "Records", "Jobs", "Manifests", "Storage", "Telemetry", "Processes",
                "Threads", "Digest",
            ]),
        Room(
            "Catalogue",
            [
                "Broker", "Library", "Records", "Jobs", "Manifests", "Pixels", "Storage", "Telemetry", "Threads",
                "Metadata", "Digest",
            ]),
        Room(
            "Monitoring",
            [
                "Broker", "Catalogue", "Coordinator", "Jobs", "Library", "Manifests", "Metrics", "Telemetry", "Web",
                "Worker",
            ]),
        Room(
            "rawmill",
            [
                "Arguments", "Broker", "Catalogue", "Coordinator", "Database", "Digest", "Jobs", "KafkaBroker",
                "Library", "Looks", "Manifests", "Metrics", "Monitoring", "Pixels", "Processes", "Records", "Render",
                "RenderHost", "Samples", "Settings", "Storage", "Telemetry", "Tracing", "Web", "Worker",
            ]),
    ]
}
