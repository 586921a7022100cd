internal import CPostgreSQL

/// The loaded libpq.
public enum PostgreSQLLibrary {
    /// For example `15.18`.
    public static var version: String {
        let number = PQlibVersion()
        return "\(number / 10_000).\(number % 10_000)"
    }
}
