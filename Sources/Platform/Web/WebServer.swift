internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// An HTTP/1.1 server: libmicrohttpd with epoll and a small pool of threads.
///
/// It serves GET and HEAD. A request with a body, or larger than the connection's memory, is refused before the handler sees
/// it. A client that is silent for 10 s is disconnected. When there are too many connections, the oldest is closed, so slow
/// clients cannot lock others out. Nothing that a client sends ends the process.
public final class WebServer: Sendable {
    /// The port it listens on, also if any port was requested.
    public let port: UInt16
    private let daemon: Mutex<Daemon?>

    /// Starts listening.
    ///
    /// - Parameter handler: is called on the server's threads, several at a time. It must not block for long, and must not
    ///   stop the server.
    /// - Throws: why the address cannot be used.
    public init(
        _ address: ListenAddress, handler: @escaping @Sendable (Request) -> Response
    ) throws(WebError) {
        let daemon = try Daemon(address, Handler(handler))
        port = daemon.port
        self.daemon = Mutex(daemon)
    }

    /// Closes all connections, and returns once no handler is running.
    public func stop() { daemon.withLock { $0 = nil } }
}

/// The handler and the connections, as an object that C can refer to.
final class Handler: Sendable {
    let respond: @Sendable (Request) -> Response
    let connections = ConnectionTable(max: 64)

    init(_ respond: @escaping @Sendable (Request) -> Response) { self.respond = respond }
}

/// libmicrohttpd's handle, and the reference to the handler that its threads use.
///
/// `@unchecked Sendable`: libmicrohttpd allows any thread to use the handle, and `deinit` closes it once.
struct Daemon: ~Copyable, @unchecked Sendable {
    private let handle: OpaquePointer
    private let context: Unmanaged<Handler>

    private static let threads: UInt32 = 2
    /// More than `ConnectionTable` keeps: libmicrohttpd accepts no connection when it is full.
    private static let connections: UInt32 = 256
    private static let idleSeconds: UInt32 = 10
    /// Per connection, for the lines and headers of request and response.
    private static let memoryBytes = 16 * 1024

    init(_ address: ListenAddress, _ handler: Handler) throws(WebError) {
        let context = Unmanaged.passRetained(handler)
        errno = 0
        let started = address.withSocketAddress { socketAddress, isIPv6 -> OpaquePointer? in
            var flags = MHD_USE_EPOLL.rawValue | MHD_USE_INTERNAL_POLLING_THREAD.rawValue
            if isIPv6 { flags |= MHD_USE_IPv6.rawValue }
            if isIPv6 && address.host.isEmpty { flags |= MHD_USE_DUAL_STACK.rawValue }
            return rawmill_http_start(
                flags, handleRequest, trackConnection, context.toOpaque(), socketAddress, Self.threads,
                Self.connections,
                Self.idleSeconds,
                Self.memoryBytes)
        }
        guard let handle = started ?? nil else {
            let failure = errno
            let number = Self.refusal(of: address) ?? failure
            let why = number == 0 ? "the system gave no reason" : String(cString: strerror(number))
            context.release()
            throw .cannotListen(address, why)
        }
        self.handle = handle
        self.context = context
    }

    /// The number of the error with which the system refuses an address to a listener; nil if it does not. libmicrohttpd 1.0
    /// has lost the number by the time it returns.
    private static func refusal(of address: ListenAddress) -> Int32? {
        let refused = address.withSocketAddress { socketAddress, isIPv6 -> Int32? in
            let listener = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
            guard listener >= 0 else { return errno }
            defer { close(listener) }
            var isReused: Int32 = 1
            setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
            let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            guard bind(listener, socketAddress, socklen_t(size)) == 0, listen(listener, 1) == 0 else { return errno }
            return nil
        }
        return refused ?? nil
    }

    var port: UInt16 { UInt16(clamping: rawmill_http_port(handle)) }

    deinit {
        // It returns once its threads have ended. Only then is the handler unused.
        MHD_stop_daemon(handle)
        context.release()
    }
}
