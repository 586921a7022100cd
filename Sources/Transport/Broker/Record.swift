/// A record's place: its topic, partition and offset.
public struct Position: Hashable, Sendable, Comparable {
    public let partition: TopicPartition
    public let offset: Int64

    public init(partition: TopicPartition, offset: Int64) {
        self.partition = partition
        self.offset = offset
    }

    public static func < (a: Self, b: Self) -> Bool { (a.partition, a.offset) < (b.partition, b.offset) }
}

public struct TopicPartition: Hashable, Sendable, Comparable {
    public let topic: String
    public let partition: Int32

    public init(topic: String, partition: Int32) {
        self.topic = topic
        self.partition = partition
    }

    public static func < (a: Self, b: Self) -> Bool { (a.topic, a.partition) < (b.topic, b.partition) }
}

public struct Header: Hashable, Sendable {
    public let name: String
    public let value: [UInt8]

    public init(name: String, value: [UInt8]) {
        self.name = name
        self.value = value
    }
}

/// What is sent. Records of one key keep their order.
public struct Record: Hashable, Sendable {
    public let key: [UInt8]
    /// Nil is a tombstone on a compacted topic, and a poison record anywhere else.
    public let value: [UInt8]?
    public let headers: [Header]

    public init(key: [UInt8], value: [UInt8]?, headers: [Header] = []) {
        self.key = key
        self.value = value
        self.headers = headers
    }

    /// The last header of that name.
    public func header(_ name: String) -> [UInt8]? { headers.last { $0.name == name }?.value }

    /// The header's value as text, of which bytes that are no UTF-8 stand as U+FFFD; nil without the header, and for
    /// one that is none of Rawmill's by its length: what is read goes on into other records, which have to be sent.
    public func text(of header: String) -> String? {
        self.header(header).flatMap { $0.count <= Self.headerRoomBytes ? String(decoding: $0, as: UTF8.self) : nil }
    }

    /// What a record that answers this one passes on: all headers, or none where they take more than `room` bytes, one
    /// that is empty included.
    public func headers(within room: Int = Self.headerRoomBytes) -> [Header] {
        let envelope = 8
        return headers.reduce(0) { $0 + envelope + $1.name.utf8.count + $1.value.count } <= room ? headers : []
    }

    /// True where a record that answers this one, or sends it again, has room for its key and for headers: of all that
    /// Rawmill writes, by far.
    public var canBeAnswered: Bool {
        key.count <= Self.headerRoomBytes && (value?.count ?? 0) <= Self.largestBytes - 4 * Self.headerRoomBytes
    }

    /// Far more than Rawmill's own headers take.
    public static let headerRoomBytes = 1024

    /// Largest record of most topics, as `sizeBytes` counts.
    public static let largestBytes = 64 * 1024

    /// Bytes of key, value and headers.
    public var sizeBytes: Int {
        headers.reduce(key.count + (value?.count ?? 0)) { $0 + $1.name.utf8.count + $1.value.count }
    }
}

/// A record that was read.
public struct Delivery: Hashable, Sendable {
    public let record: Record
    public let position: Position
    /// Milliseconds since 1970, when it was sent.
    public let timestampMilliseconds: Int64

    public init(record: Record, position: Position, timestampMilliseconds: Int64) {
        self.record = record
        self.position = position
        self.timestampMilliseconds = timestampMilliseconds
    }
}
