public import Foundation

/// Folders that tests use.
public enum Checkout {
    /// The project's folder: the closest ancestor of this file with a Package.swift.
    public static let folder: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        repeat {
            folder = folder.deletingLastPathComponent()
        } while folder.path != "/"
            && !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
        return folder
    }()

    /// The folder beside the project with files that are not part of it: real RAWs, photographs, Kafka.
    public static let shared = folder.deletingLastPathComponent().appending(path: "shared")

    /// The build of `decode-probe` with the shipped program's settings: for the lowest built processor level, or by the
    /// gate.
    public static let shippedProbe: URL = {
        let probes = ["levels/x86-64-v2", "levels/x86-64-v3", "levels/x86-64-v4", "gate"].map {
            folder.appending(path: ".build/\($0)/release/decode-probe")
        }
        return probes.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? probes[0]
    }()
}
