import Foundation

/// The package as it lies on disk.
enum Package {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static var rooms: Set<String> {
        get throws {
            let sources = folder.appending(path: "Sources")
            return Set(
                try FileManager.default.contentsOfDirectory(atPath: sources.path).filter { name in
                    try !files(of: name).isEmpty
                })
        }
    }

    /// The Swift files of a room, by their paths below Sources.
    static func files(of room: String) throws -> [(name: String, source: String)] {
        let sources = folder.appending(path: "Sources")
        let names = try FileManager.default.subpathsOfDirectory(atPath: sources.appending(path: room).path)
        return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
            ("\(room)/\(name)", try String(contentsOf: sources.appending(path: "\(room)/\(name)"), encoding: .utf8))
        }
    }

    struct Declared {
        let name: String
        let dependencies: Set<String>
    }

    /// The rooms as Package.swift declares them, in its order.
    static var declared: [Declared] {
        get throws { declared(in: try String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)) }
    }

    static func declared(in manifest: String) -> [Declared] {
        let room = /(?:[^c] room\(|executableTarget\(\s*name:)\s*"([\w-]+)"(?:,\s*(?:dependencies:\s*)?\[([^\]]*)\])?/
        return manifest.matches(of: room).map { match in
            let list = (match.2 ?? "").matches(of: /"(\w+)"/).map { String($0.1) }
            return Declared(name: String(match.1), dependencies: Set(list))
        }
    }
}
