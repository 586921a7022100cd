/// What a client sends.
public enum RequestBody {
    case none
    /// A text in JSON.
    case json([UInt8])
    /// The fields of a form, in order (RFC 7578).
    case form([FormField])
}

/// A field of a form.
public enum FormField {
    case text(_ name: String, _ value: String)
    case file(_ name: String, FormFile)
}

/// A file of a form, which is read while it is sent: memory holds a piece of it.
public struct FormFile {
    /// The name for the server.
    public let name: String
    let sizeBytes: UInt64
    let read: (_ offset: UInt64, _ count: Int) throws -> [UInt8]

    /// - Parameters:
    ///   - name: the file's name for the server.
    ///   - read: gives at most `count` bytes from `offset` on, in order or, where a request is sent again, from the beginning. What
    ///     it throws ends the request, and is thrown.
    public init(
        name: String, sizeBytes: UInt64, read: @escaping (_ offset: UInt64, _ count: Int) throws -> [UInt8]
    ) {
        self.name = name
        self.sizeBytes = sizeBytes
        self.read = read
    }
}

/// What a server answered.
public struct HTTPAnswer: Hashable, Sendable {
    /// HTTP's status code.
    public let status: Int
    /// The answer's bytes.
    public let body: [UInt8]
}

/// Why there is no answer, as a part of a sentence.
public struct HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public let description: String
}
