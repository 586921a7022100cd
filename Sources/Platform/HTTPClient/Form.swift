internal import CCurl

/// A libcurl form, whose files are read during transmission.
@safe final class Form {
    /// Valid as long as the object.
    let pointer: OpaquePointer
    private let files: [FileReader]

    /// Nil if the body is not a form. Throws `HTTPClientError` without memory.
    init?(_ body: RequestBody, of client: HTTPClient) throws(HTTPClientError) {
        guard case .form(let fields) = body else { return nil }
        let form = try unsafe client.newForm()
        var files: [FileReader] = []
        for field in fields {
            let isSet = unsafe Self.add(field, to: form, &files)
            guard isSet else {
                unsafe curl_mime_free(form)
                throw HTTPClientError(description: "no memory")
            }
        }
        unsafe pointer = unsafe form
        self.files = files
    }

    deinit { unsafe curl_mime_free(pointer) }

    var error: (any Error)? { files.lazy.compactMap(\.error).first }

    private static func add(_ field: FormField, to form: OpaquePointer, _ files: inout [FileReader]) -> Bool {
        guard let part = unsafe curl_mime_addpart(form) else { return false }
        switch field {
        case .text(let name, let value):
            let bytes = Array(value.utf8)
            return unsafe curl_mime_name(part, name) == CURLE_OK
                && bytes.withUnsafeBytes { bytes in
                    unsafe curl_mime_data(
                        part, bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? nil, bytes.count) == CURLE_OK
                }
        case .file(let name, let file):
            let reader = FileReader(file)
            files.append(reader)
            let context = unsafe Unmanaged.passUnretained(reader).toOpaque()
            return unsafe curl_mime_name(part, name) == CURLE_OK
                && curl_mime_filename(part, file.name) == CURLE_OK
                && curl_mime_type(part, "application/octet-stream") == CURLE_OK
                && curl_mime_data_cb(part, Int(clamping: file.sizeBytes), readPiece, seekPiece, nil, context)
                    == CURLE_OK
        }
    }
}

/// A file in transmission. A class, because libcurl's callbacks refer to it.
private final class FileReader {
    private let file: FormFile
    private var offset: UInt64 = 0
    private(set) var error: (any Error)?

    init(_ file: FormFile) { self.file = file }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(UInt64(buffer.count), file.sizeBytes - min(offset, file.sizeBytes))
        guard count > 0 else { return 0 }
        do {
            let bytes = try file.read(offset, Int(count)).prefix(Int(count))
            guard !bytes.isEmpty else { throw HTTPClientError(description: "\(file.name) became shorter") }
            unsafe buffer.copyBytes(from: bytes)
            offset += UInt64(bytes.count)
            return bytes.count
        } catch {
            self.error = error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    func seek(to offset: Int, from origin: Int32) -> Int32 {
        guard origin == SEEK_SET, offset >= 0 else { return Int32(CURL_SEEKFUNC_CANTSEEK) }
        self.offset = UInt64(offset)
        return Int32(CURL_SEEKFUNC_OK)
    }
}

private func readPiece(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context, let buffer = unsafe buffer else { return Int(CURL_READFUNC_ABORT) }
    let reader = unsafe Unmanaged<FileReader>.fromOpaque(context).takeUnretainedValue()
    return unsafe reader.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
}

private func seekPiece(_ context: UnsafeMutableRawPointer?, _ offset: Int, _ origin: Int32) -> Int32 {
    guard let context = unsafe context else { return Int32(CURL_SEEKFUNC_FAIL) }
    return unsafe Unmanaged<FileReader>.fromOpaque(context).takeUnretainedValue().seek(to: offset, from: origin)
}
