internal import Synchronization

/// The last changes and their clients.
public final class ChangeLog: Sendable {
    /// A requested change.
    public struct Entry: Hashable, Sendable {
        /// Since 1970.
        public let milliseconds: Int64
        /// The client that requested the change.
        public let client: AccessClient
        /// Method and path, such as `POST /v1/photos/undo`.
        public let action: String
        /// The beginning of the request's body.
        public let detail: String
        /// HTTP status of the response.
        public let status: Int

        /// Creates an entry from its parts.
        public init(milliseconds: Int64, client: AccessClient, action: String, detail: String, status: Int) {
            self.milliseconds = milliseconds
            self.client = client
            self.action = action
            self.detail = detail
            self.status = status
        }
    }

    private let entries = Mutex<[Entry]>([])
    private static let maxCount = 1000

    /// Creates an empty log.
    public init() {}

    /// Adds a change and drops the oldest beyond the limit.
    public func add(_ entry: Entry) {
        entries.withLock { entries in
            entries.append(entry)
            if entries.count > Self.maxCount { entries.removeFirst(entries.count - Self.maxCount) }
        }
    }

    /// The newest first.
    public var newest: [Entry] { entries.withLock { $0.reversed() } }
}
