/// How many of a slot's jobs may be rendered while their files or manifests are not durable yet.
///
/// The more there are, the more of them share one wait for the disk; and a worker that is killed renders them again. So a
/// slot has few that are large. Small ones are rendered in less time than the disk takes, and a worker with few slots would
/// make hardly any of them durable together.
struct CompletionLimit: Hashable, Sendable {
    /// Jobs of one slot, whatever their size.
    static let anySize = 3
    /// Small jobs of all slots together.
    static let smallOfWorker = 32
    /// Jobs whose files have fewer bytes together are small.
    static let smallBytes: UInt64 = 16 << 20

    /// Jobs of one slot, at most.
    let maxCount: Int

    /// - Parameter slots: those of the worker, 1 or more.
    init(slots: Int) { maxCount = max(Self.anySize, Self.smallOfWorker / max(1, slots)) }

    /// Whether jobs of these sizes may be open at once.
    ///
    /// - Parameter bytes: of each job's files.
    func allows(_ bytes: some Collection<UInt64>) -> Bool {
        if bytes.count <= Self.anySize { return true }
        return bytes.count <= maxCount && bytes.reduce(0, Self.sum) <= Self.smallBytes
    }

    /// What a render process says of its files may be anything.
    static func sum(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let (sum, overflows) = a.addingReportingOverflow(b)
        return overflows ? .max : sum
    }
}
