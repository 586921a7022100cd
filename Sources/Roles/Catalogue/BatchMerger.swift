internal import Broker
internal import Clock
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PhotoTree
internal import Records
internal import Selection
internal import Storage
internal import Telemetry

/// Merges batches of manifests into the library. The process may die after any step:
///
/// 1. One transaction writes the rows of all manifests, the names of links to update, the sources to remove, the
///    offsets, and the results for the coordinator. A batch that was not committed is read again.
/// 2. The links in `photos/` are updated. Their names stay pending until the next transaction.
/// 3. Sources whose removal the coordinator confirmed, in a separate transaction, are removed. The next transaction
///    deletes their entries.
///
/// `recover` repeats steps 2 and 3. The cataloguer publishes the results after each merge and at its start; see
/// ``ResultTable``.
final class BatchMerger {
    private let store: LibraryStore
    private let topic: ConsumedTopic
    private let remover: SourceRemover
    private let merger: ManifestMerger
    private let log: Logger
    private let onStep: (MergeStep) throws -> Void
    private let mergesTogether: Bool
    /// Number of the last result that is durable in its topic and may still be in its table; 0 for none.
    private(set) var publishedResult: Int64 = 0
    /// The highest precedence in the library; nil before the first batch.
    private var highestPrecedence: Int64?
    /// Completed removals whose entries are still in the library.
    private var finishedRemovals: [SourceRemoval] = []
    private var postponedRemovals = PostponedRemovals()

    /// - Parameter mergesTogether: false merges manifests one by one; tests compare the two.
    init(
        store: LibraryStore, topic: ConsumedTopic, roots: Roots, log: Logger, mergesTogether: Bool = true,
        onStep: @escaping (MergeStep) throws -> Void
    ) {
        self.store = store
        self.mergesTogether = mergesTogether
        self.topic = topic
        let carrier = CompanionCarrier(store: store, roots: roots, log: log)
        remover = SourceRemover(store: store, roots: roots, carrier: carrier, log: log)
        merger = ManifestMerger(store: store, roots: roots, carrier: carrier, log: log, onStep: onStep)
        self.log = log
        self.onStep = onStep
    }

    /// Finishes the work of an interrupted run. Call it before the first batch.
    func recover() throws {
        try store.turn {
            _ = try updateLinks()
            try remove(try store.tables.removals.confirmed())
            try removeNotes()
        }
    }

    /// Shared libraries delete at once: the next transaction would also delete other cataloguers' pending entries.
    private func removeSharedNotes() throws {
        guard store.isShared else { return }
        try store.transaction { try deleteNotes() }
        notesDeleted()
    }

    /// Deletes the entries of finished steps when no batch follows.
    func removeNotes() throws {
        try store.turn {
            guard try !finishedRemovals.isEmpty || publishedResult > 0 || store.links.hasPending else { return }
            // Another process may have died before it updated its links.
            if store.isShared { _ = try updateLinks() }
            try store.transaction { try deleteNotes() }
            notesDeleted()
        }
    }

    private func notesDeleted() {
        finishedRemovals.removeAll()
        publishedResult = 0
    }

    // MARK: Results

    /// Unpublished records for the results topic, the oldest first.
    func unpublishedResults(limit: Int) throws -> [ResultTable.Entry] {
        try store.tables.results.next(after: publishedResult, limit: limit)
    }

    /// Marks the records up to a number as durable in the topic. The next transaction deletes them.
    func resultsPublished(through number: Int64) { publishedResult = max(publishedResult, number) }

    /// The library's position, as a record without results, for a coordinator that lost its ledger or is newer than the
    /// last result.
    func progress(_ consumed: [Int32: Int64]) throws -> JobResults {
        JobResults(
            results: [], cluster: topic.cluster, answered: consumed,
            highestPrecedence: try store.tables.results.highestPrecedence())
    }

    /// Merges the manifests, durably, and returns one result per manifest, in their order. `next` is the offset after
    /// the batch by partition, including records that are not manifests; `known` is a record of it by partition.
    func merge(
        _ manifests: [ManifestDelivery], next: [Int32: Int64], known: [Int32: KnownRecord] = [:]
    ) throws -> [ManifestMergeResult] {
        try store.turn {
            let results = try mergeInTurn(manifests, next: next, known: known)
            try removeSharedNotes()
            return results
        }
    }

    private func mergeInTurn(
        _ manifests: [ManifestDelivery], next: [Int32: Int64], known: [Int32: KnownRecord]
    ) throws -> [ManifestMergeResult] {
        if store.isShared { _ = try updateLinks() }
        // In a shared library a user may have chosen a revision meanwhile.
        let remembered = store.isShared ? nil : highestPrecedence
        let before = try remembered ?? store.tables.results.highestPrecedence()
        let highest = manifests.reduce(before) { max($0, $1.manifest.orderOfEdit) }
        let (outcomes, shownByRows) = try store.transaction {
            try deleteNotes()
            let (outcomes, shown) = try mergeAll(manifests)
            try store.tables.offsets.advance(topic, to: next, known: known)
            if highest > before { try store.tables.results.raisePrecedence(to: highest) }
            try store.tables.renderTimes.add(RenderTime.all(of: Self.newRenditions(manifests, outcomes)))
            try noteResults(manifests, outcomes, next: next, highest: highest)
            try onStep(.rowsWritten)
            return (outcomes, shown)
        }
        highestPrecedence = highest
        notesDeleted()
        try onStep(.committed)
        let occupied = try updateLinks(after: shownByRows)
        let isAsWritten = occupied.isEmpty ? shownByRows : nil
        let shown = try isAsWritten ?? store.assets.shownPhotos(of: manifests.compactMap(\.manifest.asset))
        return try zip(manifests, outcomes).map { delivery, outcome in
            try result(delivery, outcome, shown, occupied)
        }
    }

    /// Manifests that reuse photos of the library come last: the manifest that made a photo may be in the same batch,
    /// in another partition. Also returns what `photos/` shows of all, if they were merged together.
    private func mergeAll(_ manifests: [ManifestDelivery]) throws -> ([ManifestOutcome], ShownPhotos?) {
        var plain: [ManifestOutcome?] = manifests.map { _ in nil }
        var shown: ShownPhotos?
        if mergesTogether { (plain, shown) = try merger.merge(plain: manifests.map(\.manifest)) }
        var outcomes = plain.map { $0 ?? ManifestOutcome() }
        let isReuse = manifests.map { $0.manifest.reusedCount > 0 }
        let order = manifests.indices.filter { !isReuse[$0] } + manifests.indices.filter { isReuse[$0] }
        for index in order where plain[index] == nil {
            outcomes[index] = try merger.merge(manifests[index].manifest)
            if manifests[index].manifest.asset != nil { shown = nil }
        }
        return (outcomes, shown)
    }

    private static func newRenditions(_ manifests: [ManifestDelivery], _ outcomes: [ManifestOutcome]) -> [Rendition] {
        zip(manifests, outcomes).flatMap { delivery, outcome -> [Rendition] in
            guard case .completed(let made) = delivery.manifest.outcome else { return [] }
            return zip(made.renditions, outcome.frames).filter { $1.outcome == .merged(.added) }.map { $0.0 }
        }
    }

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
        for record in records { try store.tables.results.insert(record) }
    }

    /// Accepts the coordinator's confirmations of `move` jobs and removes their sources, durably; a removal that fails
    /// stays queued. `next` is the offset after the results by partition of the removals topic, `known` a record of it.
    func confirm(_ results: [JobResult], next: [Int32: Int64], known: [Int32: KnownRecord] = [:]) throws {
        try store.turn {
            try confirmInTurn(results, next: next, known: known)
            try removeSharedNotes()
        }
    }

    private func confirmInTurn(
        _ results: [JobResult], next: [Int32: Int64], known: [Int32: KnownRecord]
    ) throws {
        if store.isShared { _ = try updateLinks() }
        let topic = ConsumedTopic(cluster: topic.cluster, topic: Topics.removals)
        let removals = try store.transaction {
            try deleteNotes()
            try store.tables.offsets.advance(topic, to: next, known: known)
            return try results.compactMap { result -> SourceRemoval? in
                guard case .catalogued(let asset, _) = result.outcome else { return nil }
                return try store.tables.removals.confirm(result.file, asset: asset)
            }
        }
        notesDeleted()
        try remove(removals)
    }

    private func deleteNotes() throws {
        for removal in finishedRemovals { try store.tables.removals.remove(removal) }
        if publishedResult > 0 { try store.tables.results.remove(through: publishedResult) }
        try store.links.clearPending()
    }

    // MARK: After the commit

    /// - Returns: the names occupied by users' files.
    private func updateLinks(after shown: ShownPhotos? = nil) throws -> Set<RelativePath> {
        var occupied: Set<RelativePath> = []
        try store.links.updatePending(after: shown) { update in
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
        the file there was edited or is not Rawmill's. It is kept, and the photo gets another name. \
        `rawmill library verify --adopt-edits` keeps edited files as your own edits.
        """

    private func logRefusal(of path: RelativePath, _ cause: String) {
        let remedy = "Fix this, then run `rawmill library verify --repair`."
        log.error(.manifestRefused, [.photo: "\(path)", .message: "cannot be placed in photos/: \(cause). \(remedy)"])
    }

    private func remove(_ removals: [SourceRemoval]) throws {
        for removal in removals { try remove(removal, waited: nil) }
    }

    /// - Parameter pause: the previous wait; nil on the first try.
    private func remove(_ removal: SourceRemoval, waited pause: Duration?) throws {
        if try remover.remove(removal) {
            finishedRemovals.append(removal)
        } else {
            postponedRemovals.add(removal, after: pause)
        }
        try onStep(.sourceRemoved(removal))
    }

    /// Retries some postponed removals that are still wanted. Call it when no batch waits.
    func removePostponed(now: ContinuousClock.Instant = .now) throws {
        let due = postponedRemovals.takeDue(now: now)
        if due.isEmpty { return }
        try store.turn {
            for (removal, pause) in due where try store.tables.removals.isConfirmed(removal) {
                try remove(removal, waited: pause)
            }
        }
    }

    private func result(
        _ delivery: ManifestDelivery, _ outcome: ManifestOutcome, _ shown: ShownPhotos, _ occupied: Set<RelativePath>
    ) throws -> ManifestMergeResult {
        var renditions: [Rendition] = []
        if case .completed(let all) = delivery.manifest.outcome { renditions = all.renditions }
        let frames = try zip(renditions, outcome.frames).map { rendition, outcome in
            let photo = outcome.key.flatMap { key in
                shown.path(
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
        return store.acceptableNames(of: try merger.record(rendition)).first { occupied.contains($0) }
    }
}
