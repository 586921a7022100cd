internal import Broker
internal import Clock
internal import Jobs
internal import Manifests
internal import Records

/// Sends the ledger's dead letters to their topic, each once. Jobs do not wait for it: letters that the broker refuses
/// stay in the ledger until it accepts them.
///
/// (1) The topic's end is stored with the letters; (2) they are sent; (3) they are deleted from the ledger. After a
/// crash or an error between 1 and 3, the topic is read from that end, and letters found there are not sent again.
struct DeadLetterSender {
    let ledger: Ledger
    let transport: any Transport
    /// Learns of each round.
    var heartbeat = Heartbeat()
    let report: @Sendable (RunEvent) async -> Void

    private static let loop = "dead letters"
    private static let batchSize = 100
    /// How long to wait for an expected record.
    private static let maxWait = Duration.seconds(5)

    /// Runs until the task is cancelled. `connect` is called before each attempt to reach the broker, which may serve
    /// other clients and restrict access if `isShared`.
    func run(isShared: Bool = false, connect: @Sendable () async throws -> Void = {}) async throws {
        defer { heartbeat.rest(Self.loop) }
        try await retryingWhileUnavailable(report: report) {
            heartbeat.beat(Self.loop, extra: BrokerHandshake.maxTime)
            try await connect()
            if isShared { try await tryReading() }
            try await removeSent()
            try await transport.withProducer { producer in
                while !Task.isCancelled {
                    let signalCount = ledger.changes.signalCount
                    heartbeat.beat(Self.loop)
                    if try await send(with: producer) { continue }
                    await ledger.changes.waitUnlessCancelled(after: signalCount, limit: RunState.maxWait)
                }
            }
        }
    }

    /// Reads at the topic's end. Reading is needed only after a kill, but a missing permission should be reported now.
    private func tryReading() async throws {
        let end = try await transport.watermarks(topic: Topics.deadLetter).mapValues(\.upperBound)
        try await transport.withReader(topic: Topics.deadLetter, from: end) { reader in
            for _ in 0..<10 where !Task.isCancelled { _ = try await reader.poll(limit: 1, wait: .milliseconds(200)) }
        }
    }

    private func send(with producer: any Producer) async throws -> Bool {
        let entries = try await ledger.perform { try $0.letters.next(limit: Self.batchSize) }
        guard let last = entries.last?.number else { return false }
        let end = try await transport.watermarks(topic: Topics.deadLetter)[0]?.upperBound ?? 0
        try await ledger.perform { try $0.letters.noteSending(through: last, after: end) }
        _ = try await producer.send(entries.map(Self.record), to: Topics.deadLetter)
        try await ledger.perform { try $0.letters.remove(entries.map(\.number)) }
        ledger.changes.signal()
        return true
    }

    /// Finds letters that an earlier run sent and could not delete.
    private func removeSent() async throws {
        var begun: [[UInt8]: Int64] = [:]
        var start: Int64?
        for entry in try await ledger.perform({ try $0.letters.next(limit: Self.batchSize) }) {
            guard let sentFrom = entry.sentFrom else { continue }
            begun[entry.value] = entry.number
            start = min(start ?? sentFrom, sentFrom)
        }
        guard let start else { return }
        let range = try await transport.watermarks(topic: Topics.deadLetter)[0] ?? 0..<0
        var backlog = Backlog([0: range], from: [0: start])
        guard start <= range.upperBound, !backlog.isRead else { return }
        try await transport.withReader(topic: Topics.deadLetter, from: [0: start]) { reader in
            while !backlog.isRead {
                heartbeat.beat(Self.loop)
                let found = try await reader.poll(limit: Self.batchSize, wait: Self.maxWait)
                if found.isEmpty { return }
                let numbers = found.compactMap { $0.record.value.flatMap { begun[$0] } }
                try await ledger.perform { try $0.letters.remove(numbers) }
                for delivery in found { backlog.read(delivery.position) }
            }
        }
    }

    private static func record(_ entry: DeadLettersTable.Entry) -> Record {
        let headers = entry.traceparent.map { [Header(name: JobHeader.traceparent, value: Array($0.utf8))] } ?? []
        return Record(key: entry.key, value: entry.value, headers: headers)
    }
}
