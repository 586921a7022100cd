internal import Foundation

/// Other programs, whose word counts.
public enum ExternalTool {
    /// What a program prints, its errors with it.
    ///
    /// - Returns: nil, with a printed reason, where it is not installed.
    /// - Throws: where it is not installed and CI runs the tests, or cannot be started.
    public static func ask(_ program: String, _ arguments: [String], hearsErrors: Bool = true) throws -> String? {
        guard let path = path(of: program) else {
            try skip("\(program) is not installed")
            return nil
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = hearsErrors ? output : FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// The same about bytes, which it finds in the file that is its last argument.
    ///
    /// - Throws: where it is not installed.
    public static func ask(
        _ program: String, _ arguments: [String], about bytes: [UInt8], named name: String = "photo.jpg"
    ) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(bytes).write(to: file)
        guard let words = try ask(program, arguments + [file.path]) else {
            throw Missing(description: "\(program) is not installed; Deploy/install-dependencies --tests installs it")
        }
        return words
    }

    static func path(of program: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/", "/bin/"].map { $0 + program }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}

/// What a test needs and this machine lacks.
public struct Missing: Error, CustomStringConvertible {
    public let description: String
}

/// Prints why something is not tested here; in CI, nothing may be left out.
func skip(_ reason: String) throws(Missing) {
    guard ProcessInfo.processInfo.environment["CI"] == nil else { throw Missing(description: reason) }
    print("skipped: \(reason)")
}
