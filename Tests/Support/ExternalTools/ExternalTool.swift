internal import Foundation

/// Other programs that judge Rawmill's output. A test that uses one has the trait `.needs(.program("exiftool"))`.
public enum ExternalTool {
    /// Runs a program to its end.
    ///
    /// - Parameter mergesErrors: false discards standard error.
    /// - Returns: its output.
    /// - Throws: `Missing` if it is not installed.
    public static func run(_ program: String, _ arguments: [String], mergesErrors: Bool = true) throws -> String {
        String(decoding: try output(program, arguments, mergesErrors: mergesErrors), as: UTF8.self)
    }

    private static func output(_ program: String, _ arguments: [String], mergesErrors: Bool) throws -> Data {
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
        return data
    }

    /// Runs a program that converts a file of these bytes.
    ///
    /// - Parameters:
    ///   - arguments: made from the file's path.
    ///   - name: the file's name.
    /// - Returns: its standard output.
    /// - Throws: `Missing` if it is not installed.
    public static func convert(
        _ program: String, _ bytes: [UInt8], named name: String, _ arguments: (String) -> [String]
    ) throws -> [UInt8] {
        try withFile(bytes, name) { Array(try output(program, arguments($0), mergesErrors: false)) }
    }

    /// Runs a program on a file of these bytes, its last argument.
    ///
    /// - Parameter name: the file's name.
    /// - Returns: its output, errors included.
    /// - Throws: `Missing` if it is not installed.
    public static func run(
        _ program: String, _ arguments: [String], on bytes: [UInt8], named name: String = "photo.jpg"
    ) throws -> String {
        try withFile(bytes, name) { try run(program, arguments + [$0]) }
    }

    private static func withFile<Value>(
        _ bytes: [UInt8], _ name: String, _ body: (String) throws -> Value
    ) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(bytes).write(to: file)
        return try body(file.path)
    }

    static func path(of program: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/", "/bin/", "/usr/sbin/"].map { $0 + program }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}

/// A missing requirement of a test.
public struct Missing: Error, CustomStringConvertible {
    /// The missing requirement, and how to install it.
    public let description: String
}
