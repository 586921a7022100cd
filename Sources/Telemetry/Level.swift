/// How much a log line matters.
public enum Level: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// For whoever looks for a fault of Rawmill.
    case debug
    /// What an operator of a worker wants to read later.
    case info
    /// Something a person should look at; the run goes on.
    case warning
    /// Something failed that should not have.
    case error

    public var name: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }

    /// Nil for a word that is no level.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
