internal import Broker
internal import Manifests
internal import Records
internal import Synchronization

/// Records that will be merged together, read.
struct ManifestBatch: Sendable {
    private(set) var manifests: [ManifestDelivery] = []
    /// What is no manifest.
    private(set) var refused: [(delivery: Delivery, error: RecordError)] = []
    /// By partition, the offset after its last record here.
    private(set) var next: [Int32: Int64] = [:]

    var count: Int { manifests.count + refused.count }

    mutating func add(_ delivery: Delivery) {
        next[delivery.position.partition.partition] = delivery.position.offset + 1
        do throws(RecordError) {
            manifests.append(
                ManifestDelivery(
                    manifest: try Manifest(record: delivery.record.value ?? []), position: delivery.position,
                    traceparent: delivery.record.text(of: JobHeader.traceparent)))
        } catch {
            refused.append((delivery, error))
        }
    }
}

/// The next batch, gathered beside the merging of the one before it.
struct BatchPrefetch: Sendable {
    private let isAwaited = AwaitedFlag()
    private let task: Task<ManifestBatch, any Error>

    init(_ reader: any Reader, _ settings: CatalogueSettings) {
        let isAwaited = isAwaited
        task = Task { try await Self.gather(reader, settings) { isAwaited.value.load(ordering: .relaxed) } }
    }

    /// Waits for the first records as long as the settings say; then gathers until the batch is full, or awaited.
    private static func gather(
        _ reader: any Reader, _ settings: CatalogueSettings, until isAwaited: () -> Bool
    ) async throws -> ManifestBatch {
        var batch = ManifestBatch()
        for delivery in try await reader.poll(limit: settings.batch, wait: settings.wait) { batch.add(delivery) }
        while batch.count > 0, batch.count < settings.batch, !isAwaited(), !Task.isCancelled {
            // The reader is past what it handed out: trouble does not lose that, and comes again at the next poll.
            guard let more = try? await reader.poll(limit: settings.batch - batch.count, wait: .milliseconds(20))
            else { break }
            for delivery in more { batch.add(delivery) }
        }
        return batch
    }

    /// Where the task that asks is cancelled, what was gathered until then.
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

    /// Lets go of what was gathered, and returns when the reader is not used any more.
    func cancel() async {
        task.cancel()
        _ = await task.result
    }
}

private final class AwaitedFlag: Sendable {
    let value = Atomic(false)
}
