public import JSON
public import Web

/// One action of the service: a method, a path, and who may request it.
public struct Route: Sendable {
    /// `GET`, `POST` and so on. A GET route also answers HEAD.
    public let method: String
    /// For example `/v1/batches/{id}/pause`: a part in braces is a parameter.
    public let pattern: String
    /// Minimum role of the client.
    public let access: AccessRole
    /// How the route answers a request.
    public let action: Action

    /// How a request is answered.
    public enum Action: Sendable {
        /// From the request alone, with a body of limited length.
        case answer(maxBodyBytes: Int, @Sendable (RouteRequest) async throws -> Response)
        /// By a receiver that streams the body.
        case receive(@Sendable (RouteRequest) throws -> any BodyReceiver)
    }

    /// A route that reads.
    public static func get(
        _ pattern: String, _ access: AccessRole = .viewer,
        _ answer: @escaping @Sendable (RouteRequest) async throws -> Response
    ) -> Route {
        Route(method: "GET", pattern: pattern, access: access, action: .answer(maxBodyBytes: 0, answer))
    }

    /// A route that changes something, with a JSON document as the body.
    public static func post(
        _ pattern: String, _ access: AccessRole = .operator,
        _ answer: @escaping @Sendable (RouteRequest) async throws -> Response
    ) -> Route {
        Route(method: "POST", pattern: pattern, access: access, action: .answer(maxBodyBytes: 4 << 20, answer))
    }

    /// A route that streams the body, and may change something.
    public static func receive(
        _ method: String, _ pattern: String, _ access: AccessRole = .operator,
        _ receiver: @escaping @Sendable (RouteRequest) throws -> any BodyReceiver
    ) -> Route {
        Route(method: method, pattern: pattern, access: access, action: .receive(receiver))
    }

    /// An unauthenticated route, for signing in.
    public static func open(
        _ method: String, _ pattern: String, _ answer: @escaping @Sendable (RouteRequest) async throws -> Response
    ) -> Route {
        Route(
            method: method, pattern: pattern, access: .viewer, action: .answer(maxBodyBytes: 4096, answer), isOpen: true
        )
    }

    init(method: String, pattern: String, access: AccessRole, action: Action, isOpen: Bool = false) {
        self.isOpen = isOpen
        self.method = method
        self.pattern = pattern
        self.access = access
        self.action = action
        parts = pattern.split(separator: "/").map(String.init)
    }

    private let parts: [String]
    let isOpen: Bool

    /// Whether requests must come from the page itself or from a program.
    public var isChange: Bool { method != "GET" }

    func parameters(of path: [Substring]) -> [String: String]? {
        guard path.count == parts.count else { return nil }
        var found: [String: String] = [:]
        for (part, text) in zip(parts, path) {
            if part.first == "{" {
                found[String(part.dropFirst().dropLast())] = String(text)
            } else if part != text {
                return nil
            }
        }
        return found
    }
}

/// A request to a route, with its client and its parameters.
public struct RouteRequest: Sendable {
    /// The HTTP request.
    public let request: Request
    /// Parameters of the path, by name.
    public let parameters: [String: String]
    /// The sender.
    public let client: AccessClient
    /// The whole body; empty if the route streams it.
    public let body: [UInt8]

    /// A parameter of the path; empty if the pattern does not have it.
    public subscript(_ name: String) -> String { parameters[name] ?? "" }

    /// The body as a JSON document. Throws `ServiceError`.
    public func json() throws(ServiceError) -> JSONValue {
        do { return try JSONValue(parsing: body) } catch {
            throw ServiceError(400, "not-json", "The request is not valid JSON: \(error).")
        }
    }

    /// A query field as a whole number. Throws `ServiceError` if it is not a number within the range.
    public func number(_ name: String, in range: ClosedRange<Int>, else usual: Int) throws(ServiceError) -> Int {
        guard let text = request[name] else { return usual }
        guard let number = Int(text), range.contains(number) else {
            throw ServiceError(
                400, "bad-parameter", "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
