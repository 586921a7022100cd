/// The body of a request.
public enum RequestBody {
    case none
    case json([UInt8])
    /// Form fields, in order (RFC 7578).
    case form([FormField])
}

/// A form field.
public enum FormField {
    case text(_ name: String, _ value: String)
    case file(_ name: String, FormFile)
}

/// A file in a form, read piece by piece during transmission.
public struct FormFile {
    /// File name sent to the server.
    public let name: String
    let sizeBytes: UInt64
    let read: (_ offset: UInt64, _ count: Int) throws -> [UInt8]

    /// - Parameter read: returns at most `count` bytes from `offset`. Called in order, and from the beginning when a
    ///   request is repeated. Its errors end the request and are rethrown.
    public init(
        name: String, sizeBytes: UInt64, read: @escaping (_ offset: UInt64, _ count: Int) throws -> [UInt8]
    ) {
        self.name = name
        self.sizeBytes = sizeBytes
        self.read = read
    }
}

/// A server's response.
public struct HTTPAnswer: Hashable, Sendable {
    /// HTTP status code.
    public let status: Int
    /// The body.
    public let body: [UInt8]
}

/// Why there is no valid response, as part of a sentence.
public struct HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public let description: String
}
