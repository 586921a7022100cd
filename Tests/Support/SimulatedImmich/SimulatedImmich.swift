import ExternalTools
import Foundation

/// A photo server in Python that takes what Immich's documented interface takes, and is strict about it.
public final class SimulatedImmich {
    /// What it has.
    public struct State: Decodable, Sendable {
        public struct Asset: Decodable, Sendable {
            public let name, sha256, created: String
            public let sidecar: Bool
        }

        public struct Stack: Decodable, Sendable {
            public let primaryAssetId: String
            public let assets: [String]
        }

        public struct Album: Decodable, Sendable {
            public let albumName: String
            public let assets: [String]
        }

        public let assets: [String: Asset]
        public let stacks: [Stack]
        public let albums: [Album]
        /// Requests to upload a file, answered well or not.
        public let uploads: Int

        /// The names of files, in order.
        public func names(_ ids: [String]) -> [String] { ids.map { assets[$0]?.name ?? "?" } }
    }

    private let server: PythonServer

    /// Its address.
    public var url: String { server.url }

    /// - Parameter failingUpload: the number of the upload that fails; 0 for none.
    public init(key: String, failingUpload: Int = 0) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "immich.py")
        server = try PythonServer(script.path, [key, "\(failingUpload)"])
    }

    /// What it has now.
    public func state() throws -> State {
        guard let address = URL(string: "\(url)/state") else { throw URLError(.badURL) }
        return try JSONDecoder().decode(State.self, from: Data(contentsOf: address))
    }
}
