package import Broker

package enum TopicSnapshot {
    /// Reads a topic from its beginning to its end at the time of the call, one record at a time. Throws
    /// `BrokerError.unavailable` if the broker delivers nothing for `patience` before the end.
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
