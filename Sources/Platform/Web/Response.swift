internal import Glibc

/// A response to a client.
public struct Response: Sendable {
    /// The HTTP status code.
    public let status: Int
    /// The value of the `Content-Type` header.
    public let contentType: String
    /// What is sent.
    public let content: Content
    /// Further headers.
    public var headers: [Field]

    /// What a response sends.
    public enum Content: Sendable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// A part of a file.
        case file(ResponseFile)
        /// Bytes that come with time. Only a server with a thread for each connection can send them.
        case stream(any ResponseStream)
    }

    /// A header.
    public struct Field: Hashable, Sendable {
        /// Its name.
        public let name: String
        /// Its value.
        public let value: String

        /// Creates a header. One with a line feed is not sent.
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

    /// Creates a response of bytes.
    public init(status: Int = 200, contentType: String, body: [UInt8], headers: [Field] = []) {
        self.init(status: status, contentType: contentType, content: .bytes(body), headers: headers)
    }

    /// A plain text with a line feed after it.
    public static func text(_ text: String, status: Int = 200) -> Response {
        Response(status: status, contentType: "text/plain; charset=utf-8", body: Array((text + "\n").utf8))
    }

    /// The bytes of a response that has them in memory; empty for others.
    public var body: [UInt8] { if case .bytes(let bytes) = content { bytes } else { [] } }
}

/// An open file that a response sends, or a part of it. It is closed with the value.
public final class ResponseFile: Sendable {
    let descriptor: Int32
    /// Where the part begins, in bytes.
    let offset: UInt64
    /// The part's length in bytes.
    let count: UInt64

    /// - Parameter descriptor: of a regular file, open for reading; this value closes it.
    public init(owning descriptor: Int32, offset: UInt64 = 0, count: UInt64) {
        self.descriptor = descriptor
        self.offset = offset
        self.count = count
    }

    /// A part of a file that the caller goes on to own; nil if the system has no descriptor left.
    public convenience init?(copying descriptor: Int32, offset: UInt64, count: UInt64) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.init(owning: copy, offset: offset, count: count)
    }

    deinit { close(descriptor) }
}

/// Bytes that come with time, until the client leaves.
public protocol ResponseStream: Sendable {
    /// Waits for bytes. It may block its connection's thread, but has to return within 20 s.
    ///
    /// - Parameter limit: at most so many.
    /// - Returns: nil at the end; empty for none yet.
    func next(limit: Int) -> [UInt8]?
    /// The client is gone, or the stream has ended. Called once.
    func close()
    /// True if the end came too early: the connection is then cut, so that the client does not take a part for the whole.
    var hasFailed: Bool { get }
}

extension ResponseStream {
    /// Never.
    public var hasFailed: Bool { false }
}
