internal import Glibc

/// A response to a client.
public struct Response: Sendable {
    /// HTTP status code.
    public let status: Int
    /// `Content-Type`.
    public let contentType: String
    /// The body.
    public let content: Content
    /// Further headers.
    public var headers: [Field]

    /// The body of a response.
    public enum Content: Sendable {
        case bytes([UInt8])
        case file(ResponseFile)
        /// Bytes that arrive over time. Requires a thread per connection.
        case stream(any ResponseStream)
    }

    /// A header.
    public struct Field: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value.
        public let value: String

        /// Creates a header. It is not sent if it contains a line feed.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Creates a response.
    ///
    /// - Parameter status: 200…599; anything else becomes 500.
    public init(status: Int = 200, contentType: String, content: Content, headers: [Field] = []) {
        self.status = (200...599).contains(status) ? status : 500
        self.contentType = contentType
        self.content = content
        self.headers = headers
    }

    /// Creates a response with a body in memory.
    public init(status: Int = 200, contentType: String, body: [UInt8], headers: [Field] = []) {
        self.init(status: status, contentType: contentType, content: .bytes(body), headers: headers)
    }

    /// Creates a plain text response, with a line feed appended.
    public static func text(_ text: String, status: Int = 200) -> Response {
        Response(status: status, contentType: "text/plain; charset=utf-8", body: Array((text + "\n").utf8))
    }

    /// The body if it is in memory; otherwise empty.
    public var body: [UInt8] { if case .bytes(let bytes) = content { bytes } else { [] } }
}

/// A part of an open file, which is closed with the value.
public final class ResponseFile: Sendable {
    let descriptor: Int32
    let offset: UInt64
    let count: UInt64

    /// - Parameter descriptor: of a regular file open for reading; closed by this value.
    public init(owning descriptor: Int32, offset: UInt64 = 0, count: UInt64) {
        self.descriptor = descriptor
        self.offset = offset
        self.count = count
    }

    /// Duplicates the caller's descriptor; nil if the system has none left.
    public convenience init?(copying descriptor: Int32, offset: UInt64, count: UInt64) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.init(owning: copy, offset: offset, count: count)
    }

    deinit { close(descriptor) }
}

/// Bytes that arrive over time, until the client leaves.
public protocol ResponseStream: Sendable {
    /// Waits for bytes. May block, but must return within 20 s. Returns at most `limit` bytes, possibly none; nil at
    /// the end.
    func next(limit: Int) -> [UInt8]?
    /// Called once, when the client has left or the stream has ended.
    func close()
    /// Whether the stream ended early: the connection is then aborted, so that the client does not take a part for the
    /// whole.
    var hasFailed: Bool { get }
}

extension ResponseStream {
    /// False.
    public var hasFailed: Bool { false }
}
