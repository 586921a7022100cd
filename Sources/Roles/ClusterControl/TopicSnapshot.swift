package import Broker

/// The current records of a topic.
package enum TopicSnapshot {
    /// Reads a topic from its beginning to its end at the time of the call, one record at a time.
    ///
    /// - Parameter patience: how long the broker may deliver nothing before the read fails.
    /// - Throws: `BrokerError.unavailable` if the broker does not deliver all records; other `BrokerError`s; what
    ///   `body` throws.
    package static func each(
        _ topic: String, _ transport: any Transport, patience: Duration = .seconds(30),
        _ body: (Delivery) throws -> Void
    ) async throws {
        var backlog = Backlog(try await transport.watermarks(topic: topic))
        try await transport.withReader(topic: topic, from: [:]) { reader in
            var deadline = ContinuousClock.now + patience
            while !backlog.isRead {
                try Task.checkCancellation()
                let deliveries = try await reader.poll(limit: 1000, wait: .milliseconds(200))
                if !deliveries.isEmpty { deadline = .now + patience }
                for delivery in deliveries {
                    try body(delivery)
                    backlog.read(delivery.position)
                }
                // The last record of a compacted topic may never be delivered.
                if ContinuousClock.now > deadline {
                    throw BrokerError.unavailable("cannot read topic \(topic) to its end")
                }
            }
        }
    }
}
