internal import Synchronization

/// Whether a role can take work, and why not. The parts of the role report each condition as they meet or lose it.
public final class Readiness: Sendable {
    /// What a role may have to meet before it can take work.
    public enum Condition: String, CaseIterable, Sendable, Comparable {
        /// The render processes have started and have their tables.
        case warm
        /// The consumer group assigned this member its partitions. These may be none, if there are more members than
        /// partitions.
        case assigned
        /// Nothing holds the role back, such as lost storage or a breaker.
        case working
        /// The folders that the role was given are there.
        case storage
        /// The database is open.
        case open
        /// Every connection to the cluster has found it.
        case connected

        /// By name.
        public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// The unmet conditions, and why they are not met.
    private let unmet: Mutex<[Condition: String]>

    /// - Parameter unmet: the conditions that have to be met first, and why they are not met yet.
    public init(_ unmet: [Condition: String] = [:]) { self.unmet = Mutex(unmet) }

    /// Reports that a condition is met.
    public func setMet(_ condition: Condition) { unmet.withLock { _ = $0.removeValue(forKey: condition) } }

    /// Reports that a condition is not met, and why.
    public func setUnmet(_ condition: Condition, _ cause: String) { unmet.withLock { $0[condition] = cause } }

    /// One line for each condition that is not met, by name; empty if the role is ready.
    public var problems: [String] {
        unmet.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.key.rawValue): \($0.value)" } }
    }
}
