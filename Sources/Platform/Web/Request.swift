/// A request of a client, without its body.
public struct Request: Hashable, Sendable {
    /// `GET`, `POST` and so on, as the client wrote it.
    public let method: String
    /// The percent-decoded path without the query, with U+FFFD in place of bytes that are not UTF-8.
    public let path: String
    /// The percent-decoded fields of the query, in their order.
    public let query: [Field]
    /// The header fields, in their order.
    public let headers: [Field]

    /// A name and its value.
    public struct Field: Hashable, Sendable {
        /// As the client wrote it.
        public let name: String
        /// The value; empty where the client gave none.
        public let value: String

        /// A field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Creates a request.
    public init(method: String = "GET", path: String, query: [Field] = [], headers: [Field] = []) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
    }

    /// The value of a header field, whose name is given in lower case; nil if it is not there. Of several the first.
    public func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

    /// The value of a field of the query; nil if it is not there. Of several the last.
    public subscript(_ name: String) -> String? { query.last { $0.name == name }?.value }
}
