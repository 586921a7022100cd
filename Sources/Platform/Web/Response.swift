/// A response to a client.
public struct Response: Hashable, Sendable {
    /// The HTTP status code.
    public let status: Int
    /// The value of the `Content-Type` header.
    public let contentType: String
    /// The content.
    public let body: [UInt8]
    /// Further headers.
    public let headers: [Field]

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
    public init(status: Int = 200, contentType: String, body: [UInt8], headers: [Field] = []) {
        self.status = (200...599).contains(status) ? status : 500
        self.contentType = contentType
        self.body = body
        self.headers = headers
    }

    /// A plain text with a line feed after it.
    public static func text(_ text: String, status: Int = 200) -> Response {
        Response(status: status, contentType: "text/plain; charset=utf-8", body: Array((text + "\n").utf8))
    }
}
