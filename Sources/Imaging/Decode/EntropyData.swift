import Glibc

/// The entropy-coded bytes of one scan without the zeros that follow each 0xff, and zeros behind them for the reader to
/// run into. One buffer serves many scans.
struct EntropyData: ~Copyable {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// Bytes of the scan.
    private(set) var count = 0
    /// True where a marker ended the scan.
    private(set) var isEnded = false

    init() {
        capacity = 1 << 16
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    /// - Parameter slack: how many bytes may be read beyond the end.
    mutating func load(_ bytes: UnsafeRawBufferPointer, slack: Int) {
        reserve(bytes.count + slack)
        count = 0
        isEnded = false
        guard let source = bytes.baseAddress else { return zero(slack) }
        var place = 0
        while place < bytes.count {
            let found = memchr(source + place, 0xff, bytes.count - place)
            guard let found else {
                append(source + place, bytes.count - place)
                break
            }
            let at = UnsafeRawPointer(found) - source
            guard at + 1 < bytes.count, bytes[at + 1] == 0 else {
                append(source + place, at - place)
                isEnded = at + 1 < bytes.count
                break
            }
            append(source + place, at - place + 1)
            place = at + 2
        }
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
