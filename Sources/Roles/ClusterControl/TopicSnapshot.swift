package import Broker

package enum TopicSnapshot {
    /// How long a broker may deliver nothing of what it has.
    static let patience = Duration.seconds(30)

    static func unread(_ topic: String) -> BrokerError {
        .unavailable("the topic \(topic) could not be read to its end")
    }

    /// Reads a topic from its beginning to where it ends at the call, one record at a time.
    ///
    /// - Throws: `BrokerError`, `.unavailable` where the broker does not deliver all it has; what `body` throws.
    package static func each(
        _ topic: String, _ transport: any Transport, _ body: (Delivery) throws -> Void
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
                // The last record of a compacted topic may be one that is never delivered.
                if ContinuousClock.now > deadline { throw unread(topic) }
            }
        }
    }
}
