/// The part of a topic that is still to be read until everything that was in it at one moment is known.
public struct Backlog: Sendable {
    /// By partition, the offset to be reached.
    private var ends: [Int32: Int64]

    /// - Parameters:
    ///   - ranges: where the topic's partitions began and ended at that moment.
    ///   - starts: where reading begins; at the oldest record where there is none.
    public init(_ ranges: [Int32: Range<Int64>], from starts: [Int32: Int64] = [:]) {
        ends = ranges.filter { max($1.lowerBound, starts[$0] ?? 0) < $1.upperBound }.mapValues(\.upperBound)
    }

    public var isRead: Bool { ends.isEmpty }

    /// The record was read, and so were those before it in its partition.
    public mutating func read(_ position: Position) {
        let partition = position.partition.partition
        if let end = ends[partition], position.offset + 1 >= end { ends[partition] = nil }
    }
}
