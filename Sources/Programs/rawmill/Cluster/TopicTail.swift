import Broker

/// Reads a topic from its beginning.
enum TopicTail {
    /// Everything that is in it now, a record at a time.
    ///
    /// - Throws: `BrokerError`; `CommandFailure` where the broker does not give out what it has within `patience`.
    static func each(
        _ topic: String, _ transport: any Transport, patience: Duration = .seconds(30),
        _ body: (Delivery) throws -> Void
    ) async throws {
        var backlog = Backlog(try await transport.watermarks(topic: topic))
        try await transport.withReader(topic: topic, from: [:]) { reader in
            var deadline = ContinuousClock.now + patience
            while !backlog.isRead {
                let some = try await reader.poll(limit: 1000, wait: .milliseconds(200))
                if !some.isEmpty { deadline = .now + patience }
                for delivery in some {
                    try body(delivery)
                    backlog.read(delivery.position)
                }
                // The last record of a compacted topic may be one that is not handed out.
                if ContinuousClock.now > deadline {
                    throw BrokerError.unavailable("the topic \(topic) is not read to its end")
                }
            }
        }
    }
}
