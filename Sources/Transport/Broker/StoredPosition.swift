/// A record of a partition that was read before, by which its topic is known again. A topic that was deleted and created
/// anew has another record at this offset, or none.
public struct KnownRecord: Hashable, Sendable {
    /// Its number within the partition.
    public let offset: Int64
    /// When it was sent, in milliseconds since 1970.
    public let timestampMilliseconds: Int64

    /// Takes the parts as they are.
    public init(offset: Int64, timestampMilliseconds: Int64) {
        self.offset = offset
        self.timestampMilliseconds = timestampMilliseconds
    }

    /// The record that was delivered.
    public init(_ delivery: Delivery) {
        self.init(offset: delivery.position.offset, timestampMilliseconds: delivery.timestampMilliseconds)
    }

    /// What a partition has at the offset of a known record.
    public enum Finding: Hashable, Sendable {
        /// That record: it is the topic that was read.
        case same
        /// Only later records are left, which tells nothing.
        case removed
        /// Another record, or none yet: the topic was created anew, and offsets of the former one mean nothing in it.
        case other
    }
}

/// How far a topic was read, as a role keeps it from one run to the next.
public struct StoredPosition: Hashable, Sendable {
    /// The identity of the cluster in which the offsets were counted.
    public let cluster: String
    /// By partition, the offset of the next record to read.
    public var next: [Int32: Int64]
    /// By partition, a record before that.
    public var known: [Int32: KnownRecord]

    /// The parameters are the properties of the same names.
    public init(cluster: String, next: [Int32: Int64] = [:], known: [Int32: KnownRecord] = [:]) {
        self.cluster = cluster
        self.next = next
        self.known = known
    }

    /// Reads a partition from its oldest record.
    public mutating func forget(_ partition: Int32) {
        next[partition] = 0
        known[partition] = nil
    }
}

extension Transport {
    /// What is out of date in a position: the partitions whose topic was created anew, and those whose known record is
    /// not there any more.
    ///
    /// - Throws: `BrokerError`.
    public func changes(of topic: String, since position: StoredPosition) async throws -> [Int32: KnownRecord.Finding] {
        var changes = try await find(position.known, in: topic).filter { $0.value != .same }
        for (partition, range) in try await watermarks(topic: topic) {
            if let next = position.next[partition], next > range.upperBound { changes[partition] = .other }
        }
        return changes
    }
}

extension Transport {
    /// For a broker whose topics last as long as itself.
    public func find(
        _ records: [Int32: KnownRecord], in topic: String
    ) async throws -> [Int32: KnownRecord.Finding] { records.mapValues { _ in .same } }

    /// For a broker whose topics last as long as itself.
    public func reader(topic: String, continuing position: StoredPosition) async throws -> any Reader {
        try await reader(topic: topic, from: position.next)
    }
}
