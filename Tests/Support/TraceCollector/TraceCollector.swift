import ExternalTools
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

    private let server: PythonServer
    private let file: URL

    /// Its address.
    public var url: String { server.url }

    public init() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "collector.py")
        file = FileManager.default.temporaryDirectory.appending(path: "rawmill-spans-\(UUID())")
        server = try PythonServer(script.path, [file.path])
    }

    deinit { try? FileManager.default.removeItem(at: file) }

    /// What it has heard so far.
    public func spans() throws -> [Span] {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Span.self, from: Data($0.utf8)) }
    }
}
