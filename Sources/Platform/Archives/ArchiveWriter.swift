internal import CArchive
internal import Glibc

/// Streams an archive with libarchive, buffering one block. The same files, names and times give the same bytes with
/// one version of libarchive and in one time zone (ZIP holds local times): entries have no owner and a fixed mode.
@safe public struct ArchiveWriter: ~Copyable {
    /// Valid from `init` to `deinit`; used by one thread at a time.
    private let pointer: OpaquePointer
    private let locale: TextLocale
    private let sink: Sink

    /// - Parameter sink: receives the archive's bytes, in order. Its errors end the archive and are rethrown.
    /// - Throws: `ArchiveError`.
    public init(_ format: ArchiveFormat, sink: @escaping ([UInt8]) throws -> Void) throws {
        let sink = Sink(sink)
        unsafe pointer = try Self.opened(format, sink)
        locale = TextLocale()
        self.sink = sink
    }

    /// The archive does not retain the sink, which must outlive it.
    private static func opened(_ format: ArchiveFormat, _ sink: Sink) throws -> OpaquePointer {
        guard let pointer = unsafe archive_write_new() else { throw ArchiveError(description: "no memory") }
        var isOpen =
            unsafe format == .zip
            ? archive_write_set_format_zip(pointer) == ARCHIVE_OK
                && archive_write_set_options(pointer, "zip:compression=store") == ARCHIVE_OK
            : archive_write_set_format_pax_restricted(pointer) == ARCHIVE_OK
        // The last block is not padded.
        isOpen = unsafe isOpen && archive_write_set_bytes_per_block(pointer, 1 << 16) == ARCHIVE_OK
        isOpen = unsafe isOpen && archive_write_set_bytes_in_last_block(pointer, 1) == ARCHIVE_OK
        let context = unsafe Unmanaged.passUnretained(sink).toOpaque()
        isOpen = unsafe isOpen && archive_write_open2(pointer, context, nil, takeBlock, nil, nil) == ARCHIVE_OK
        guard isOpen else {
            defer { unsafe archive_write_free(pointer) }
            throw ArchiveError(
                description: unsafe archive_error_string(pointer).map { unsafe String(cString: $0) } ?? "")
        }
        return unsafe pointer
    }

    deinit {
        // Discards what is buffered: an archive that was not closed is invalid.
        unsafe archive_write_fail(pointer)
        unsafe archive_write_free(pointer)
    }

    /// Begins a file at a path separated by `/`. All its bytes must follow. `modifiedSeconds` counts since 1970. Throws
    /// `ArchiveError`, and the sink's errors.
    public func begin(_ name: String, sizeBytes: UInt64, modifiedSeconds: Int64) throws {
        guard let entry = unsafe archive_entry_new() else { throw ArchiveError(description: "no memory") }
        defer { unsafe archive_entry_free(entry) }
        try locale.use {
            unsafe archive_entry_set_pathname(entry, name)
            unsafe archive_entry_set_filetype(entry, UInt32(Glibc.S_IFREG))
            unsafe archive_entry_set_perm(entry, 0o644)
            unsafe archive_entry_set_size(entry, Int64(clamping: sizeBytes))
            unsafe archive_entry_set_mtime(entry, time_t(modifiedSeconds), 0)
            try check(unsafe archive_write_header(pointer, entry))
        }
    }

    /// Appends bytes to the current file. Throws `ArchiveError` for more bytes than `sizeBytes`, and the sink's errors.
    public func append(_ bytes: [UInt8]) throws {
        try unsafe bytes.span.bytes.withUnsafeBytes { bytes in
            var rest = unsafe bytes
            while unsafe !rest.isEmpty {
                let count = unsafe archive_write_data(pointer, rest.baseAddress, rest.count)
                guard count > 0 else {
                    throw failure() ?? ArchiveError(description: "a file grew while it was archived")
                }
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Writes the archive's end. Throws `ArchiveError`, and the sink's errors.
    public consuming func finish() throws { try locale.use { try check(unsafe archive_write_close(pointer)) } }

    private func check(_ status: Int32) throws {
        // Warnings are about header fields that were left out.
        guard status == ARCHIVE_OK else { throw failure() ?? ArchiveError(description: "libarchive refused it") }
    }

    private func failure() -> (any Error)? {
        if let error = sink.error { return error }
        guard let text = unsafe archive_error_string(pointer) else { return nil }
        return ArchiveError(description: unsafe String(cString: text))
    }
}

private final class Sink {
    private let take: ([UInt8]) throws -> Void
    private(set) var error: (any Error)?

    init(_ take: @escaping ([UInt8]) throws -> Void) { self.take = take }

    /// - Returns: false if the sink has failed, now or before.
    func takes(_ bytes: [UInt8]) -> Bool {
        if error != nil { return false }
        do { try take(bytes) } catch { self.error = error }
        return error == nil
    }
}

/// libarchive's callback. The context is the `Sink`, which the writer retains.
private func takeBlock(
    _ archive: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeRawPointer?, _ count: Int
) -> Int {
    guard let context = unsafe context else { return -1 }
    let sink = unsafe Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
    return sink.takes(unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))) ? count : -1
}

/// Sets a UTF-8 locale on the calling thread while a name is written: libarchive interprets names in the current
/// locale, and services run in the C locale.
@safe private final class TextLocale {
    private let locale: locale_t?

    init() { unsafe locale = newlocale(1 << 0 /* LC_CTYPE */, "C.UTF-8", nil) }

    deinit { if let locale = unsafe locale { unsafe freelocale(locale) } }

    func use<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard let locale = unsafe locale else { return try body() }
        let former = unsafe uselocale(locale)
        defer { unsafe uselocale(former) }
        return try body()
    }
}
