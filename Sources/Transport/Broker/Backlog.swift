/// The unread part of a topic up to a given moment.
public struct Backlog: Sendable {
    /// The offset to reach, by partition. Partitions that have reached theirs are removed.
    private var ends: [Int32: Int64]

    /// - Parameters:
    ///   - ranges: the offsets of each partition at that moment.
    ///   - starts: where reading begins; the oldest record if missing.
    public init(_ ranges: [Int32: Range<Int64>], from starts: [Int32: Int64] = [:]) {
        ends = ranges.filter { max($1.lowerBound, starts[$0] ?? 0) < $1.upperBound }.mapValues(\.upperBound)
    }

    /// Whether the whole backlog was read.
    public var isRead: Bool { ends.isEmpty }

    /// Counts a record, and all records before it in its partition, as read.
    public mutating func read(_ position: Position) {
        let partition = position.partition.partition
        if let end = ends[partition], position.offset + 1 >= end { ends[partition] = nil }
    }
}
