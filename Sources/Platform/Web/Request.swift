/// A request of a client. Requests with a body are refused earlier.
public struct Request: Hashable, Sendable {
    /// `GET` or `HEAD`.
    public let method: String
    /// The percent-decoded path without the query, with U+FFFD in place of bytes that are not UTF-8.
    public let path: String

    /// Creates a request, for tests.
    public init(method: String = "GET", path: String) {
        self.method = method
        self.path = path
    }
}
