public import Broker

extension KafkaTransport {
    /// The topic whose first record is the incarnation of the cluster: a random number that the first client writes.
    ///
    /// Kafka's own cluster id is often part of the installation. A cluster that lost everything and was set up again
    /// then has the same id, but another incarnation. Both together identify the cluster's content.
    public static let incarnationTopic = Topic(name: "rawmill.incarnation", partitions: 1, retention: .forever)

    /// As ``clusterID()``.
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

    /// The text of the topic's first record; nil if the topic is empty.
    private func incarnation() async throws -> String? {
        let topic = Self.incarnationTopic.name
        guard let range = try await watermarks(topic: topic)[0], !range.isEmpty else { return nil }
        let first = try await withReader(topic: topic, from: [:]) {
            try await $0.poll(limit: 1, wait: settings.times.request)
        }
        guard let value = first.first?.record.value else {
            throw BrokerError.unavailable("the topic \(name.external(topic)) has a record that could not be read")
        }
        return String(decoding: value, as: UTF8.self)
    }
}
