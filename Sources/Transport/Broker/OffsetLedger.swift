/// What became of one partition's records in one consumer: delivered, finished, committed.
///
/// Records finish in any order; what may be committed is the contiguous finished prefix. So the committed offset is
/// never above the lowest unfinished one, and it never decreases: a value, owned by whoever talks to the broker.
public struct OffsetLedger: Hashable, Sendable {
    /// What finishing a record led to.
    public enum Action: Hashable, Sendable {
        /// It was not delivered since this ledger began, or it was finished before.
        case ignored
        /// A record before it is unfinished.
        case waits
        /// Every record below this offset is finished.
        case advances(to: Int64)
    }

    /// Offset from which the next record is delivered.
    public private(set) var position: Int64
    /// Offset that is durable as the group's.
    public private(set) var committed: Int64
    /// Delivered records from the lowest unfinished one on, in order. Offsets may have gaps: compaction makes them.
    private var delivered: [Entry] = []
    public private(set) var unfinished = 0

    private struct Entry: Hashable, Sendable {
        let offset: Int64
        var finished = false
    }

    /// - Parameter offset: what the group committed, or where its first record is.
    public init(startingAt offset: Int64) {
        position = offset
        committed = offset
    }

    /// Offset of the lowest unfinished record: what may be committed.
    public var nextToCommit: Int64 { delivered.first?.offset ?? position }

    /// The offset to commit, where there is something new to say.
    public var uncommitted: Int64? { nextToCommit > committed ? nextToCommit : nil }

    /// Records delivered since the lowest unfinished one, itself included: what a crash would deliver again.
    public var tail: Int { delivered.count }

    /// Answers false, and changes nothing, for a record below the position: it was delivered before.
    public mutating func deliver(_ offset: Int64) -> Bool {
        guard offset >= position else { return false }
        delivered.append(Entry(offset: offset))
        unfinished += 1
        position = offset + 1
        return true
    }

    public mutating func finish(_ offset: Int64) -> Action {
        guard let place = place(of: offset), !delivered[place].finished else { return .ignored }
        delivered[place].finished = true
        unfinished -= 1
        guard place == 0 else { return .waits }
        delivered.removeSubrange(..<(delivered.firstIndex { !$0.finished } ?? delivered.endIndex))
        return .advances(to: nextToCommit)
    }

    /// The broker has made it durable. Late news of an earlier commit changes nothing.
    public mutating func commit(_ offset: Int64) { committed = max(committed, offset) }

    /// By bisection.
    private func place(of offset: Int64) -> Int? {
        var low = 0
        var high = delivered.count
        while low < high {
            let middle = (low + high) / 2
            if delivered[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low < delivered.count && delivered[low].offset == offset ? low : nil
    }
}
