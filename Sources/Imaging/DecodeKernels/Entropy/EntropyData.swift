import Glibc

/// The entropy-coded bytes of one scan without the zero after each 0xff (T.81, B.1.1.5), followed by zeros that the
/// reader may load. One buffer serves many scans.
struct EntropyData: ~Copyable {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init() {
        capacity = 1 << 16
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    /// Loads the bytes up to the next marker. `slack` bytes beyond the end may be read.
    mutating func load(_ bytes: UnsafeRawBufferPointer, slack: Int) {
        reserve(bytes.count + slack)
        count = 0
        guard let source = bytes.baseAddress else { return zero(slack) }
        var offset = 0
        while offset < bytes.count {
            let found = memchr(source + offset, 0xff, bytes.count - offset)
            guard let found else {
                append(source + offset, bytes.count - offset)
                break
            }
            let marker = UnsafeRawPointer(found) - source
            guard marker + 1 < bytes.count, bytes[marker + 1] == 0 else {
                append(source + offset, marker - offset)
                break
            }
            append(source + offset, marker - offset + 1)
            offset = marker + 2
        }
        zero(slack)
    }

    /// Loads bytes unchanged. `slack` bytes beyond the end may be read.
    mutating func loadPlain(_ bytes: UnsafeRawBufferPointer, slack: Int) {
        reserve(bytes.count + slack)
        count = 0
        if let source = bytes.baseAddress { append(source, bytes.count) }
        zero(slack)
    }

    private mutating func reserve(_ needed: Int) {
        guard needed > capacity else { return }
        start.deallocate()
        capacity = needed + needed / 4
        start = .allocate(capacity: capacity)
    }

    private mutating func append(_ source: UnsafeRawPointer, _ length: Int) {
        memcpy(start + count, source, length)
        count += length
    }

    private func zero(_ slack: Int) { memset(start + count, 0, slack) }
}
