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

    struct NotStarted: Error {}

    public let url: String
    private let process = Process()

    /// - Parameter failingUpload: the number of the upload that fails; 0 for none.
    public init(key: String, failingUpload: Int = 0) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "immich.py")
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path, key, "\(failingUpload)"]
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
    }

    /// What it has now.
    public func state() throws -> State {
        guard let address = URL(string: "\(url)/state") else { throw NotStarted() }
        return try JSONDecoder().decode(State.self, from: Data(contentsOf: address))
    }
}
