/// A client's request, without its body.
public struct Request: Hashable, Sendable {
    /// `GET`, `POST` and so on, as sent.
    public let method: String
    /// Percent-decoded, without the query. Invalid UTF-8 becomes U+FFFD.
    public let path: String
    /// Percent-decoded query fields, in order.
    public let query: [Field]
    /// Header fields, in order.
    public let headers: [Field]

    /// A name and its value.
    public struct Field: Hashable, Sendable {
        /// As sent.
        public let name: String
        /// The value; empty if missing.
        public let value: String

        /// Creates a field.
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

    /// The first value of a header field, whose name is given in lower case; nil if missing.
    public func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

    /// The last value of a query field; nil if missing.
    public subscript(_ name: String) -> String? { query.last { $0.name == name }?.value }
}
