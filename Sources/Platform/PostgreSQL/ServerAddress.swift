internal import CPostgreSQL

/// Where a PostgreSQL database is, and how to connect to it: `postgresql://user@host:port/database?sslmode=verify-full`, with
/// all of libpq's parameters. It never holds a password.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// As it was given.
    public let text: String
    /// libpq's parameters by their keywords.
    let parameters: [String: String]

    /// Reads an address.
    ///
    /// - Throws: `ServerAddressError` for what is none, or has a password in it.
    public init(_ text: String) throws(ServerAddressError) {
        guard Self.isAddress(text) else { throw ServerAddressError(cause: "it does not begin with postgresql://") }
        let found = try Self.parse(text)
        guard found["password"] == nil, found["sslpassword"] == nil else {
            throw ServerAddressError(
                cause: """
                    there is a password in it, which others would see. Put the password into a file of the form \
                    host:port:database:user:password that only you can read, and name the file by ?passfile=PATH or by the \
                    environment's PGPASSFILE; ~/.pgpass is read by itself
                    """)
        }
        guard found["dbname"]?.isEmpty == false else {
            throw ServerAddressError(cause: "it names no database: postgresql://HOST/DATABASE")
        }
        self.text = text
        parameters = found
    }

    /// True for a text that is meant as an address, right or wrong.
    public static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// The server and the database, for people.
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
            // libpq quotes the address, and what it took for a password by mistake.
            throw ServerAddressError(cause: ServerError.oneLine(cause.replacing(text, with: "")))
        }
        defer { unsafe PQconninfoFree(options) }
        var found: [String: String] = [:]
        // The list ends with an option without a keyword.
        var next = unsafe options
        while let keyword = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val {
                unsafe found[String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe next += 1
        }
        return found
    }

    /// The address in libpq's other form, `keyword='value' …`, with what Rawmill sets where the address does not: a server
    /// that is gone is noticed within half a minute.
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

/// Why a text is not the address of a database.
public struct ServerAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In words that follow a colon.
    public let cause: String

    /// For people; without the text, in which a password may be.
    public var description: String { "this is not the address of a PostgreSQL database: \(cause)." }
}
