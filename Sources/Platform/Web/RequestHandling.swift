internal import CMicroHTTPD
internal import Glibc

final class ServerContext: Sendable {
    let handler: any RequestHandler
    let connections: ConnectionTable
    let idleSeconds: UInt32

    init(_ handler: any RequestHandler, maxConnections: Int, idleSeconds: UInt32) {
        self.handler = handler
        connections = ConnectionTable(max: maxConnections)
        self.idleSeconds = idleSeconds
    }
}

/// One request from its headers to its end, retained by libmicrohttpd.
///
/// Most clients do not read while they send, and libmicrohttpd closes a connection whose request is unread, which can
/// lose the response. An early response is therefore sent only after the rest of the body was read and discarded.
private final class Exchange {
    /// Limit of the rest that is read.
    static let maxRest = 256 << 20

    private var receiver: (any BodyReceiver)?
    private var known: Response?
    private var rest = 0

    init(_ action: RequestAction) {
        switch action {
        case .respond(let response): known = response
        case .receive(let receiver): self.receiver = receiver
        }
    }

    /// Receives a part of the body. Returns the response, if it should not wait for the rest.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Response? {
        if let receiver {
            guard let response = unsafe receiver.receive(bytes) else { return nil }
            known = response
            self.receiver = nil
        }
        rest += bytes.count
        return rest > Self.maxRest ? give() : nil
    }

    /// The response; nil if it was already returned.
    func response() -> Response? {
        if let receiver {
            known = receiver.response()
            self.receiver = nil
        }
        return give()
    }

    private func give() -> Response? {
        defer { known = nil }
        return known
    }

    func end() { receiver?.abandon() }
}

/// libmicrohttpd calls this after the headers, for each part of the body, and again for the response.
func handleRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
    uploadBytes: UnsafeMutablePointer<Int>?, state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context = unsafe context, let connection = unsafe connection, let url = unsafe url,
        let method = unsafe method, let state = unsafe state, let uploadBytes = unsafe uploadBytes
    else { return .NO }
    let server = unsafe Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue()
    guard let known = unsafe state.pointee else {
        let request = unsafe Request(
            method: String(cString: method), path: String(cString: url),
            query: fields(of: connection, .GET_ARGUMENT_KIND), headers: fields(of: connection, .HEADER_KIND))
        let action = server.handler.handle(request)
        if case .respond(let response) = action, !request.sendsBody(ofAtMost: Exchange.maxRest) {
            return unsafe queue(response, connection)
        }
        unsafe state.pointee = Unmanaged.passRetained(Exchange(action)).toOpaque()
        return .YES
    }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if unsafe uploadBytes.pointee > 0 {
        let part = unsafe UnsafeRawBufferPointer(start: upload, count: uploadBytes.pointee)
        if let response = unsafe exchange.receive(part) { return unsafe queue(response, connection) }
        unsafe uploadBytes.pointee = 0
        return .YES
    }
    // The client is idle while the handler works, which may take long.
    unsafe rawmill_http_set_timeout(connection, 0)
    guard let response = exchange.response() else { return .NO }
    if case .stream = response.content {} else { unsafe rawmill_http_set_timeout(connection, server.idleSeconds) }
    return unsafe queue(response, connection)
}

/// libmicrohttpd calls this once per request, however it ended.
func endRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
    guard let state = unsafe state, let known = unsafe state.pointee else { return }
    unsafe state.pointee = nil
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
    exchange.end()
}

private func fields(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [Request.Field] {
    final class Collected { var fields: [Request.Field] = [] }
    let collected = Collected()
    withExtendedLifetime(collected) {
        _ = unsafe MHD_get_connection_values(
            connection, kind,
            { context, _, name, value in
                guard let context = unsafe context, let name = unsafe name else { return .YES }
                let collected = unsafe Unmanaged<Collected>.fromOpaque(context).takeUnretainedValue()
                unsafe collected.fields.append(
                    .init(String(cString: name), value.map { unsafe String(cString: $0) } ?? ""))
                return .YES
            }, unsafe Unmanaged.passUnretained(collected).toOpaque())
    }
    return collected.fields
}

private func queue(_ response: Response, _ connection: OpaquePointer) -> MHD_Result {
    guard let made = unsafe made(response.content) else { return .NO }
    defer { unsafe MHD_destroy_response(made) }
    // The library refuses headers with a line feed; they are left out.
    _ = unsafe MHD_add_response_header(made, "Content-Type", response.contentType)
    if !response.headers.contains(where: { $0.name == "Cache-Control" }) {
        _ = unsafe MHD_add_response_header(made, "Cache-Control", "no-store")
    }
    _ = unsafe MHD_add_response_header(made, "X-Content-Type-Options", "nosniff")
    for field in response.headers { _ = unsafe MHD_add_response_header(made, field.name, field.value) }
    return unsafe MHD_queue_response(connection, UInt32(response.status), made)
}

private func made(_ content: Response.Content) -> OpaquePointer? {
    switch content {
    case .bytes(let bytes):
        return unsafe bytes.withUnsafeBytes { bytes in
            // The library copies the bytes and does not modify them.
            unsafe MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
        }
    case .file(let file):
        // The library closes its descriptor.
        let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        guard let made = unsafe MHD_create_response_from_fd_at_offset64(file.count, copy, file.offset) else {
            close(copy)
            return nil
        }
        return unsafe made
    case .stream(let stream):
        let context = unsafe Unmanaged.passRetained(StreamContext(stream)).toOpaque()
        let made = unsafe MHD_create_response_from_callback(
            UInt64.max, streamBlockBytes, { unsafe readStream($0, $2, $3) }, unsafe context, { unsafe endStream($0) })
        if unsafe made == nil { unsafe endStream(context) }
        return unsafe made
    }
}

private let streamBlockBytes = 16 * 1024

private final class StreamContext {
    let stream: any ResponseStream
    init(_ stream: any ResponseStream) { self.stream = stream }
}

private func readStream(_ context: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ max: Int) -> Int
{
    // `MHD_CONTENT_READER_END_OF_STREAM` and `END_WITH_ERROR` are macros that Swift does not import.
    guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
    let stream = unsafe Unmanaged<StreamContext>.fromOpaque(context).takeUnretainedValue().stream
    guard let bytes = stream.next(limit: max) else { return stream.hasFailed ? -2 : -1 }
    let count = min(bytes.count, max)
    unsafe bytes.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress {
            unsafe UnsafeMutableRawPointer(buffer).copyMemory(from: start, byteCount: count)
        }
    }
    return count
}

private func endStream(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<StreamContext>.fromOpaque(context).takeRetainedValue().stream.close()
}
