internal import Broker
internal import Jobs
internal import Library
internal import Manifests
internal import Storage
internal import Telemetry

/// Merges batches of manifests into the library. In steps, each of which may be the last:
///
/// 1. One transaction: the rows of every manifest, the names whose links have to follow, the sources to remove, and
///    the offsets. Before its commit nothing happened; the batch is read again.
/// 2. The links in `photos/`. The notes of what has to follow are in the database until the next transaction.
/// 3. Sources that were moved are removed. So are their notes, in the next transaction.
///
/// `recover` does again what steps 2 and 3 may have left undone.
final class BatchMerger {
    let store: LibraryStore
    private let topic: ConsumedTopic
    private let remover: SourceRemover
    private let log: Logger
    private let onStep: (MergeStep) throws -> Void
    private var done: [SourceRemoval] = []
    /// A recipe's identity is the hash of a text; a run has few recipes and many renditions.
    private var recipes: [Recipe: RecipeRecord] = [:]

    init(
        store: LibraryStore, topic: ConsumedTopic, roots: Roots, log: Logger,
        onStep: @escaping (MergeStep) throws -> Void
    ) {
        self.store = store
        self.topic = topic
        self.remover = SourceRemover(store: store, roots: roots, log: log)
        self.log = log
        self.onStep = onStep
    }

    /// Finishes what an earlier run left: before the first batch.
    func recover() throws {
        try settle()
        try remove(try store.removals())
        try rest()
    }

    /// Takes the notes of finished steps away, when no batch comes to do it.
    func rest() throws {
        guard try !done.isEmpty || store.hasUnsettledNames else { return }
        try store.transaction { try clearNotes() }
        done.removeAll()
    }

    /// Merges the manifests, and says for each what became of it, in their order. All of it is durable on return.
    ///
    /// - Parameter next: by partition, the offset after the batch, records that are no manifests included.
    func merge(_ manifests: [ManifestDelivery], next: [Int32: Int64]) throws -> [ManifestMergeResult] {
        var removals: [SourceRemoval] = []
        let outcomes = try store.transaction {
            try clearNotes()
            removals.removeAll()
            let outcomes = try manifests.map { try merge($0.manifest, removals: &removals) }
            for (partition, offset) in next { try store.advance(topic, partition: partition, to: offset) }
            try onStep(.rowsWritten)
            return outcomes
        }
        done.removeAll()
        try onStep(.committed)
        try settle()
        try remove(removals)
        return try zip(manifests, outcomes).map { read, outcomes in try merged(read, outcomes) }
    }

    private func clearNotes() throws {
        try store.markSettled()
        for removal in done { try store.forget(removal) }
    }

    private func settle() throws {
        try store.settle { name in
            switch name {
            case .linked, .removed: break
            case .objectMissing(let path):
                log.error(.manifestRefused, [.photo: "\(path)", .message: "its object is missing"])
            case .refused(let path, let cause): tellRefused(path, cause)
            }
            try onStep(.settled(name))
        }
        try onStep(.linksDurable)
    }

    private func tellRefused(_ path: RelativePath, _ cause: String) {
        let remedy = "Put right what is in its way, then run `rawmill library verify --repair`."
        log.error(.manifestRefused, [.photo: "\(path)", .message: "not shown there: \(cause). \(remedy)"])
    }

    private func remove(_ removals: [SourceRemoval]) throws {
        for removal in removals {
            if try remover.remove(removal) { done.append(removal) }
            try onStep(.removed(removal))
        }
    }

    private func merge(
        _ manifest: Manifest, removals: inout [SourceRemoval]
    ) throws -> [FrameOutcome] {
        guard case .completed(let renditions) = manifest.outcome else { return [] }
        var isWhole = true
        let outcomes = try renditions.map { rendition in
            try merge(rendition, of: manifest, isWhole: &isWhole)
        }
        if isWhole, let removal = SourceRemoval(manifest) {
            try store.note(removal)
            removals.append(removal)
        }
        return outcomes
    }

    private struct FrameOutcome {
        let key: RenditionKey?
        let outcome: ManifestMergeResult.Frame.Outcome
    }

    private func recipe(_ recipe: Recipe) -> RecipeRecord {
        if let known = recipes[recipe] { return known }
        if recipes.count >= 1000 { recipes.removeAll() }
        let record = RecipeRecord(recipe)
        recipes[recipe] = record
        return record
    }

    /// - Parameter isWhole: set to false where the rendition or the RAW's copy is not in the library after this.
    private func merge(
        _ rendition: Rendition, of manifest: Manifest, isWhole: inout Bool
    ) throws -> FrameOutcome {
        var outcome: FrameOutcome?
        do {
            let record = try RenditionRecord(rendition, recipe: recipe(rendition.recipe))
            let merged = try store.merge(record, finished: manifest.finishedMilliseconds)
            let taken = FrameOutcome(key: merged.key, outcome: .merged(merged.change))
            outcome = taken
            if let copy = try OriginalCopy(rendition) { try store.merge(copy) }
            try onStep(.merged(merged.key))
            return taken
        } catch let refusal as MergeRefusal {
            isWhole = false
            refuse(rendition, of: manifest, refusal)
            // A refused copy of the RAW does not undo the photo.
            return outcome ?? FrameOutcome(key: nil, outcome: .refused(refusal))
        }
    }

    private func refuse(_ rendition: Rendition, of manifest: Manifest, _ refusal: MergeRefusal) {
        // Bytes that were replaced since are nobody's loss: the newer file has a manifest of its own.
        var level = Level.error
        if case .otherBytes = refusal { level = .info }
        log.log(
            level, .manifestRefused,
            [
                .job: "\(manifest.job)", .source: "\(manifest.source.raw.file)", .rendition: "\(rendition.key)",
                .message: "\(refusal)",
            ])
    }

    private func merged(_ read: ManifestDelivery, _ outcomes: [FrameOutcome]) throws -> ManifestMergeResult {
        var renditions: [Rendition] = []
        if case .completed(let all) = read.manifest.outcome { renditions = all }
        let frames = try zip(renditions, outcomes).map { rendition, outcome in
            let photo = try outcome.key.flatMap { key in
                try store.shownPath(
                    of: key, asset: rendition.asset, frame: rendition.frame, look: rendition.recipe.look.name)
            }
            return ManifestMergeResult.Frame(rendition: rendition, outcome: outcome.outcome, photo: photo)
        }
        return ManifestMergeResult(
            manifest: read.manifest, position: read.position, traceparent: read.traceparent, frames: frames)
    }
}

/// A manifest and where it stood.
struct ManifestDelivery {
    let manifest: Manifest
    let position: Position
    var traceparent: String?
}

/// A moment at which a cataloguer can die.
enum MergeStep: Hashable {
    case merged(RenditionKey)
    case rowsWritten
    case committed
    case settled(LinkUpdate)
    case linksDurable
    case removed(SourceRemoval)
}
