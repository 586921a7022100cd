/// Handles requests. Called concurrently on the server's threads.
public protocol RequestHandler: Sendable {
    /// Decides on a request once its headers have arrived.
    func handle(_ request: Request) -> RequestAction
    /// Ends streams, because the server is about to stop. Called once.
    func stop()
}

/// What to do with a request.
public enum RequestAction {
    /// Responds without the body. A body sent without waiting for "100 Continue" is read and discarded, up to 256 MB.
    case respond(Response)
    /// Responds once the whole body has arrived, which may be empty.
    case receive(any BodyReceiver)
}

/// Receives the body of a request, on its connection's thread.
public protocol BodyReceiver: AnyObject {
    /// Receives the next part. Returns an early response, after which nothing more is received; nil to continue.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Response?
    /// Responds to the complete body. May block if the server has a thread per connection.
    func response() -> Response
    /// Called instead of `response` if the client left early.
    func abandon()
}

/// Collects a body of limited length in memory.
public final class MemoryBody: BodyReceiver {
    private var bytes: [UInt8] = []
    private let limit: Int
    private let refusal: Response?
    private let makeResponse: ([UInt8]) -> Response

    /// - Parameters:
    ///   - limit: longer bodies are refused with status 413.
    ///   - refusal: the response to them; nil for plain text.
    public init(limit: Int, refusal: Response? = nil, response: @escaping ([UInt8]) -> Response) {
        self.limit = limit
        self.refusal = refusal
        makeResponse = response
    }

    /// Appends the part, up to the limit.
    public func receive(_ part: UnsafeRawBufferPointer) -> Response? {
        guard bytes.count + part.count <= limit else {
            return refusal ?? .text("The request is longer than \(limit) bytes.", status: 413)
        }
        unsafe bytes += part
        return nil
    }

    /// Responds to the complete body.
    public func response() -> Response { makeResponse(bytes) }
    /// Does nothing.
    public func abandon() {}
}

/// Handles GET and HEAD requests without a body, and refuses all others.
struct QuestionHandler: RequestHandler {
    let respond: @Sendable (Request) -> Response

    func handle(_ request: Request) -> RequestAction {
        guard ["GET", "HEAD"].contains(request.method) else {
            let text = Array("Only GET and HEAD are allowed.\n".utf8)
            return .respond(
                Response(
                    status: 405, contentType: "text/plain; charset=utf-8", body: text,
                    headers: [.init("Allow", "GET, HEAD")]))
        }
        if request.announcesBody { return .respond(.text("Requests must not have a body.", status: 413)) }
        return .receive(MemoryBody(limit: 0) { _ in respond(request) })
    }

    func stop() {}
}

extension Request {
    /// Whether the headers announce a body.
    public var announcesBody: Bool {
        let length = header("content-length")
        return (length != nil && length != "0") || header("transfer-encoding") != nil
    }

    /// Whether the client sends a body without waiting for "100 Continue", of at most `max` bytes or unknown length.
    func sendsBody(ofAtMost max: Int) -> Bool {
        guard announcesBody, header("expect") == nil else { return false }
        guard let length = header("content-length") else { return true }
        return Int(length).map { $0 <= max } ?? false
    }
}
