internal import CPostgreSQL

/// The libpq that is loaded.
public enum PostgreSQLLibrary {
    /// Such as `15.18`.
    public static var version: String {
        let number = PQlibVersion()
        return "\(number / 10_000).\(number % 10_000)"
    }
}
