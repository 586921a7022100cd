/// What a client gets.
public struct Response: Hashable, Sendable {
    public let status: Int
    public let contentType: String
    public let body: [UInt8]
    public let headers: [Field]

    public struct Field: Hashable, Sendable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// - Parameter status: 200…599; anything else is sent as 500.
    public init(status: Int = 200, contentType: String, body: [UInt8], headers: [Field] = []) {
        self.status = (200...599).contains(status) ? status : 500
        self.contentType = contentType
        self.body = body
        self.headers = headers
    }

    /// A page of plain words, with a line feed after them.
    public static func text(_ text: String, status: Int = 200) -> Response {
        Response(status: status, contentType: "text/plain; charset=utf-8", body: Array((text + "\n").utf8))
    }
}
