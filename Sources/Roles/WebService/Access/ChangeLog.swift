internal import Synchronization

/// The last changes, and who asked for them.
public final class ChangeLog: Sendable {
    /// A change that was asked for.
    public struct Entry: Hashable, Sendable {
        /// Since 1970.
        public let milliseconds: Int64
        /// Who asked.
        public let client: AccessClient
        /// `POST /v1/photos/undo`.
        public let action: String
        /// The beginning of the request's body, as text.
        public let detail: String
        /// The HTTP status that it was answered with.
        public let status: Int

        /// An entry.
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

    /// An empty log.
    public init() {}

    /// Adds a change; the oldest is forgotten if there are too many.
    public func add(_ entry: Entry) {
        entries.withLock { entries in
            entries.append(entry)
            if entries.count > Self.maxCount { entries.removeFirst(entries.count - Self.maxCount) }
        }
    }

    /// The newest first.
    public var newest: [Entry] { entries.withLock { $0.reversed() } }
}
