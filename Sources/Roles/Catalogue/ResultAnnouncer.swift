public import Broker
internal import LibraryTables
public import Manifests
internal import Records

/// Reports jobs' results to the coordinator; the only writer of the results topic. Callers keep results until they are
/// durable there, and send them again after a crash; repeated results change nothing.
public struct ResultAnnouncer: Sendable {
    private let producer: any Producer

    /// - Parameter producer: of the cluster that the manifests came from, or of the one that replaced it.
    public init(_ producer: any Producer) { self.producer = producer }

    /// Sends results, and returns when they are durable.
    ///
    /// - Throws: `BrokerError`.
    public func send(_ results: JobResults) async throws { try await send(results.records()) }

    /// Sends records of a library, and returns the number of the last one, if any.
    func send(_ entries: [ResultTable.Entry]) async throws -> Int64? {
        guard let last = entries.last else { return nil }
        try await send(entries.map(\.record))
        return last.number
    }

    /// All have one key: the topic has one partition, and the results keep their order.
    private func send(_ records: [[UInt8]]) async throws {
        _ = try await producer.send(records.map { Record(key: [], value: $0) }, to: Topics.results)
    }
}
