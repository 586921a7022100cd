internal import Synchronization

/// Whether a role can accept work, and why not. The parts of the role report each condition as they meet or lose it.
public final class Readiness: Sendable {
    /// A condition that a role may have to meet before it can accept work.
    public enum Condition: String, CaseIterable, Sendable, Comparable {
        case warm
        /// The consumer group assigned this member partitions: possibly none, if there are more members than
        /// partitions.
        case assigned
        /// Nothing blocks the role, such as lost storage or a circuit breaker.
        case working
        case storage
        case open
        /// Every connection has found the cluster.
        case connected

        /// By name.
        public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    private let unmet: Mutex<[Condition: String]>

    /// - Parameter unmet: the conditions to meet first, and why they are not met yet.
    public init(_ unmet: [Condition: String] = [:]) { self.unmet = Mutex(unmet) }

    /// Reports that a condition is met.
    public func setMet(_ condition: Condition) { unmet.withLock { _ = $0.removeValue(forKey: condition) } }

    /// Reports that a condition is not met, and why.
    public func setUnmet(_ condition: Condition, _ cause: String) { unmet.withLock { $0[condition] = cause } }

    /// One line per unmet condition, by name; empty if the role is ready.
    public var problems: [String] {
        unmet.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.key.rawValue): \($0.value)" } }
    }
}
