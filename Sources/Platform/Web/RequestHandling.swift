internal import CMicroHTTPD

/// libmicrohttpd calls this twice for each request: once it has read the headers, and again for the response.
func handleRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
    uploadBytes: UnsafeMutablePointer<Int>?, state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context, let connection, let url, let method, let state, let uploadBytes else { return .NO }
    let request = Request(method: String(cString: method), path: String(cString: url))
    guard state.pointee != nil else {
        if let refusal = refusal(request, connection) { return queue(refusal, connection) }
        // Any non-nil value marks that the headers were checked.
        state.pointee = context
        return .YES
    }
    // The request has a body that no header announced.
    guard uploadBytes.pointee == 0 else { return .NO }
    return queue(Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue().respond(request), connection)
}

/// The response to a request that is not accepted; nil if it is. A response before the body was read closes the connection.
private func refusal(_ request: Request, _ connection: OpaquePointer) -> Response? {
    guard ["GET", "HEAD"].contains(request.method) else {
        let text = Array("Only GET and HEAD are answered here.\n".utf8)
        return Response(
            status: 405, contentType: "text/plain; charset=utf-8", body: text,
            headers: [.init("Allow", "GET, HEAD")])
    }
    let length = MHD_lookup_connection_value(connection, .HEADER_KIND, "Content-Length")
    let coding = MHD_lookup_connection_value(connection, .HEADER_KIND, "Transfer-Encoding")
    let isEmpty = length.map { String(cString: $0) == "0" } ?? true
    return isEmpty && coding == nil ? nil : .text("A question has no body here.", status: 413)
}

private func queue(_ response: Response, _ connection: OpaquePointer) -> MHD_Result {
    let made = response.body.withUnsafeBytes { bytes in
        // The library copies the bytes during this call, and does not write to them.
        MHD_create_response_from_buffer(
            bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
    }
    guard let made else { return .NO }
    defer { MHD_destroy_response(made) }
    // The library refuses headers with a line feed, which are then left out.
    _ = MHD_add_response_header(made, "Content-Type", response.contentType)
    _ = MHD_add_response_header(made, "Cache-Control", "no-store")
    _ = MHD_add_response_header(made, "X-Content-Type-Options", "nosniff")
    for field in response.headers { _ = MHD_add_response_header(made, field.name, field.value) }
    return MHD_queue_response(connection, UInt32(response.status), made)
}
