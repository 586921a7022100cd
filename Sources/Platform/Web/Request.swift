/// What a client asks for. Only questions without a body come this far.
public struct Request: Hashable, Sendable {
    /// `GET` or `HEAD`.
    public let method: String
    /// Decoded, without the query; bytes that are no UTF-8 stand as U+FFFD.
    public let path: String

    public init(method: String = "GET", path: String) {
        self.method = method
        self.path = path
    }
}
