internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// An HTTP/1.1 server, by libmicrohttpd.
///
/// Requests with headers larger than the connection's memory are refused before the handler sees them. Idle clients are
/// disconnected, and beyond the connection limit the oldest is closed, so slow clients cannot lock others out. No
/// request can end the process.
public final class WebServer: Sendable {
    /// The port it listens on, also if 0 was requested.
    public let port: UInt16
    private let daemon: Mutex<Daemon?>
    private let handler: any RequestHandler

    /// Threads, limits and TLS.
    public struct Settings: Sendable {
        /// Threads that share all connections by epoll; nil for one thread per connection, which may block.
        public var threads: UInt32? = 2
        /// Beyond this the oldest connection is closed.
        public var maxConnections = 64
        /// After this an idle client is disconnected.
        public var idleSeconds: UInt32 = 10
        /// Per connection, for the headers of request and response and the receive buffer.
        public var memoryBytes = 16 * 1024
        /// For HTTPS; nil for plain HTTP.
        public var tls: TLSIdentity?

        /// Defaults for short requests.
        public init() {}
    }

    /// Starts listening for GET and HEAD requests without a body. Calls `handler` concurrently on the server's threads;
    /// it must not block for long or stop the server. Throws if the address cannot be used.
    public convenience init(
        _ address: ListenAddress, handler: @escaping @Sendable (Request) -> Response
    ) throws(WebError) {
        try self.init(address, Settings(), QuestionHandler(respond: handler))
    }

    /// Starts listening.
    ///
    /// - Throws: why the address cannot be used.
    public init(
        _ address: ListenAddress, _ settings: Settings, _ handler: any RequestHandler
    ) throws(WebError) {
        let context = ServerContext(
            handler, maxConnections: settings.maxConnections, idleSeconds: settings.idleSeconds)
        let daemon = try Daemon(address, settings, context)
        port = daemon.port
        self.daemon = Mutex(daemon)
        self.handler = handler
    }

    /// Ends all streams, closes all connections, and returns once no handler is running.
    public func stop() {
        handler.stop()
        daemon.withLock { $0 = nil }
    }
}

/// A certificate and its private key in PEM.
public struct TLSIdentity: Sendable {
    let certificate: String
    let key: String

    /// - Parameter certificate: followed by its intermediate certificates.
    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// libmicrohttpd's handle and the handler's reference.
///
/// Safe and `@unchecked Sendable`: libmicrohttpd allows any thread to use the handle, which is private, and `deinit`
/// closes it once.
@safe struct Daemon: ~Copyable, @unchecked Sendable {
    private let handle: OpaquePointer
    private let context: Unmanaged<ServerContext>

    init(_ address: ListenAddress, _ settings: WebServer.Settings, _ server: ServerContext) throws(WebError) {
        let context = unsafe Unmanaged.passRetained(server)
        errno = 0
        let started = unsafe address.withSocketAddress { socketAddress, isIPv6 -> OpaquePointer? in
            var flags = MHD_USE_INTERNAL_POLLING_THREAD.rawValue
            // The default, select(2), does not support descriptors above 1,023.
            flags |=
                settings.threads == nil
                ? MHD_USE_THREAD_PER_CONNECTION.rawValue | MHD_USE_POLL.rawValue : MHD_USE_EPOLL.rawValue
            if isIPv6 { flags |= MHD_USE_IPv6.rawValue }
            if isIPv6 && address.host.isEmpty { flags |= MHD_USE_DUAL_STACK.rawValue }
            if settings.tls != nil { flags |= MHD_USE_TLS.rawValue }
            return unsafe (settings.tls?.certificate ?? "").withCString { certificate in
                unsafe (settings.tls?.key ?? "").withCString { key in
                    let options = unsafe rawmill_http_settings(
                        flags: flags, threads: settings.threads ?? 0,
                        // More than `ConnectionTable` keeps: when full, libmicrohttpd would accept no connection.
                        connections: UInt32(clamping: 4 * settings.maxConnections), idle_seconds: settings.idleSeconds,
                        memory_bytes: settings.memoryBytes, key: settings.tls == nil ? nil : key,
                        certificate: settings.tls == nil ? nil : certificate)
                    return unsafe rawmill_http_start(
                        options, handleRequest, endRequest, trackConnection, context.toOpaque(), socketAddress)
                }
            }
        }
        guard let handle = unsafe started ?? nil else {
            let failure = errno
            let refusal = Self.refusal(of: address)
            unsafe context.release()
            // The address is fine.
            if refusal == nil, settings.tls != nil { throw .unusableCertificate }
            let number = refusal ?? failure
            let why = unsafe number == 0 ? "the system gave no reason" : String(cString: strerror(number))
            throw .cannotListen(address, why)
        }
        unsafe self.handle = handle
        unsafe self.context = context
    }

    /// The `errno` with which the system refuses to listen on an address; nil if it does not. libmicrohttpd 1.0 loses
    /// it before it returns.
    private static func refusal(of address: ListenAddress) -> Int32? {
        let refused = unsafe address.withSocketAddress { socketAddress, isIPv6 -> Int32? in
            let listener = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
            guard listener >= 0 else { return errno }
            defer { close(listener) }
            var isReused: Int32 = 1
            unsafe setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
            let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            guard unsafe bind(listener, socketAddress, socklen_t(size)) == 0, listen(listener, 1) == 0 else {
                return errno
            }
            return nil
        }
        return refused ?? nil
    }

    var port: UInt16 { unsafe UInt16(clamping: rawmill_http_port(handle)) }

    deinit {
        // Returns once all threads have ended; only then is the handler unused.
        unsafe MHD_stop_daemon(handle)
        unsafe context.release()
    }
}
