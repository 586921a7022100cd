public import Telemetry
public import Web

/// Why a request failed, for its sender.
public struct ServiceError: Error, Hashable, Sendable {
    /// HTTP status code.
    public let status: Int
    /// For programs, such as `unknown-photo`.
    public let code: String
    /// One or two sentences.
    public let message: String
    /// What to do; nil if the message states it.
    public let remedy: String?
    /// Position of the mistake in a condition, from 1.
    public let column: Int?
    /// Seconds until a retry makes sense.
    public let retryAfterSeconds: Int?
    /// Further headers that the status requires, such as `Allow`.
    public let headers: [Response.Field]

    /// Creates an error with an HTTP status, a code and a message.
    public init(
        _ status: Int, _ code: String, _ message: String, remedy: String? = nil, column: Int? = nil,
        retryAfterSeconds: Int? = nil, headers: [Response.Field] = []
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.remedy = remedy
        self.column = column
        self.retryAfterSeconds = retryAfterSeconds
        self.headers = headers
    }

    /// The error as an HTTP response with a JSON document.
    public var response: Response {
        var fields: JSONFields = ["code": code, "message": message, "remedy": remedy]
        if let column { fields += ["column": column] }
        return Response(
            status: status, contentType: "application/json", body: JSONWriter.bytes(["error": fields] as JSONFields),
            headers: headers + (retryAfterSeconds.map { [.init("Retry-After", "\($0)")] } ?? []))
    }
}

extension Response {
    /// A JSON document.
    public static func json(status: Int = 200, _ fields: JSONFields) -> Response {
        Response(status: status, contentType: "application/json", body: JSONWriter.bytes(fields))
    }
}
