/// The records of one partition that were delivered to one consumer: which are finished, and which offset may be
/// committed.
///
/// Records finish in any order; the contiguous finished prefix may be committed. The committed offset therefore never
/// exceeds the lowest unfinished record, and never decreases.
public struct OffsetLedger: Hashable, Sendable {
    /// The effect of finishing a record.
    public enum Action: Hashable, Sendable {
        /// None: the record was not delivered by this ledger, or was finished before.
        case ignored
        /// None yet: an earlier record is unfinished.
        case waits
        /// All records below this offset are finished.
        case advances(to: Int64)
    }

    /// The offset of the next record to deliver.
    public private(set) var position: Int64
    /// The group's durable offset.
    public private(set) var committed: Int64
    /// Delivered records from the lowest unfinished one on, in order. Compaction leaves gaps between offsets.
    private var delivered: [Entry] = []
    /// How many delivered records are not finished.
    public private(set) var unfinished = 0

    private struct Entry: Hashable, Sendable {
        let offset: Int64
        var isFinished = false
    }

    /// - Parameter offset: the group's committed offset, or the offset of the oldest record.
    public init(startingAt offset: Int64) {
        position = offset
        committed = offset
    }

    /// The offset of the lowest unfinished record. It may be committed.
    public var nextToCommit: Int64 { delivered.first?.offset ?? position }

    /// The offset to commit; nil if it is committed already.
    public var uncommitted: Int64? { nextToCommit > committed ? nextToCommit : nil }

    /// The number of delivered records from the lowest unfinished one on. A crash delivers these again.
    public var tail: Int { delivered.count }

    /// Adds a delivered record. Returns false for a record that was delivered before, and changes nothing.
    public mutating func deliver(_ offset: Int64) -> Bool {
        guard offset >= position else { return false }
        delivered.append(Entry(offset: offset))
        unfinished += 1
        position = offset + 1
        return true
    }

    /// Marks a record as finished.
    public mutating func finish(_ offset: Int64) -> Action {
        guard let index = index(of: offset), !delivered[index].isFinished else { return .ignored }
        delivered[index].isFinished = true
        unfinished -= 1
        guard index == 0 else { return .waits }
        delivered.removeSubrange(..<(delivered.firstIndex { !$0.isFinished } ?? delivered.endIndex))
        return .advances(to: nextToCommit)
    }

    /// Records that an offset is durable at the broker. A late response to an earlier commit changes nothing.
    public mutating func commit(_ offset: Int64) { committed = max(committed, offset) }

    private func index(of offset: Int64) -> Int? {
        var low = 0
        var high = delivered.count
        while low < high {
            let middle = (low + high) / 2
            if delivered[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low < delivered.count && delivered[low].offset == offset ? low : nil
    }
}
