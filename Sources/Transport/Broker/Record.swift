/// A partition of a topic.
public struct TopicPartition: Hashable, Sendable, Comparable {
    /// The topic's name.
    public let topic: String
    /// The partition's number, from 0.
    public let partition: Int32

    /// Memberwise initializer. The partition need not exist.
    public init(topic: String, partition: Int32) {
        self.topic = topic
        self.partition = partition
    }

    /// Orders by topic, then by number.
    public static func < (a: Self, b: Self) -> Bool { (a.topic, a.partition) < (b.topic, b.partition) }
}

/// The position of a record: its topic, partition and offset.
public struct Position: Hashable, Sendable, Comparable {
    /// The partition that holds the record.
    public let partition: TopicPartition
    /// The record's number within its partition.
    public let offset: Int64

    /// Memberwise initializer. The record need not exist.
    public init(partition: TopicPartition, offset: Int64) {
        self.partition = partition
        self.offset = offset
    }

    /// Orders by partition, then by offset.
    public static func < (a: Self, b: Self) -> Bool { (a.partition, a.offset) < (b.partition, b.offset) }
}

/// A header of a record. Several headers may have the same name.
public struct Header: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value, any bytes.
    public let value: [UInt8]

    /// Memberwise initializer.
    public init(name: String, value: [UInt8]) {
        self.name = name
        self.value = value
    }
}

/// A record to send to a topic. Records with the same key keep their order.
public struct Record: Hashable, Sendable {
    /// Chooses the partition. On a compacted topic, the newest record of each key stays.
    public let key: [UInt8]
    /// The content. Nil is a tombstone on a compacted topic, and a malformed record anywhere else.
    public let value: [UInt8]?
    /// The headers, in order.
    public let headers: [Header]

    /// Memberwise initializer.
    public init(key: [UInt8], value: [UInt8]?, headers: [Header] = []) {
        self.key = key
        self.value = value
        self.headers = headers
    }

    /// The value of the last header with this name.
    public func header(_ name: String) -> [UInt8]? { headers.last { $0.name == name }?.value }

    /// The header's value as text, with U+FFFD in place of bytes that are not UTF-8. Nil if the header is missing, or
    /// longer than `maxHeaderBytes`: the text is copied into other records, which have a size limit.
    public func text(of header: String) -> String? {
        self.header(header).flatMap { $0.count <= Self.maxHeaderBytes ? String(decoding: $0, as: UTF8.self) : nil }
    }

    /// The headers for a reply to this record: all of them, or none if they exceed `limit` bytes.
    public func headers(within limit: Int = Self.maxHeaderBytes) -> [Header] {
        let envelope = 8
        return headers.reduce(0) { $0 + envelope + $1.name.utf8.count + $1.value.count } <= limit ? headers : []
    }

    /// Whether a copy of this record or a reply to it, with this key and these headers, stays below the size limit.
    /// True for all records that Rawmill writes, with a wide margin.
    public var leavesRoomForReply: Bool {
        key.count <= Self.maxHeaderBytes && (value?.count ?? 0) <= Self.maxBytes - 4 * Self.maxHeaderBytes
    }

    /// The size limit of a key, of a header's value, and of all headers together. Rawmill's own are far smaller.
    public static let maxHeaderBytes = 1024

    /// The size limit of a record in most topics, as `sizeBytes` counts.
    public static let maxBytes = 64 * 1024

    /// The size of key, value and headers in bytes.
    public var sizeBytes: Int {
        headers.reduce(key.count + (value?.count ?? 0)) { $0 + $1.name.utf8.count + $1.value.count }
    }
}

/// A record read from a topic, with its position.
public struct Delivery: Hashable, Sendable {
    /// The record that was sent.
    public let record: Record
    /// Where the broker stored it.
    public let position: Position
    /// When it was sent, in milliseconds since 1970.
    public let timestampMilliseconds: Int64

    /// Memberwise initializer, for back ends and tests.
    public init(record: Record, position: Position, timestampMilliseconds: Int64) {
        self.record = record
        self.position = position
        self.timestampMilliseconds = timestampMilliseconds
    }
}
