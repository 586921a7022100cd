import Broker

extension BrokerConformance {
    static let crashCases = [
        ConformanceCase("acknowledged records and committed offsets survive a crash", needs: [.survivesCrash]) {
            broker in
            let topic = try await broker.topic(partitions: 2)
            let sent = try await broker.send(100, to: topic)
            let consumer = try await broker.consumer(topic)
            let found = try await consumer.take(100)
            await consumer.finish(found.prefix(60))
            try await consumer.commit()
            await consumer.finish(found.dropFirst(60))
            let committed = try await broker.committed(topic)
            let id = try await broker.transport.clusterID()

            let after = try await broker.connection.reconnect()
            try require(try await after.clusterID(), equals: id, "the cluster's id")
            try require(
                try await after.committed(group: broker.name("group"), topic: topic), equals: committed, "committed")
            let reader = try await after.reader(topic: topic, from: [:])
            try require(Set(try await reader.take(100).map(\.position)), equals: Set(sent), "records")
            await reader.close()
            let next = try await after.consumer(group: broker.name("group"), topics: [topic], inFlight: 100)
            let again = try await next.take(40)
            let open = found.filter { $0.position.offset >= committed[$0.position.partition.partition] ?? 0 }
            try require(
                Set(again.map(\.number)).isSuperset(of: found.dropFirst(60).map(\.number)), "not all came again")
            try require(again.count <= open.count, "records below the committed offset came again")
            await next.close()
            await after.close()
        }
    ]
}
