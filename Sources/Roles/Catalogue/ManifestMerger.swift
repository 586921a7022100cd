internal import Clock
internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import Memory
internal import PhotoTree
internal import Storage
internal import Telemetry
internal import Upkeep

/// Writes the rows of one manifest: its renditions, the path of the RAW, the RAW's copy and companions, and the request
/// to remove the RAW.
final class ManifestMerger {
    private let store: LibraryStore
    private let recognition: RootRecognition
    private let carrier: CompanionCarrier
    private let log: Logger
    private let onStep: (MergeStep) throws -> Void
    /// Hashing a recipe for its identity is slow, and a run has few recipes for many renditions.
    private var recipes = BoundedCache<Recipe, RecipeRecord>(maxCount: 1000)

    init(
        store: LibraryStore, roots: Roots, carrier: CompanionCarrier, log: Logger,
        onStep: @escaping (MergeStep) throws -> Void
    ) {
        self.store = store
        recognition = RootRecognition(store: store, roots: roots)
        self.carrier = carrier
        self.log = log
        self.onStep = onStep
    }

    /// Merges a manifest's renditions within the batch's transaction. Refusals are logged.
    func merge(_ manifest: Manifest) throws -> ManifestOutcome {
        var outcome = ManifestOutcome()
        guard case .completed(let renditions) = manifest.outcome else { return outcome }
        for rendition in renditions {
            outcome.frames.append(try merge(rendition, of: manifest, refusal: &outcome.refusal))
        }
        if outcome.frames.contains(where: { $0.key != nil }), let asset = renditions.first?.asset {
            let source = manifest.source
            try store.merge(Sighting(raw: source.raw, photoBase: source.photoBase), of: asset) { raw in
                try recognition.isGone(raw, present: source.raw)
            }
        }
        if outcome.refusal == nil, manifest.originals != .reference,
            let asset = renditions.first?.originalCopy?.digest
        {
            try carrier.carry(manifest.source.raw.file, of: asset)
        }
        if outcome.refusal == nil, let removal = SourceRemoval(manifest), try !recognition.isGone(removal.source) {
            try store.tables.removals.insert(removal)
        }
        return outcome
    }

    /// Merges the manifests that need no conflict handling, within the batch's transaction. The outcome of a manifest
    /// is nil if it must be merged separately, afterwards. Also returns what `photos/` shows of their assets.
    func merge(plain manifests: [Manifest]) throws -> (outcomes: [ManifestOutcome?], shown: ShownPhotos) {
        let (results, shown) = try store.merge(plain: manifests.map(candidate))
        for result in results { if let result { try onStep(.merged(result.key)) } }
        let outcomes = results.map { result in
            result.map { result in
                var outcome = ManifestOutcome()
                outcome.frames = [.init(key: result.key, outcome: .merged(result.change))]
                return outcome
            }
        }
        return (outcomes, shown)
    }

    private func candidate(_ manifest: Manifest) -> PlainMergeCandidate {
        guard let asset = manifest.asset, manifest.reusedCount == 0 else { return .none }
        guard case .completed(let renditions) = manifest.outcome, renditions.count == 1,
            let rendition = renditions.first, rendition.originalCopy == nil, manifest.originals == .reference,
            !manifest.isHeld, let record = try? record(rendition)
        else { return .other(asset) }
        let source = manifest.source
        return .item(
            PlainMergeItem(
                record: record, finished: manifest.orderOfEdit,
                sighting: Sighting(raw: source.raw, photoBase: source.photoBase)))
    }

    /// - Parameter refusal: set to the first refusal of a rendition or a RAW's copy.
    private func merge(
        _ rendition: Rendition, of manifest: Manifest, refusal firstRefusal: inout MergeRefusal?
    ) throws -> ManifestOutcome.Frame {
        var outcome: ManifestOutcome.Frame?
        do {
            let record = try record(rendition)
            let merged = try store.merge(
                record, finished: manifest.orderOfEdit, isHeld: manifest.isHeld, reused: rendition.reused)
            let taken = ManifestOutcome.Frame(key: merged.key, outcome: .merged(merged.change))
            outcome = taken
            if let copy = try OriginalCopy(rendition) { try store.merge(copy) }
            try onStep(.merged(merged.key))
            return taken
        } catch let refusal as MergeRefusal {
            firstRefusal = firstRefusal ?? refusal
            log(refusal, of: rendition, in: manifest)
            // A refused copy of the RAW does not undo the photo.
            return outcome ?? ManifestOutcome.Frame(key: nil, outcome: .refused(refusal))
        }
    }

    /// The row of a rendition. Throws `MergeRefusal` for a misplaced file.
    func record(_ rendition: Rendition) throws -> RenditionRecord {
        try RenditionRecord(rendition, recipe: record(of: rendition.recipe))
    }

    private func record(of recipe: Recipe) -> RecipeRecord {
        recipes.value(of: recipe) { RecipeRecord(recipe) }
    }

    private func log(_ refusal: MergeRefusal, of rendition: Rendition, in manifest: Manifest) {
        log.log(
            refusal.level, .manifestRefused,
            [
                .job: "\(manifest.job)", .source: "\(manifest.source.raw.file)", .rendition: "\(rendition.key)",
                .worker: "\(manifest.worker)", .reason: "\(refusal.code)", .message: "\(refusal)",
            ])
    }
}

extension MergeRefusal {
    /// Replaced bytes are not lost, because the newer file has its own manifest; a photo without a record is rendered
    /// again.
    var level: Level {
        switch self {
        case .otherBytes, .unrecordedPhoto: .info
        case .unprovenPhoto: .warning
        case .misplacedFile, .copyIsNotTheAsset, .missingFile: .error
        }
    }
}

struct ManifestOutcome {
    struct Frame {
        let key: RenditionKey?
        let outcome: ManifestMergeResult.Frame.Outcome
    }

    var frames: [Frame] = []
    /// First refusal of a rendition or a RAW's copy; nil if the library has all of it.
    var refusal: MergeRefusal?
}

extension Manifest {
    /// The asset of the renditions; nil for a failed job.
    var asset: SHA256Value? {
        guard case .completed(let renditions) = outcome else { return nil }
        return renditions.first?.asset
    }

    /// Decides which edit of a photo is shown. Manifests without precedence have only their worker's clock, which may
    /// be wrong: a future time counts as now.
    var orderOfEdit: Int64 {
        precedence > 0 ? precedence : min(finishedMilliseconds, WallClock.milliseconds)
    }
}
