internal import CPostgreSQL

/// Connection URI of a PostgreSQL database: `postgresql://user@host:port/database?sslmode=verify-full`, with all of
/// libpq's parameters, but never a password.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The URI as given.
    public let text: String
    let parameters: [String: String]

    /// Parses a URI. Throws `ServerAddressError` if it is invalid or contains a password.
    public init(_ text: String) throws(ServerAddressError) {
        guard Self.isAddress(text) else { throw ServerAddressError(cause: "it does not begin with postgresql://") }
        let found = try Self.parse(text)
        guard found["password"] == nil, found["sslpassword"] == nil else {
            throw ServerAddressError(
                cause: """
                    it contains a password, which other users could see. Put the password into a file of the form \
                    host:port:database:user:password that only you can read, and name the file in ?passfile=PATH or the \
                    environment variable PGPASSFILE; ~/.pgpass is read automatically
                    """)
        }
        guard found["dbname"]?.isEmpty == false else {
            throw ServerAddressError(cause: "it names no database: postgresql://HOST/DATABASE")
        }
        self.text = text
        parameters = found
    }

    /// Whether a text is meant as an address, valid or not.
    public static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// Server and database, for display.
    public var description: String {
        let host = parameters["host"] ?? parameters["hostaddr"] ?? ""
        let port = parameters["port"].map { ":\($0)" } ?? ""
        return "postgresql://\(host)\(port)/\(parameters["dbname"] ?? "")"
    }

    private static func parse(_ text: String) throws(ServerAddressError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(text, &message) else {
            let cause = unsafe message.map { unsafe String(cString: $0) } ?? "it cannot be read"
            unsafe PQfreemem(message)
            // libpq quotes the URI and what it mistook for a password.
            throw ServerAddressError(cause: ServerError.oneLine(cause.replacing(text, with: "")))
        }
        defer { unsafe PQconninfoFree(options) }
        var found: [String: String] = [:]
        // The list ends with a null keyword.
        var next = unsafe options
        while let keyword = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val {
                unsafe found[String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe next += 1
        }
        return found
    }

    /// The address as `keyword='value' …`, with defaults that detect a lost server within half a minute.
    var connectionString: String {
        let defaults = [
            "application_name": "rawmill", "client_encoding": "UTF8", "connect_timeout": "10", "keepalives_idle": "5",
            "keepalives_interval": "5", "keepalives_count": "3", "tcp_user_timeout": "20000",
        ]
        return defaults.merging(parameters) { $1 }.sorted { $0.key < $1.key }.map { keyword, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
            return "\(keyword)='\(escaped)'"
        }.joined(separator: " ")
    }
}

/// Why a text is not a database address.
public struct ServerAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Follows a colon.
    public let cause: String

    /// Omits the text, which may contain a password.
    public var description: String { "this is not the address of a PostgreSQL database: \(cause)." }
}
