public import Broker
internal import Synchronization

extension KafkaTransport {
    /// Checks periodically whether the topics of all readers are still the same. librdkafka continues in a topic that
    /// was deleted and created again, and reports nothing if it has at least as many records as were read of the old
    /// one.
    func recogniseTopics() {
        let isFirst = state.withLock { state in
            defer { state.isRecognisingTopics = true }
            return !state.isRecognisingTopics
        }
        guard isFirst else { return }
        let interval = settings.times.topicCheck
        Task { [weak self] in
            repeat { try? await Task.sleep(for: interval) } while await self?.checkTopics() == true
        }
    }

    private func checkTopics() async -> Bool {
        let (isClosed, cores) = state.withLock { ($0.isClosed, $0.consumers.values.map(\.core)) }
        if isClosed { return false }
        for core in cores { await checkTopics(of: core) }
        return true
    }

    private func checkTopics(of core: ConsumerCore) async {
        let known = core.state.withLock { $0.known }
        for (topic, records) in Dictionary(grouping: known, by: \.key.topic) {
            let byPartition = Dictionary(uniqueKeysWithValues: records.map { ($0.key.partition, $0.value) })
            // A broker that does not respond proves nothing about the topic. The next check is soon.
            guard let findings = try? await find(byPartition, in: name.own(topic)) else { continue }
            if findings.values.contains(.other) {
                settings.report(.topicReplaced(topic))
                core.replaced(.replacedTopic(name.own(topic)))
            } else {
                let removed = Dictionary(uniqueKeysWithValues: records).filter {
                    findings[$0.key.partition] == .removed
                }
                core.state.withLock { $0.forgetKnown(removed) }
            }
        }
    }

    /// Looks for records that were read before, by partition. Reads one record of each.
    ///
    /// - Throws: `BrokerError`; `unknownTopic` for a missing topic.
    public func find(
        _ records: [Int32: KnownRecord], in topic: String
    ) async throws -> [Int32: KnownRecord.Finding] {
        if records.isEmpty { return [:] }
        let ranges = try await watermarks(topic: topic)
        var findings: [Int32: KnownRecord.Finding] = [:]
        var offsets: [Int32: Int64] = [:]
        for (partition, record) in records {
            guard let range = ranges[partition], record.offset < range.upperBound else {
                findings[partition] = .other
                continue
            }
            if range.contains(record.offset) {
                offsets[partition] = record.offset
            } else {
                findings[partition] = .removed
            }
        }
        for (partition, delivery) in try await firstRecords(of: topic, at: offsets) {
            let found = KnownRecord(delivery)
            guard let record = records[partition] else { continue }
            findings[partition] = found == record ? .same : found.offset > record.offset ? .removed : .other
        }
        return findings
    }

    /// The first record of each partition at its offset or after it. Throws `BrokerError.unavailable` if a partition
    /// returns none in time.
    func firstRecords(of topic: String, at offsets: [Int32: Int64]) async throws -> [Int32: Delivery] {
        if offsets.isEmpty { return [:] }
        let starts = offsets.map { (TopicPartition(topic: name.external(topic), partition: $0), Int64?.some($1)) }
        let reader = try await singleRecords(at: Dictionary(uniqueKeysWithValues: starts))
        do {
            let found = try await firstRecords(from: reader, count: offsets.count, topic)
            await reader.close()
            return found
        } catch {
            await reader.close()
            throw error
        }
    }

    private func firstRecords(
        from reader: any Reader, count: Int, _ topic: String
    ) async throws -> [Int32: Delivery] {
        var found: [Int32: Delivery] = [:]
        let deadline = ContinuousClock.now + settings.times.request
        while found.count < count {
            try Task.checkCancellation()
            guard ContinuousClock.now < deadline else {
                throw BrokerError.unavailable("the topic \(name.external(topic)) could not be read")
            }
            for delivery in try await reader.poll(limit: 100, wait: .seconds(1)) {
                let partition = delivery.position.partition.partition
                found[partition] = found[partition] ?? delivery
            }
        }
        return found
    }
}

extension BrokerError {
    static func replacedTopic(_ topic: String) -> BrokerError {
        .replaced("the topic \(topic) was deleted and created again, or lost records. It is read from its beginning.")
    }
}
