/// Answers requests. Its functions are called on the server's threads, several at a time.
public protocol RequestHandler: Sendable {
    /// Decides about a request whose headers have come.
    func handle(_ request: Request) -> RequestAction
    /// The server is going to stop: streams end. Called once.
    func stop()
}

/// What is done about a request.
public enum RequestAction {
    /// Answered without its body. If the client sends one without waiting to be asked for it, it is read to its end, up to
    /// 256 MB, and nothing is kept of it.
    case respond(Response)
    /// Answered when all of it has come. The body of a request that has none is empty.
    case receive(any BodyReceiver)
}

/// Takes a request's body. It belongs to one connection, whose thread calls it.
public protocol BodyReceiver: AnyObject {
    /// Takes the next part.
    ///
    /// - Returns: a response that is known early; nil to go on. Nothing more is received after a response.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Response?
    /// All has come. It may block where the server has a thread for each connection.
    func response() -> Response
    /// The client left before all had come. Called instead of `response`.
    func abandon()
}

/// Collects a body of limited length in memory.
public final class MemoryBody: BodyReceiver {
    private var bytes: [UInt8] = []
    private let limit: Int
    private let refusal: Response?
    private let makeResponse: ([UInt8]) -> Response

    /// - Parameters:
    ///   - limit: a longer one is refused with status 413.
    ///   - refusal: what is answered then; nil for a plain text.
    ///   - response: makes the response from the body.
    public init(limit: Int, refusal: Response? = nil, response: @escaping ([UInt8]) -> Response) {
        self.limit = limit
        self.refusal = refusal
        makeResponse = response
    }

    /// Keeps the part, unless there is too much.
    public func receive(_ part: UnsafeRawBufferPointer) -> Response? {
        guard bytes.count + part.count <= limit else {
            return refusal ?? .text("The request is longer than \(limit) bytes.", status: 413)
        }
        bytes += part
        return nil
    }

    /// What is made of the body.
    public func response() -> Response { makeResponse(bytes) }
    /// Nothing is left of it.
    public func abandon() {}
}

/// Answers GET and HEAD requests without a body, and refuses all others.
struct QuestionHandler: RequestHandler {
    let respond: @Sendable (Request) -> Response

    func handle(_ request: Request) -> RequestAction {
        guard ["GET", "HEAD"].contains(request.method) else {
            let text = Array("Only GET and HEAD are answered here.\n".utf8)
            return .respond(
                Response(
                    status: 405, contentType: "text/plain; charset=utf-8", body: text,
                    headers: [.init("Allow", "GET, HEAD")]))
        }
        if request.announcesBody { return .respond(.text("A question has no body here.", status: 413)) }
        return .receive(MemoryBody(limit: 0) { _ in respond(request) })
    }

    func stop() {}
}

extension Request {
    /// True if the headers say that a body follows.
    public var announcesBody: Bool {
        let length = header("content-length")
        return (length != nil && length != "0") || header("transfer-encoding") != nil
    }

    /// True if a body follows of its own accord, which has so many bytes at most or does not say how many.
    func sendsBody(ofAtMost max: Int) -> Bool {
        guard announcesBody, header("expect") == nil else { return false }
        guard let length = header("content-length") else { return true }
        return Int(length).map { $0 <= max } ?? false
    }
}
