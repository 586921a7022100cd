/// Severity of a log line, ascending.
public enum Level: String, Hashable, Sendable, Comparable, CaseIterable {
    /// For debugging Rawmill itself.
    case debug
    /// For later reading by an operator.
    case info
    /// Needs attention; the run continues.
    case warning
    /// An unexpected failure.
    case error

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }

    /// By severity.
    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
}
