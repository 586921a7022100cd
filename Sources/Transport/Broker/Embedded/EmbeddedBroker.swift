internal import Database

/// A broker inside the process that keeps its records in one SQLite file.
///
/// Acknowledged records survive a crash of the process at any moment, and a power failure as far as SQLite's
/// `synchronous=FULL` guarantees it. Only one process at a time can open the file.
public final class EmbeddedBroker: Transport {
    let core: BrokerCore

    private init(_ core: BrokerCore) { self.core = core }

    /// Opens or creates the broker's file. Throws `BrokerError.inUse` if another process uses it, and `.broken` if it
    /// is damaged or of a newer version.
    public static func open(path: String) async throws -> EmbeddedBroker {
        let core = BrokerCore(path: path)
        try await core.open(locking: path + ".lock")
        return EmbeddedBroker(core)
    }

    /// A broker without a file. Its records live as long as this object.
    public static func inMemory() async throws -> EmbeddedBroker {
        let core = BrokerCore(path: ":memory:")
        try await core.open(locking: nil)
        return EmbeddedBroker(core)
    }

    /// The identity of the broker's content: of its file.
    public func clusterID() async throws -> String { try await core.clusterID() }

    /// Creates the missing topics. Existing ones stay as they are.
    public func create(_ topics: [Topic]) async throws { try await core.create(topics) }

    /// A producer for any topic. Throws `BrokerError.closed` after `close`.
    public func producer() async throws -> any Producer {
        _ = try await core.clusterID()
        return EmbeddedProducer(core)
    }

    /// Joins a consumer group; a new group begins at the oldest record.
    public func consumer(group: String, topics: [String], inFlight: Int) async throws -> any GroupConsumer {
        EmbeddedConsumer(core, try await core.join(group: group, topics: topics, inFlight: inFlight))
    }

    /// Reads all partitions of a topic, outside any group. A missing or invalid offset means the oldest record.
    public func reader(topic: String, from offsets: [Int32: Int64]) async throws -> any Reader {
        EmbeddedReader(core, try await core.readerState(topic, offsets))
    }

    /// The range of offsets of each partition: from its oldest record to the next one.
    public func watermarks(topic: String) async throws -> [Int32: Range<Int64>] {
        try await core.watermarks(topic)
    }

    /// The offsets that the group has committed, by partition. Partitions without one are left out.
    public func committed(group: String, topic: String) async throws -> [Int32: Int64] {
        try await core.committed(group, topic)
    }

    /// Removes the records of a topic before these offsets, by partition. The file reuses their space.
    public func deleteRecords(of topic: String, before offsets: [Int32: Int64]) async throws {
        for (partition, range) in try await core.watermarks(topic) {
            guard let end = offsets[partition] else { continue }
            var next = range.lowerBound
            while next < min(end, range.upperBound) {
                next = min(end, next + BrokerStore.maxRemoved)
                try await core.write(.remove(TopicPartition(topic: topic, partition: partition), before: next))
            }
        }
    }

    /// Closes all producers, consumers and readers, and then the file. Later calls throw `BrokerError.closed`.
    public func close() async { await core.close() }
}

extension BrokerCore {
    func clusterID() throws -> String { try opened().clusterID }

    func create(_ topics: [Topic]) throws { try query { try $0.create(topics) } }

    func topic(_ name: String) throws(BrokerError) -> Topic {
        guard let topic = try opened().topics[name] else { throw .unknownTopic(name) }
        return topic
    }

    func watermarks(_ name: String) throws -> [Int32: Range<Int64>] {
        _ = try topic(name)
        let states = try opened().partitions.filter { $0.key.topic == name }
        return Dictionary(uniqueKeysWithValues: states.map { ($0.key.partition, $0.value.first..<$0.value.next) })
    }

    func committed(_ group: String, _ name: String) throws -> [Int32: Int64] {
        _ = try topic(name)
        let offsets = try opened().committed[group, default: [:]].filter { $0.key.topic == name }
        return Dictionary(uniqueKeysWithValues: offsets.map { ($0.key.partition, $0.value) })
    }

    func readerState(_ name: String, _ offsets: [Int32: Int64]) throws -> ReaderState {
        var starts: [TopicPartition: Int64] = [:]
        for (partition, range) in try watermarks(name) {
            let requested = offsets[partition] ?? range.lowerBound
            let exists = requested >= range.lowerBound && requested <= range.upperBound
            starts[TopicPartition(topic: name, partition: partition)] = exists ? requested : range.lowerBound
        }
        return ReaderState(topic: name, offsets: starts)
    }
}

extension BrokerError {
    /// The broker's error for an error of its store. It is never `unavailable`: unlike a cluster, a local file does not
    /// recover on its own, so the caller learns the cause, such as a full disk, at once.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as BrokerError: self = error
        case let error as DatabaseError:
            switch error.kind {
            case .corrupt:
                self = .broken(
                    "\(path): the broker's file is damaged (\(error.message)). Move it away and run the same command "
                        + "again: unfinished work is repeated.")
            case .refused:
                self = .broken(
                    "\(path): the broker's file is inconsistent (\(error.message)). Move it away and run the same "
                        + "command again: unfinished work is repeated.")
            case .newerSchema, .readOnly, .cannotOpen, .diskFull, .diskFailed, .busy, .unreachable, .exhausted,
                .notTrusted, .conflict, .other:
                self = .broken(error.description)
            }
        default: self = .broken("\(path): \(error)")
        }
    }
}
