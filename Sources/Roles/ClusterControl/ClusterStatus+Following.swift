package import Broker

extension ClusterStatus {
    /// Follows the status and workers topics until `isEnough` returns true. Calls it when both are read, after every
    /// change, and every half second, so that it can check deadlines.
    ///
    /// - Returns: the last state.
    /// - Throws: `BrokerError`; errors of `isEnough`.
    package static func following(
        _ transport: any Transport, until isEnough: (ClusterStatus) throws -> Bool
    ) async throws -> ClusterStatus {
        var status = ClusterStatus()
        var unread: Set = [Topics.status, Topics.workers]
        let (pages, arriving) = AsyncThrowingStream.makeStream(of: Page.self)
        let readers = unread.map { topic in
            Task {
                do { try await read(topic, transport) { arriving.yield($0) } } catch {
                    arriving.finish(throwing: error)
                }
            }
        }
        defer { for reader in readers { reader.cancel() } }
        for try await page in pages {
            for delivery in page.deliveries { status.update(delivery) }
            if page.isCaughtUp { unread.remove(page.topic) }
            if try unread.isEmpty && isEnough(status) { break }
        }
        try Task.checkCancellation()
        return status
    }

    private struct Page {
        let topic: String
        let deliveries: [Delivery]
        /// The topic is read as far as it went when the reader began.
        let isCaughtUp: Bool
    }

    private static func read(
        _ topic: String, _ transport: any Transport, _ body: @escaping @Sendable (Page) -> Void
    ) async throws {
        var backlog = Backlog(try await transport.watermarks(topic: topic))
        try await transport.withReader(topic: topic, from: [:]) { reader in
            var deadline = ContinuousClock.now + TopicSnapshot.patience
            while !Task.isCancelled {
                let deliveries = try await reader.poll(limit: 1000, wait: .milliseconds(500))
                for delivery in deliveries { backlog.read(delivery.position) }
                if !deliveries.isEmpty || backlog.isRead { deadline = .now + TopicSnapshot.patience }
                if ContinuousClock.now > deadline { throw TopicSnapshot.unread(topic) }
                body(Page(topic: topic, deliveries: deliveries, isCaughtUp: backlog.isRead))
            }
        }
    }
}
