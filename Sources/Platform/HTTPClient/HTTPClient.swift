internal import CCurl

/// Sends requests to one server over HTTP or HTTPS, one at a time over one connection, with libcurl. Verifies the
/// server's certificate. Does not follow redirects, because the headers may hold a secret. Not thread-safe.
@safe public final class HTTPClient {
    /// Valid from `init` to `deinit`.
    private let handle: UnsafeMutableRawPointer
    private let server: String
    private let headers: [(name: String, value: String)]
    private let authorities: String?
    private let limits: Limits

    /// Timeouts and limits.
    public struct Limits: Hashable, Sendable {
        /// Timeout for connecting.
        public var connectSeconds: Int
        /// Timeout without any bytes in either direction.
        public var silenceSeconds: Int
        /// Limit of a response's size.
        public var answerBytes: Int
        /// Whether to use the proxy set in the environment.
        public var usesProxy: Bool

        /// For slow servers on other networks.
        public static let distant = Limits(
            connectSeconds: 20, silenceSeconds: 120, answerBytes: 64 << 20, usesProxy: true)
        /// For a server on this machine or network, with short responses.
        public static let nearby = Limits(
            connectSeconds: 5, silenceSeconds: 5, answerBytes: 1 << 20, usesProxy: false)
    }

    /// curl_global_init is not thread-safe; a global is initialised once.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// - Parameters:
    ///   - server: `https://host:port/path`, without trailing slash; prefixed to all paths.
    ///   - headers: sent with each request.
    ///   - authorities: PEM file with CA certificates; nil uses the system's.
    /// - Throws: `HTTPClientError` without memory.
    public init(
        server: String, headers: [(name: String, value: String)] = [], authorities: String? = nil,
        limits: Limits = .distant
    ) throws(HTTPClientError) {
        guard Self.isReady, let handle = unsafe curl_easy_init() else {
            throw HTTPClientError(description: "out of memory")
        }
        unsafe self.handle = unsafe handle
        self.server = server
        self.headers = headers
        self.authorities = authorities
        self.limits = limits
    }

    deinit { unsafe curl_easy_cleanup(handle) }

    /// Sends a request to a path that begins with a slash, and waits for the complete response. Throws
    /// `HTTPClientError` without one, and the errors of a file's `read`.
    public func send(_ method: String, _ path: String, _ body: RequestBody = .none) throws -> HTTPAnswer {
        let form = try Form(body, of: self)
        let list = try unsafe headerList(body)
        defer { unsafe curl_slist_free_all(list) }
        let sink = AnswerSink(limit: limits.answerBytes)
        var status = 0
        var problem = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let result = unsafe method.withCString { method in
            unsafe "\(server)\(path)".withCString { url in
                unsafe problem.withUnsafeMutableBufferPointer { problem in
                    unsafe withText(body) { text in
                        unsafe withAuthorities { authorities in
                            var request = unsafe rawmill_web_request()
                            unsafe request.method = method
                            unsafe request.url = url
                            unsafe request.headers = list
                            unsafe request.form = form?.pointer
                            unsafe request.body = text?.baseAddress
                            unsafe request.body_bytes = text?.count ?? 0
                            unsafe request.authorities = authorities
                            unsafe request.connect_seconds = limits.connectSeconds
                            unsafe request.silence_seconds = limits.silenceSeconds
                            unsafe request.ignores_proxy = !limits.usesProxy
                            unsafe request.sink = takeAnswer
                            unsafe request.context = Unmanaged.passUnretained(sink).toOpaque()
                            unsafe request.problem = problem.baseAddress
                            return unsafe rawmill_web_send(handle, &request, &status)
                        }
                    }
                }
            }
        }
        if let error = form?.error { throw error }
        guard result == CURLE_OK else {
            if sink.isFull { throw HTTPClientError(description: "its response is too long") }
            let text = String(decoding: problem.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let general = unsafe String(cString: curl_easy_strerror(result))
            throw HTTPClientError(description: text.isEmpty ? general : text)
        }
        return HTTPAnswer(status: status, body: sink.bytes)
    }

    func newForm() throws(HTTPClientError) -> OpaquePointer {
        guard let form = unsafe curl_mime_init(handle) else { throw HTTPClientError(description: "no memory") }
        return unsafe form
    }

    private func headerList(_ body: RequestBody) throws(HTTPClientError) -> UnsafeMutablePointer<curl_slist>? {
        var lines = headers.map { "\($0.name): \($0.value)" } + ["Accept: application/json"]
        if case .json = body { lines.append("Content-Type: application/json") }
        // Disables "100 Continue", which many servers send late or never.
        lines.append("Expect:")
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = unsafe curl_slist_append(list, line) else {
                unsafe curl_slist_free_all(list)
                throw HTTPClientError(description: "no memory")
            }
            unsafe list = unsafe longer
        }
        return unsafe list
    }

    private func withText<Value>(_ body: RequestBody, _ use: (UnsafeBufferPointer<CChar>?) -> Value) -> Value {
        guard case .json(let text) = body else { return use(nil) }
        // A terminator, because an empty array has no pointer.
        return unsafe (text.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer {
            unsafe use(UnsafeBufferPointer(rebasing: $0.dropLast()))
        }
    }

    private func withAuthorities<Value>(_ use: (UnsafePointer<CChar>?) -> Value) -> Value {
        guard let authorities else { return use(nil) }
        return unsafe authorities.withCString { unsafe use($0) }
    }
}

/// Collects a response. A class, because libcurl's callbacks refer to it.
private final class AnswerSink {
    private(set) var bytes: [UInt8] = []
    private(set) var isFull = false
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// - Returns: number of bytes accepted; fewer than given aborts the request.
    func take(_ piece: UnsafeRawBufferPointer) -> Int {
        guard bytes.count + piece.count <= limit else {
            isFull = true
            return 0
        }
        unsafe bytes.append(contentsOf: piece)
        return piece.count
    }
}

private func takeAnswer(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context, let bytes = unsafe bytes else { return 0 }
    let sink = unsafe Unmanaged<AnswerSink>.fromOpaque(context).takeUnretainedValue()
    return unsafe sink.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
}
