internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// An HTTP/1.1 server: libmicrohttpd with epoll and a small pool of threads.
///
/// It answers GET and HEAD. A request with a body, or larger than its memory, is refused before the handler sees it; a
/// client that says nothing for some seconds is sent away. When there are too many clients, the one that came first
/// makes room for the next: clients that dawdle cannot keep others out. What a client sends cannot end the process.
public final class WebServer: Sendable {
    /// The port it listens on, also where any was asked for.
    public let port: UInt16
    private let daemon: Mutex<Daemon?>

    /// Listens at once.
    ///
    /// - Parameter handler: is called from the server's threads, several at a time; must not wait for long, and must
    ///   not stop the server.
    public init(
        _ address: ListenAddress, handler: @escaping @Sendable (Request) -> Response
    ) throws(WebError) {
        let daemon = try Daemon(address, Handler(handler))
        port = daemon.port
        self.daemon = Mutex(daemon)
    }

    /// Closes every connection; returns when no handler runs any more.
    public func stop() { daemon.withLock { $0 = nil } }
}

/// The closure and the clients, as an object C can hold.
final class Handler: Sendable {
    let answer: @Sendable (Request) -> Response
    let guests = ConnectionTable(most: 64)

    init(_ answer: @escaping @Sendable (Request) -> Response) { self.answer = answer }
}

/// libmicrohttpd's handle, and the reference to the handler that its threads use. `@unchecked Sendable`: the handle may
/// be used by any thread, and it is closed once, by `deinit`.
struct Daemon: ~Copyable, @unchecked Sendable {
    private let handle: OpaquePointer
    private let context: Unmanaged<Handler>

    private static let threads: UInt32 = 2
    /// More than the guests that are let stay: libmicrohttpd, when it is full, accepts nobody.
    private static let connections: UInt32 = 256
    private static let idleSeconds: UInt32 = 10
    /// Of one connection: the request's line and headers, and the answer's.
    private static let memoryBytes = 16 * 1024

    init(_ address: ListenAddress, _ handler: Handler) throws(WebError) {
        let context = Unmanaged.passRetained(handler)
        errno = 0
        let started = address.withSocketAddress { socketAddress, isIPv6 -> OpaquePointer? in
            var flags = MHD_USE_EPOLL.rawValue | MHD_USE_INTERNAL_POLLING_THREAD.rawValue
            if isIPv6 { flags |= MHD_USE_IPv6.rawValue }
            if isIPv6 && address.host.isEmpty { flags |= MHD_USE_DUAL_STACK.rawValue }
            return rawmill_http_start(
                flags, answer, noteGuest, context.toOpaque(), socketAddress, Self.threads, Self.connections,
                Self.idleSeconds,
                Self.memoryBytes)
        }
        guard let handle = started ?? nil else {
            let why = errno == 0 ? "the system gave no reason" : String(cString: strerror(errno))
            context.release()
            throw .cannotListen(address, why)
        }
        self.handle = handle
        self.context = context
    }

    var port: UInt16 { UInt16(clamping: rawmill_http_port(handle)) }

    deinit {
        // Returns when its threads have ended: only then is nobody left who uses the handler.
        MHD_stop_daemon(handle)
        context.release()
    }
}
