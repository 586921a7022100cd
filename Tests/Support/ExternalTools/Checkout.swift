public import Foundation

/// The folders that tests find things in.
public enum Checkout {
    /// The project's folder: the closest one above this file with a Package.swift.
    public static let folder: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        repeat {
            folder = folder.deletingLastPathComponent()
        } while folder.path != "/"
            && !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
        return folder
    }()

    /// The folder beside the project with what is not part of it: real RAW files, photographs, a Kafka.
    public static let shared = folder.deletingLastPathComponent().appending(path: "shared")

    /// The build of `decode-probe` that is like the shipped program's: in the scratch folder of the oldest processor
    /// level that was built, because it is not installed.
    public static let shippedProbe: URL = {
        let probes = ["x86-64-v2", "x86-64-v3", "x86-64-v4"].map {
            folder.appending(path: ".build/levels/\($0)/release/decode-probe")
        }
        return probes.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? probes[0]
    }()
}
