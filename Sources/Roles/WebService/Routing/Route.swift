public import JSON
public import Web

/// One action that the service offers: a method, a path, and who may ask for it.
public struct Route: Sendable {
    /// `GET`, `POST` and so on. A GET route answers HEAD, too.
    public let method: String
    /// `/v1/batches/{id}/pause`: a part in braces is a parameter.
    public let pattern: String
    /// Who may ask.
    public let access: AccessRole
    /// What is done.
    public let action: Action

    /// How a request is answered.
    public enum Action: Sendable {
        /// From the request alone, and a body of limited length.
        case answer(maxBodyBytes: Int, @Sendable (RouteRequest) async throws -> Response)
        /// By something that takes the body as it comes.
        case receive(@Sendable (RouteRequest) throws -> any BodyReceiver)
    }

    /// Routes that answer questions.
    public static func get(
        _ pattern: String, _ access: AccessRole = .viewer,
        _ answer: @escaping @Sendable (RouteRequest) async throws -> Response
    ) -> Route {
        Route(method: "GET", pattern: pattern, access: access, action: .answer(maxBodyBytes: 0, answer))
    }

    /// Routes that change something, by a JSON document.
    public static func post(
        _ pattern: String, _ access: AccessRole = .operator,
        _ answer: @escaping @Sendable (RouteRequest) async throws -> Response
    ) -> Route {
        Route(method: "POST", pattern: pattern, access: access, action: .answer(maxBodyBytes: 4 << 20, answer))
    }

    /// Routes that take a body as it comes, and may change something.
    public static func receive(
        _ method: String, _ pattern: String, _ access: AccessRole = .operator,
        _ receiver: @escaping @Sendable (RouteRequest) throws -> any BodyReceiver
    ) -> Route {
        Route(method: method, pattern: pattern, access: access, action: .receive(receiver))
    }

    /// A route that anybody may ask, to become somebody.
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
    /// Whether no token is needed.
    let isOpen: Bool

    /// True for a route whose requests have to come from the page itself or from a program.
    public var isChange: Bool { method != "GET" }

    /// The parameters of a path; nil if it is not this route's.
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

/// A request that a route answers.
public struct RouteRequest: Sendable {
    /// The request itself.
    public let request: Request
    /// The parts of the path that the pattern names.
    public let parameters: [String: String]
    /// Who asks.
    public let client: AccessClient
    /// All of the body; empty where the route takes it as it comes.
    public let body: [UInt8]

    /// A part of the path; empty if the pattern does not name it.
    public subscript(_ name: String) -> String { parameters[name] ?? "" }

    /// The body as a JSON document.
    ///
    /// - Throws: `ServiceError`.
    public func json() throws(ServiceError) -> JSONValue {
        do { return try JSONValue(parsing: body) } catch {
            throw ServiceError(400, "not-json", "The request is no JSON document: \(error).")
        }
    }

    /// A field of the query as a whole number.
    ///
    /// - Throws: `ServiceError` for a text that is none within the range.
    public func number(_ name: String, in range: ClosedRange<Int>, else usual: Int) throws(ServiceError) -> Int {
        guard let text = request[name] else { return usual }
        guard let number = Int(text), range.contains(number) else {
            throw ServiceError(
                400, "bad-parameter", "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
