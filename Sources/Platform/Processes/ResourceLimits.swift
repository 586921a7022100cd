/// What a process's control groups, its own and all above, allow it.
struct ResourceLimits: Hashable, Sendable {
    /// Number of processors, such as 1.5; nil for no limit.
    let processors: Double?
    /// Bytes of memory; nil for no limit.
    let memoryBytes: UInt64?

    /// - Parameter read: content of a file; nil if it cannot be read.
    init(_ groups: ControlGroups, read: (String) -> String?) {
        func limits<Value>(_ controller: String?, _ parse: (String) -> Value?) -> [Value] {
            groups.folders(controller: controller).compactMap(parse)
        }
        let quotas =
            limits(nil) { folder in read("\(folder)/cpu.max").flatMap(Self.quota) }
            + limits("cpu") { folder in
                guard let quota = read("\(folder)/cpu.cfs_quota_us"), let period = read("\(folder)/cpu.cfs_period_us")
                else { return nil }
                return Self.quota("\(quota) \(period)")
            }
        let sizes =
            limits(nil) { folder in read("\(folder)/memory.max").flatMap(Self.bytes) }
            // Above this the kernel throttles the group instead of killing it.
            + limits(nil) { folder in read("\(folder)/memory.high").flatMap(Self.bytes) }
            + limits("memory") { folder in read("\(folder)/memory.limit_in_bytes").flatMap(Self.bytes) }
        processors = quotas.min()
        memoryBytes = sizes.min()
    }

    /// Parses `50000 100000`: microseconds of processor time per period. Nil for `max`, and for -1 in version 1.
    private static func quota(_ text: String) -> Double? {
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count == 2, let quota = Double(fields[0]), let period = Double(fields[1]), quota > 0, period > 0
        else { return nil }
        return quota / period
    }

    /// Nil for `max`, and for version 1's default, the largest multiple of a page.
    private static func bytes(_ text: String) -> UInt64? {
        guard let word = text.split(whereSeparator: \.isWhitespace).first, let bytes = UInt64(word), bytes < 1 << 62
        else { return nil }
        return bytes
    }
}
