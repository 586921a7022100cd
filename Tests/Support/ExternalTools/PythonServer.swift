import Foundation

/// A server in Python that prints its port of 127.0.0.1 when it is ready. It ends with this object.
public final class PythonServer {
    struct NotStarted: Error {}

    public let url: String
    private let process = Process()

    /// - Parameter script: path of the program.
    public init(_ script: String, _ arguments: [String]) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script] + arguments
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw NotStarted() }
        url = "http://127.0.0.1:\(port)"
    }

    deinit {
        // Not SIGTERM: which signals a child ignores depends on the test runner's parent.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
