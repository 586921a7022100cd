public import Broker
public import Jobs
public import Library
public import Manifests

/// What merging one manifest did. All of it is durable.
public struct ManifestMergeResult: Hashable, Sendable {
    /// What became of one rendition of the manifest.
    public struct Frame: Hashable, Sendable {
        /// Taken into the library, or refused.
        public enum Outcome: Hashable, Sendable {
            case merged(RenditionMergeResult.Change)
            case refused(MergeRefusal)
        }

        /// The rendition as the manifest has it.
        public let rendition: Rendition
        /// Taken into the library, or refused.
        public let outcome: Outcome
        /// The path below the library's folder at which `photos/` shows the rendition; nil if it shows a newer one of
        /// the look.
        public let photo: RelativePath?
        /// The name that the photo would have had, if a person's file has it and keeps it.
        public let occupied: RelativePath?
    }

    /// The manifest.
    public let manifest: Manifest
    /// Its record's position in the topic.
    public let position: Position
    /// The trace context in its record's headers.
    public let traceparent: String?
    /// One for each rendition; empty for a job that failed.
    public let frames: [Frame]
    /// Why the library has not all of it: the first refusal of a rendition or a RAW's copy. The job is open again then.
    public let refusal: MergeRefusal?

    /// True if the library has all of it now; also for a job that failed.
    public var isWhole: Bool { refusal == nil }

    /// True if the library had all of it already.
    public var isRepeated: Bool { frames.allSatisfy { $0.outcome == .merged(.none) } }
}

/// What one transaction merged. Manifests of one partition are in its order.
public struct BatchMergeResult: Hashable, Sendable {
    /// One result for each manifest.
    public let manifests: [ManifestMergeResult]
    /// From the begin of the transaction to the last link.
    public let time: Duration
}

/// What a cataloguer has done since it was created.
public struct CatalogueTotals: Hashable, Sendable {
    /// Records read.
    public internal(set) var manifests = 0
    /// Renditions that were new.
    public internal(set) var added = 0
    /// Renditions that the library had with other bytes.
    public internal(set) var replaced = 0
    /// Renditions that the library had already.
    public internal(set) var repeated = 0
    /// Renditions that were refused.
    public internal(set) var refused = 0
    /// Manifests of jobs that failed.
    public internal(set) var failed = 0
    /// Records that were not manifests; they are dead letters now.
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

/// How far a cataloguer is in the manifests topic.
public struct CatalogueProgress: Hashable, Sendable {
    /// By partition, the offset of the next record it will merge.
    public let consumed: [Int32: Int64]
    /// By partition, the offset that the next record written will get.
    public let written: [Int32: Int64]

    /// Records that are written and not merged yet, by partition.
    public var lags: [Int32: Int64] {
        Dictionary(
            uniqueKeysWithValues: written.map { partition, end in (partition, max(0, end - (consumed[partition] ?? 0)))
            })
    }

    /// Records that are written and not merged yet, of all partitions.
    public var lag: Int64 { lags.values.reduce(0, +) }

    /// True if every record is merged.
    public var isCaughtUp: Bool { lag == 0 }
}
