public import Broker
public import Jobs
public import LibraryTables
public import Manifests
public import PhotoTree

/// Result of merging one manifest. All of it is durable.
public struct ManifestMergeResult: Hashable, Sendable {
    /// Result for one rendition of the manifest.
    public struct Frame: Hashable, Sendable {
        /// Merged into the library, or refused.
        public enum Outcome: Hashable, Sendable {
            case merged(RenditionMergeResult.Change)
            case refused(MergeRefusal)
        }

        /// The rendition in the manifest.
        public let rendition: Rendition
        /// Merged into the library, or refused.
        public let outcome: Outcome
        /// Path of the rendition's photo, below the library's folder; nil if `photos/` shows a newer one of the look.
        public let photo: RelativePath?
        /// The photo's preferred name, if a user's file occupies it.
        public let occupied: RelativePath?
    }

    /// The merged manifest.
    public let manifest: Manifest
    /// Position of its record in the topic.
    public let position: Position
    /// Trace context in its record's headers.
    public let traceparent: String?
    /// One for each rendition; empty for a failed job.
    public let frames: [Frame]
    /// First refusal of a rendition or a RAW's copy; nil if there was none. A refusal reopens the job.
    public let refusal: MergeRefusal?

    /// Whether the library has all of it now; also true for a failed job.
    public var isWhole: Bool { refusal == nil }

    /// Whether the library already had all of it.
    public var isRepeated: Bool { frames.allSatisfy { $0.outcome == .merged(.none) } }
}

/// Result of one transaction. Manifests of one partition are in its order.
public struct BatchMergeResult: Hashable, Sendable {
    /// One result for each manifest.
    public let manifests: [ManifestMergeResult]
    /// From the start of the transaction to the last link.
    public let time: Duration
}

/// Counts since a cataloguer was created.
public struct CatalogueTotals: Hashable, Sendable {
    /// Records read.
    public internal(set) var manifests = 0
    /// New renditions.
    public internal(set) var added = 0
    /// Renditions that replaced other bytes in the library.
    public internal(set) var replaced = 0
    /// Renditions already in the library.
    public internal(set) var repeated = 0
    /// Refused renditions.
    public internal(set) var refused = 0
    /// Manifests of failed jobs.
    public internal(set) var failed = 0
    /// Records that are not manifests; they became dead letters.
    public internal(set) var unreadable = 0

    mutating func count(_ result: ManifestMergeResult) {
        if case .failed = result.manifest.outcome { failed += 1 }
        for frame in result.frames {
            switch frame.outcome {
            case .merged(.added): added += 1
            case .merged(.replaced): replaced += 1
            case .merged(.none): repeated += 1
            case .refused: refused += 1
            }
        }
    }
}

/// A cataloguer's position in the manifests topic.
public struct CatalogueProgress: Hashable, Sendable {
    /// By partition, the offset of the next record to merge.
    public let consumed: [Int32: Int64]
    /// By partition, the offset that the next written record gets.
    public let written: [Int32: Int64]

    /// Records not merged yet, by partition.
    public var lags: [Int32: Int64] {
        Dictionary(
            uniqueKeysWithValues: written.map { partition, end in (partition, max(0, end - (consumed[partition] ?? 0)))
            })
    }

    /// Records not merged yet, in all partitions.
    public var lag: Int64 { lags.values.reduce(0, +) }

    /// Whether every record is merged.
    public var isCaughtUp: Bool { lag == 0 }
}
