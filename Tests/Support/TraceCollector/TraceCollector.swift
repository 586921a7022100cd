import Foundation

/// A collector of traces in Python, which is strict about their form and writes each span it hears on a line.
public final class TraceCollector {
    public struct Span: Decodable, Sendable {
        public let service, name, trace, id: String
        public let parent: String?
        /// Nanoseconds since 1970.
        public let start, end: UInt64
        public let attributes: [String: String]
        public let failure: String?
    }

    struct NotStarted: Error {}

    public let url: String
    private let process = Process()
    private let file: URL

    public init() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "collector.py")
        file = FileManager.default.temporaryDirectory.appending(path: "rawmill-spans-\(UUID())")
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path, file.path]
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw NotStarted() }
        url = "http://127.0.0.1:\(port)"
    }

    deinit {
        // Not asked to: which signals a child heeds depends on who started the tests.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: file)
    }

    /// What it has heard so far.
    public func spans() throws -> [Span] {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Span.self, from: Data($0.utf8)) }
    }
}
