/// How important a log line is, from least to most.
public enum Level: String, Hashable, Sendable, Comparable, CaseIterable {
    /// For debugging Rawmill itself.
    case debug
    /// What an operator may want to read later.
    case info
    /// Something a person should look at. The run continues.
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

    /// By importance.
    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
}
