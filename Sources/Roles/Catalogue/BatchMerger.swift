internal import Broker
internal import Clock
internal import Jobs
internal import Library
internal import Manifests
internal import Records
internal import Storage
internal import Telemetry

/// Merges batches of manifests into the library. The process may die after any of these steps:
///
/// 1. One transaction writes the rows of every manifest, the names whose links have to follow, the sources to remove,
///    the offsets, and the results for the coordinator. Before its commit nothing has happened, and the batch is read
///    again.
/// 2. The links in `photos/` are made. The names that have to follow stay noted until the next transaction.
/// 3. Once the coordinator has confirmed that they are to be moved, in a transaction of its own, sources are removed. Their
///    notes are removed in the next transaction.
///
/// `recover` repeats what steps 2 and 3 may have left undone. The results are published by the cataloguer, after the
/// merge and again at its start; see ``ResultTable``.
final class BatchMerger {
    private let store: LibraryStore
    private let topic: ConsumedTopic
    private let remover: SourceRemover
    private let carrier: CompanionCarrier
    private let roots: Roots
    private let log: Logger
    private let onStep: (MergeStep) throws -> Void
    /// The number of the last result that is durable in its topic, and may still be in its table; 0 for none.
    private(set) var publishedResult: Int64 = 0
    /// The highest precedence in the library; nil before the first batch.
    private var highestPrecedence: Int64?
    /// Removals that are done and still noted.
    private var finishedRemovals: [SourceRemoval] = []
    /// Recipes and their records. A record's identity is a hash of text, and a run has few recipes for many
    /// renditions.
    private var recipes: [Recipe: RecipeRecord] = [:]

    init(
        store: LibraryStore, topic: ConsumedTopic, roots: Roots, log: Logger,
        onStep: @escaping (MergeStep) throws -> Void
    ) {
        self.store = store
        self.topic = topic
        let carrier = CompanionCarrier(store: store, roots: roots, log: log)
        self.carrier = carrier
        self.remover = SourceRemover(store: store, roots: roots, carrier: carrier, log: log)
        self.roots = roots
        self.log = log
        self.onStep = onStep
    }

    /// Finishes what an earlier run left undone. Call it before the first batch.
    func recover() throws {
        _ = try updateLinks()
        try remove(try store.removals.confirmed())
        try removeNotes()
    }

    /// Removes the notes of finished steps, if no batch comes to do it.
    func removeNotes() throws {
        guard try !finishedRemovals.isEmpty || publishedResult > 0 || store.links.hasPending else { return }
        try store.transaction { try deleteNotes() }
        notesDeleted()
    }

    private func notesDeleted() {
        finishedRemovals.removeAll()
        publishedResult = 0
    }

    // MARK: Results

    /// Records for the results topic that are not published yet, the oldest first.
    func unpublishedResults(limit: Int) throws -> [ResultTable.Entry] {
        try store.results.next(after: publishedResult, limit: limit)
    }

    /// Notes that the records up to a number are durable in the topic. The next transaction removes them.
    func resultsPublished(through number: Int64) { publishedResult = max(publishedResult, number) }

    /// How far the library is, as a record without results: for a coordinator that lost its ledger, or is newer than the
    /// last result.
    func progress(_ consumed: [Int32: Int64]) throws -> JobResults {
        JobResults(
            results: [], cluster: topic.cluster, answered: consumed,
            highestPrecedence: try store.results.highestPrecedence())
    }

    /// Merges the manifests. All of it is durable on return.
    ///
    /// - Parameter next: by partition, the offset after the batch, which includes records that are not manifests.
    /// - Returns: one result for each manifest, in their order.
    func merge(_ manifests: [ManifestDelivery], next: [Int32: Int64]) throws -> [ManifestMergeResult] {
        let known = try highestPrecedence ?? store.results.highestPrecedence()
        let highest = manifests.reduce(known) { max($0, $1.manifest.orderOfEdit) }
        let outcomes = try store.transaction {
            try deleteNotes()
            let outcomes = try manifests.map { try merge($0.manifest) }
            for (partition, offset) in next { try store.offsets.advance(topic, partition: partition, to: offset) }
            if highest > known { try store.results.raisePrecedence(to: highest) }
            try noteResults(manifests, outcomes, next: next, highest: highest)
            try onStep(.rowsWritten)
            return outcomes
        }
        highestPrecedence = highest
        notesDeleted()
        try onStep(.committed)
        let occupied = try updateLinks()
        return try zip(manifests, outcomes).map { delivery, outcome in try result(delivery, outcome, occupied) }
    }

    /// Writes what the coordinator will be told, within the transaction that makes it true.
    private func noteResults(
        _ manifests: [ManifestDelivery], _ outcomes: [ManifestOutcome], next: [Int32: Int64], highest: Int64
    ) throws {
        let results = zip(manifests, outcomes).map { delivery, outcome in
            JobResult(
                of: delivery.manifest, refusal: outcome.refusal.map { Refusal(code: $0.code, message: "\($0)") },
                traceparent: delivery.traceparent)
        }
        let records = JobResults(
            results: results, cluster: topic.cluster, answered: next, highestPrecedence: highest
        ).records()
        for record in records { try store.results.insert(record) }
    }

    /// Takes the coordinator's word that jobs were accepted with `move`, and removes their sources. All of it is durable on
    /// return, or noted for the next start.
    ///
    /// - Parameters:
    ///   - results: of the jobs, as the coordinator took them.
    ///   - next: by partition of the removals topic, the offset after them.
    func confirm(_ results: [JobResult], next: [Int32: Int64]) throws {
        let topic = ConsumedTopic(cluster: topic.cluster, topic: Topics.removals)
        let removals = try store.transaction {
            try deleteNotes()
            for (partition, offset) in next { try store.offsets.advance(topic, partition: partition, to: offset) }
            return try results.compactMap { result -> SourceRemoval? in
                guard case .catalogued(let asset, _) = result.outcome else { return nil }
                return try store.removals.confirm(result.file, asset: asset)
            }
        }
        notesDeleted()
        try remove(removals)
    }

    private func deleteNotes() throws {
        try store.links.clearPending()
        for removal in finishedRemovals { try store.removals.remove(removal) }
        if publishedResult > 0 { try store.results.remove(through: publishedResult) }
    }

    // MARK: After the commit

    /// - Returns: the names that people's files have.
    private func updateLinks() throws -> Set<RelativePath> {
        var occupied: Set<RelativePath> = []
        try store.links.updatePending { update in
            switch update {
            case .linked, .removed, .kept: break
            case .occupied(let path):
                occupied.insert(path)
                log.warning(.photoNameTaken, [.photo: "\(path)", .message: "\(Self.occupiedSentence)"])
            case .objectMissing(let path):
                log.error(.manifestRefused, [.photo: "\(path)", .message: "its object is missing"])
            case .refused(let path, let cause): logRefusal(of: path, cause)
            }
            try onStep(.linkUpdated(update))
        }
        try onStep(.linksDurable)
        return occupied
    }

    private static let occupiedSentence = """
        the file there was edited, or is not Rawmill's, and stays as it is: the photo gets another name beside it. \
        `rawmill library verify --adopt-edits` keeps edits as the photos' own.
        """

    private func logRefusal(of path: RelativePath, _ cause: String) {
        let remedy = "Put right what is in its way, then run `rawmill library verify --repair`."
        log.error(.manifestRefused, [.photo: "\(path)", .message: "not shown there: \(cause). \(remedy)"])
    }

    private func remove(_ removals: [SourceRemoval]) throws {
        for removal in removals {
            if try remover.remove(removal) { finishedRemovals.append(removal) }
            try onStep(.sourceRemoved(removal))
        }
    }

    // MARK: Rows

    private struct FrameOutcome {
        /// Nil for a refused rendition.
        let key: RenditionKey?
        let outcome: ManifestMergeResult.Frame.Outcome
    }

    private struct ManifestOutcome {
        var frames: [FrameOutcome] = []
        /// The first refusal of a rendition or a RAW's copy; nil if the library has all of it.
        var refusal: MergeRefusal?
    }

    private func merge(_ manifest: Manifest) throws -> ManifestOutcome {
        var outcome = ManifestOutcome()
        guard case .completed(let renditions) = manifest.outcome else { return outcome }
        for rendition in renditions {
            outcome.frames.append(try merge(rendition, of: manifest, refusal: &outcome.refusal))
        }
        if outcome.frames.contains(where: { $0.key != nil }), let asset = renditions.first?.asset {
            let source = manifest.source
            try store.merge(Sighting(raw: source.raw, photoBase: source.photoBase), of: asset, isGone: isGone)
        }
        if outcome.refusal == nil, manifest.originals != .reference,
            let asset = renditions.first?.originalCopy?.digest
        {
            try carrier.carry(manifest.source.raw.file, of: asset)
        }
        if outcome.refusal == nil, let removal = SourceRemoval(manifest), !isGone(removal.source) {
            try store.removals.insert(removal)
        }
        return outcome
    }

    /// True if a RAW is certainly not where it was: its root is here and holds something, and the file is not in it. The
    /// folder of a mount that is missing is empty.
    private func isGone(_ raw: FileStamp) -> Bool {
        guard let root = raw.file.root == .library ? store.root : roots[raw.file.root.text] else { return false }
        do { return try root.factsIfPresent(of: raw.file.path.bytes) == nil && root.hasEntries() } catch {
            return false
        }
    }

    /// - Parameter refusal: set if the rendition or the RAW's copy is refused, and none was before.
    private func merge(
        _ rendition: Rendition, of manifest: Manifest, refusal firstRefusal: inout MergeRefusal?
    ) throws -> FrameOutcome {
        var outcome: FrameOutcome?
        do {
            let record = try RenditionRecord(rendition, recipe: record(of: rendition.recipe))
            let merged = try store.merge(record, finished: manifest.orderOfEdit)
            let taken = FrameOutcome(key: merged.key, outcome: .merged(merged.change))
            outcome = taken
            if let copy = try OriginalCopy(rendition) { try store.merge(copy) }
            try onStep(.merged(merged.key))
            return taken
        } catch let refusal as MergeRefusal {
            firstRefusal = firstRefusal ?? refusal
            log(refusal, of: rendition, in: manifest)
            // A refused copy of the RAW does not undo the photo.
            return outcome ?? FrameOutcome(key: nil, outcome: .refused(refusal))
        }
    }

    private func record(of recipe: Recipe) -> RecipeRecord {
        if let known = recipes[recipe] { return known }
        if recipes.count >= 1000 { recipes.removeAll() }
        let record = RecipeRecord(recipe)
        recipes[recipe] = record
        return record
    }

    private func log(_ refusal: MergeRefusal, of rendition: Rendition, in manifest: Manifest) {
        // Bytes that were replaced are no loss, because the newer file has a manifest of its own.
        var level = Level.error
        if case .otherBytes = refusal { level = .info }
        log.log(
            level, .manifestRefused,
            [
                .job: "\(manifest.job)", .source: "\(manifest.source.raw.file)", .rendition: "\(rendition.key)",
                .worker: "\(manifest.worker)", .reason: "\(refusal.code)", .message: "\(refusal)",
            ])
    }

    private func result(
        _ delivery: ManifestDelivery, _ outcome: ManifestOutcome, _ occupied: Set<RelativePath>
    ) throws -> ManifestMergeResult {
        var renditions: [Rendition] = []
        if case .completed(let all) = delivery.manifest.outcome { renditions = all.renditions }
        let frames = try zip(renditions, outcome.frames).map { rendition, outcome in
            let photo = try outcome.key.flatMap { key in
                try store.assets.shownPath(
                    of: key, asset: rendition.asset, frame: rendition.frame, variant: rendition.recipe.variant,
                    for: delivery.manifest.source.raw.file)
            }
            return ManifestMergeResult.Frame(
                rendition: rendition, outcome: outcome.outcome, photo: photo,
                occupied: try occupiedName(of: rendition, occupied))
        }
        return ManifestMergeResult(
            manifest: delivery.manifest, position: delivery.position, traceparent: delivery.traceparent,
            frames: frames, refusal: outcome.refusal)
    }

    private func occupiedName(of rendition: Rendition, _ occupied: Set<RelativePath>) throws -> RelativePath? {
        if occupied.isEmpty { return nil }
        let record = try RenditionRecord(rendition, recipe: record(of: rendition.recipe))
        return store.acceptableNames(of: record).first { occupied.contains($0) }
    }
}

extension Manifest {
    /// What decides whether the photo or another edit of it is shown. A manifest of a version without precedence has only
    /// its worker's clock, which may be wrong: a time to come counts as now.
    fileprivate var orderOfEdit: Int64 {
        precedence > 0 ? precedence : min(finishedMilliseconds, WallClock.milliseconds)
    }
}

/// A moment at which a cataloguer can die.
enum MergeStep: Hashable {
    case merged(RenditionKey)
    case rowsWritten
    case committed
    case linkUpdated(LinkUpdate)
    case linksDurable
    case sourceRemoved(SourceRemoval)
    /// The results are durable in their topic, and still in the library.
    case resultsPublished
}
