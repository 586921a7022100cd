public import Broker

extension KafkaTransport {
    /// The topic whose first record is the incarnation of the cluster: a random number that the first client writes.
    ///
    /// Kafka's own cluster id is often part of the installation, so a cluster that lost everything and was set up again
    /// has the same id, but another incarnation. Both together identify the cluster's content.
    public static let incarnationTopic = Topic(name: "rawmill.incarnation", partitions: 1, retention: .forever)

    func readIdentity() async throws -> String {
        let id = try await admin.clusterID()
        try await create([Self.incarnationTopic])
        if let number = try await incarnation() { return "\(id)/\(number)" }
        let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        _ = try await send([Record(key: [], value: Array(number.utf8))], to: Self.incarnationTopic.name)
        guard let first = try await incarnation() else {
            throw BrokerError.unavailable(
                "the topic \(name.external(Self.incarnationTopic.name)) does not keep its record")
        }
        return "\(id)/\(first)"
    }

    private func incarnation() async throws -> String? {
        let topic = Self.incarnationTopic.name
        guard let range = try await watermarks(topic: topic)[0], !range.isEmpty else { return nil }
        let first = try await firstRecords(of: topic, at: [0: range.lowerBound])
        guard let value = first[0]?.record.value else {
            throw BrokerError.unavailable("the topic \(name.external(topic)) has a record that could not be read")
        }
        return String(decoding: value, as: UTF8.self)
    }

    // MARK: - The library

    /// The key of the records by which libraries claim the topics.
    private static let libraryKey = Array("library".utf8)

    /// Claims the topics for a library, unless another library has claimed them. The topic has one partition, so its
    /// order decides between simultaneous claims.
    public func claim(for library: String) async throws -> String {
        _ = try await clusterID()
        if let owner = try await owner() { return owner }
        let record = Record(key: Self.libraryKey, value: Array(library.utf8))
        _ = try await send([record], to: Self.incarnationTopic.name)
        guard let owner = try await owner() else {
            throw BrokerError.unavailable(
                "the topic \(name.external(Self.incarnationTopic.name)) does not keep its records")
        }
        return owner
    }

    /// The library that claimed the topics, if any.
    public func owner() async throws -> String? {
        _ = try await clusterID()
        let topic = Self.incarnationTopic.name
        var backlog = Backlog(try await watermarks(topic: topic))
        let deadline = ContinuousClock.now + settings.times.request
        return try await withReader(topic: topic, from: [:]) { reader in
            while !backlog.isRead {
                try Task.checkCancellation()
                for delivery in try await reader.poll(limit: 100, wait: .seconds(1)) {
                    backlog.read(delivery.position)
                    guard delivery.record.key == Self.libraryKey, let value = delivery.record.value else { continue }
                    return String(decoding: value.prefix(64), as: UTF8.self)
                }
                guard ContinuousClock.now < deadline else {
                    throw BrokerError.unavailable("the topic \(name.external(topic)) could not be read")
                }
            }
            return nil
        }
    }
}
