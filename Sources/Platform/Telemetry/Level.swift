/// How much a log line matters, the least first.
public enum Level: String, Hashable, Sendable, Comparable, CaseIterable {
    /// For whoever looks for a fault of Rawmill.
    case debug
    /// What an operator of a worker wants to read later.
    case info
    /// Something a person should look at; the run goes on.
    case warning
    /// Something failed that should not have.
    case error

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }

    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
}
