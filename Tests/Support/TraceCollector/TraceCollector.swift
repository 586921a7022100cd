import ExternalTools
import Foundation

/// A trace collector in Python that checks the format strictly and writes one line per span.
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

    /// The collector's address.
    public var url: String { server.url }

    public init() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "collector.py")
        file = FileManager.default.temporaryDirectory.appending(path: "rawmill-spans-\(UUID())")
        server = try PythonServer(script.path, [file.path])
    }

    deinit { try? FileManager.default.removeItem(at: file) }

    /// The spans received so far.
    public func spans() throws -> [Span] {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Span.self, from: Data($0.utf8)) }
    }
}
