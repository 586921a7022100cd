internal import Foundation

/// Other programs that judge Rawmill's output. A test that uses one says `.needs(.program("exiftool"))`.
public enum ExternalTool {
    /// Runs a program to its end.
    ///
    /// - Parameter mergesErrors: false drops what it writes to standard error.
    /// - Returns: what it printed.
    /// - Throws: `Missing` where it is not installed.
    public static func run(_ program: String, _ arguments: [String], mergesErrors: Bool = true) throws -> String {
        guard let path = path(of: program) else {
            throw Missing(description: Requirement.program(program).obstacle ?? program)
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = mergesErrors ? output : FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Runs a program on bytes, which it gets as a file, its last argument.
    ///
    /// - Parameter name: the file's name.
    /// - Returns: what it printed, errors included.
    /// - Throws: `Missing` where it is not installed.
    public static func run(
        _ program: String, _ arguments: [String], on bytes: [UInt8], named name: String = "photo.jpg"
    ) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(bytes).write(to: file)
        return try run(program, arguments + [file.path])
    }

    static func path(of program: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/", "/bin/", "/usr/sbin/"].map { $0 + program }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}

/// What a test needs and this machine lacks.
public struct Missing: Error, CustomStringConvertible {
    /// What is missing, and what installs it.
    public let description: String
}
