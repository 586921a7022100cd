/// How much of the machine the control groups of a process allow it: its own, and all above.
struct ResourceLimits: Hashable, Sendable {
    /// Processors' worth of time, such as 1.5; nil for no limit.
    let processors: Double?
    /// Bytes of memory; nil for no limit.
    let memoryBytes: UInt64?

    /// - Parameter read: the content of a file; nil if there is none.
    init(_ groups: ControlGroups, read: (String) -> String?) {
        func limits<Value>(_ controller: String?, _ parse: (String) -> Value?) -> [Value] {
            groups.folders(controller: controller).compactMap(parse)
        }
        let quotas =
            limits(nil) { folder in read("\(folder)/cpu.max").flatMap(Self.quota) }
            + limits("cpu") { folder in
                // Version 1 has the two numbers in a file each.
                guard let quota = read("\(folder)/cpu.cfs_quota_us"), let period = read("\(folder)/cpu.cfs_period_us")
                else { return nil }
                return Self.quota("\(quota) \(period)")
            }
        let sizes =
            limits(nil) { folder in read("\(folder)/memory.max").flatMap(Self.bytes) }
            // From here on the kernel slows the group down instead of killing it.
            + limits(nil) { folder in read("\(folder)/memory.high").flatMap(Self.bytes) }
            + limits("memory") { folder in read("\(folder)/memory.limit_in_bytes").flatMap(Self.bytes) }
        processors = quotas.min()
        memoryBytes = sizes.min()
    }

    /// `50000 100000`: microseconds of processor time in each period of that length. Nil for `max`, and for -1 as version 1
    /// has it.
    private static func quota(_ text: String) -> Double? {
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count == 2, let quota = Double(fields[0]), let period = Double(fields[1]), quota > 0, period > 0
        else { return nil }
        return quota / period
    }

    /// Nil for `max`, and for the largest multiple of a page as version 1 has it.
    private static func bytes(_ text: String) -> UInt64? {
        guard let word = text.split(whereSeparator: \.isWhitespace).first, let bytes = UInt64(word), bytes < 1 << 62
        else { return nil }
        return bytes
    }
}
