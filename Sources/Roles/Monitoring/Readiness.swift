internal import Synchronization

/// Whether a role can take work, and why not. A value a role's parts fill in: each condition is open, with the reason,
/// until its part says that it is met.
public final class Readiness: Sendable {
    public enum Condition: String, CaseIterable, Sendable, Comparable {
        /// Render processes are started and have their tables.
        case warm
        /// The group gave this member its share, which may be none where there are more members than partitions.
        case assigned
        /// Nothing holds the role back: no lost storage, no breaker.
        case working
        /// The database is open.
        case open
        /// Every connection to the cluster has found it.
        case connected

        public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    private let missing: Mutex<[Condition: String]>

    /// - Parameter missing: what has to be met first, with the words for why it is not.
    public init(_ missing: [Condition: String] = [:]) { self.missing = Mutex(missing) }

    public func met(_ condition: Condition) { missing.withLock { _ = $0.removeValue(forKey: condition) } }

    public func lacks(_ condition: Condition, _ why: String) { missing.withLock { $0[condition] = why } }

    /// A line for each condition that is not met; empty where the role is ready.
    public var problems: [String] {
        missing.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.key.rawValue): \($0.value)" } }
    }
}
