/// A record that identifies its topic: in a topic that was created again, its offset has another record or none.
public struct KnownRecord: Hashable, Sendable {
    /// The record's offset in its partition.
    public let offset: Int64
    /// When it was sent, in milliseconds since 1970.
    public let timestampMilliseconds: Int64

    /// Memberwise initializer.
    public init(offset: Int64, timestampMilliseconds: Int64) {
        self.offset = offset
        self.timestampMilliseconds = timestampMilliseconds
    }

    /// The record that was delivered.
    public init(_ delivery: Delivery) {
        self.init(offset: delivery.position.offset, timestampMilliseconds: delivery.timestampMilliseconds)
    }

    /// The content of a partition at the offset of a known record.
    public enum Finding: Hashable, Sendable {
        /// The same record: the topic is the one that was read.
        case same
        /// Only later records are left, so the topic may be either.
        case removed
        /// Another record, or none yet: the topic was created again, and the old offsets are invalid.
        case other
    }
}

/// How far a role has read a topic, kept from one run to the next.
public struct StoredPosition: Hashable, Sendable {
    /// The identity of the cluster to which the offsets belong.
    public let cluster: String
    /// The offset of the next record to read, by partition.
    public var next: [Int32: Int64]
    /// A record before that, by partition.
    public var known: [Int32: KnownRecord]

    /// Memberwise initializer.
    public init(cluster: String, next: [Int32: Int64] = [:], known: [Int32: KnownRecord] = [:]) {
        self.cluster = cluster
        self.next = next
        self.known = known
    }

    /// Makes reading begin at the partition's oldest record.
    public mutating func forget(_ partition: Int32) {
        next[partition] = 0
        known[partition] = nil
    }
}

extension Transport {
    /// The outdated parts of a position: partitions whose topic was created again, or whose known record is gone.
    public func changes(of topic: String, since position: StoredPosition) async throws -> [Int32: KnownRecord.Finding] {
        var changes = try await find(position.known, in: topic).filter { $0.value != .same }
        for (partition, range) in try await watermarks(topic: topic) {
            if let next = position.next[partition], next > range.upperBound { changes[partition] = .other }
        }
        return changes
    }
}

extension Transport {
    /// For a broker whose topics last as long as the broker.
    public func find(
        _ records: [Int32: KnownRecord], in topic: String
    ) async throws -> [Int32: KnownRecord.Finding] { records.mapValues { _ in .same } }

    /// For a broker whose topics last as long as the broker.
    public func reader(topic: String, continuing position: StoredPosition) async throws -> any Reader {
        try await reader(topic: topic, from: position.next)
    }
}
