public import Broker

extension KafkaTransport {
    /// A topic of one record, which says which life of the cluster this is.
    ///
    /// A cluster's own id is often a constant of its installation: one that lost everything, and was set up again by
    /// the same file, has it again. So the first who asks writes a number nobody has had; the first record counts.
    public static let incarnations = Topic(name: "rawmill.incarnation", partitions: 1, retention: .forever)

    public func clusterID() async throws -> String {
        let id = try await admin.clusterID()
        try await admin.create([Self.incarnations])
        if let number = try await incarnation() { return "\(id)/\(number)" }
        let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        _ = try await send([Record(key: [], value: Array(number.utf8))], to: Self.incarnations.name)
        guard let first = try await incarnation() else {
            throw BrokerError.unavailable("the topic \(Self.incarnations.name) does not keep its record")
        }
        return "\(id)/\(first)"
    }

    /// The first record's text; nil where there is none.
    private func incarnation() async throws -> String? {
        let topic = Self.incarnations.name
        guard let range = try await admin.watermarks(topic)[0], !range.isEmpty else { return nil }
        let first = try await withReader(topic: topic, from: [:]) {
            try await $0.poll(limit: 1, wait: settings.times.answer)
        }
        guard let value = first.first?.record.value else {
            throw BrokerError.unavailable("the topic \(topic) has a record that could not be read")
        }
        return String(decoding: value, as: UTF8.self)
    }
}
