internal import Broker
internal import Manifests
internal import Records
internal import Synchronization

struct ManifestDelivery {
    let manifest: Manifest
    let position: Position
    var traceparent: String?
}

struct ManifestBatch: Sendable {
    private(set) var manifests: [ManifestDelivery] = []
    private(set) var unreadable: [UnreadableRecord] = []
    /// By partition, the offset after the last record of this batch.
    private(set) var next: [Int32: Int64] = [:]
    /// By partition, the first record of this batch.
    private(set) var known: [Int32: KnownRecord] = [:]

    func part(of share: PartitionShare) -> ManifestBatch {
        if share.count == 1 { return self }
        var part = ManifestBatch()
        part.manifests = manifests.filter { share.has($0.position.partition.partition) }
        part.unreadable = unreadable.filter { share.has($0.delivery.position.partition.partition) }
        part.next = next.filter { share.has($0.key) }
        part.known = known.filter { share.has($0.key) }
        return part
    }

    var count: Int { manifests.count + unreadable.count }

    mutating func add(_ delivery: Delivery) {
        let partition = delivery.position.partition.partition
        next[partition] = delivery.position.offset + 1
        known[partition] = known[partition] ?? KnownRecord(delivery)
        do throws(RecordError) {
            manifests.append(
                ManifestDelivery(
                    manifest: try Manifest(record: delivery.record.value ?? []), position: delivery.position,
                    traceparent: delivery.record.text(of: JobHeader.traceparent)))
        } catch {
            unreadable.append(UnreadableRecord(delivery: delivery, error: error))
        }
    }
}

/// Reads the next batch while the one before it is merged.
struct BatchPrefetch: Sendable {
    private let isAwaited = AwaitedFlag()
    private let task: Task<ManifestBatch, any Error>

    init(_ reader: any Reader, _ settings: CatalogueSettings) {
        let isAwaited = isAwaited
        task = Task { try await Self.read(reader, settings) { isAwaited.value.load(ordering: .relaxed) } }
    }

    /// Waits up to the settings' limit for the first records; then reads until the batch is full or awaited.
    private static func read(
        _ reader: any Reader, _ settings: CatalogueSettings, until isAwaited: () -> Bool
    ) async throws -> ManifestBatch {
        var batch = ManifestBatch()
        for delivery in try await reader.poll(limit: settings.maxBatchCount, wait: settings.maxWait) {
            batch.add(delivery)
        }
        while batch.count > 0, batch.count < settings.maxBatchCount, !isAwaited(), !Task.isCancelled {
            // The reader does not deliver records twice, so an error must not drop this batch. The next poll throws it
            // again.
            guard
                let more = try? await reader.poll(limit: settings.maxBatchCount - batch.count, wait: .milliseconds(20))
            else { break }
            for delivery in more { batch.add(delivery) }
        }
        return batch
    }

    /// The batch. If the calling task is cancelled, the records read so far.
    var batch: ManifestBatch {
        get async throws {
            isAwaited.value.store(true, ordering: .relaxed)
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// Drops the batch, and returns when the reader is no longer used.
    func cancel() async {
        task.cancel()
        _ = await task.result
    }
}

private final class AwaitedFlag: Sendable {
    let value = Atomic(false)
}
