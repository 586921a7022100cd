import ExternalTools
import Foundation

/// A photo server in Python that strictly implements Immich's documented interface.
public final class SimulatedImmich {
    /// The server's contents.
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
        /// Number of upload requests, failed ones included.
        public let uploads: Int

        /// The names of files, in order.
        public func names(_ ids: [String]) -> [String] { ids.map { assets[$0]?.name ?? "?" } }
    }

    private let server: PythonServer

    /// The server's address.
    public var url: String { server.url }

    /// - Parameter failingUpload: number of the upload that fails; 0 for none.
    public init(key: String, failingUpload: Int = 0) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "immich.py")
        server = try PythonServer(script.path, [key, "\(failingUpload)"])
    }

    /// The current contents.
    public func state() throws -> State {
        guard let address = URL(string: "\(url)/state") else { throw URLError(.badURL) }
        return try JSONDecoder().decode(State.self, from: Data(contentsOf: address))
    }
}
