public import Broker
public import Jobs
public import Library
public import Manifests

/// A manifest that is in the library, durably, with what `photos/` shows of it.
public struct ManifestMergeResult: Hashable, Sendable {
    public struct Frame: Hashable, Sendable {
        public enum Outcome: Hashable, Sendable {
            case merged(RenditionMergeResult.Change)
            case refused(MergeRefusal)
        }

        public let rendition: Rendition
        public let outcome: Outcome
        /// Where its look is shown, below the library's folder; nil where a newer rendition of the look is shown.
        public let photo: RelativePath?
    }

    public let manifest: Manifest
    public let position: Position
    /// The trace context its record came with.
    public let traceparent: String?
    /// Empty for a job that failed.
    public let frames: [Frame]

    /// True where the library knew all of it.
    public var isRepeated: Bool { frames.allSatisfy { $0.outcome == .merged(.none) } }
}

/// Manifests that were merged by one transaction, those of one partition in its order.
public struct BatchMergeResult: Hashable, Sendable {
    public let manifests: [ManifestMergeResult]
    /// From the transaction's begin to the last link.
    public let time: Duration
}

/// What a cataloguer did since it began.
public struct CatalogueTotals: Hashable, Sendable {
    /// Records read.
    public internal(set) var manifests = 0
    /// Renditions that were new, and new bytes of known ones.
    public internal(set) var added = 0
    public internal(set) var replaced = 0
    /// Renditions that were in the library already.
    public internal(set) var repeated = 0
    /// Renditions that were not taken in.
    public internal(set) var refused = 0
    /// Manifests of jobs that failed.
    public internal(set) var failed = 0
    /// Records that are no manifests; they are dead letters now.
    public internal(set) var unreadable = 0

    mutating func count(_ merged: ManifestMergeResult) {
        if case .failed = merged.manifest.outcome { failed += 1 }
        for frame in merged.frames {
            switch frame.outcome {
            case .merged(.added): added += 1
            case .merged(.replaced): replaced += 1
            case .merged(.none): repeated += 1
            case .refused: refused += 1
            }
        }
    }
}

/// How far the cataloguer is.
public struct CatalogueProgress: Hashable, Sendable {
    /// By partition, the offset of the next record it will merge.
    public let consumed: [Int32: Int64]
    /// By partition, the offset the next record written will have.
    public let written: [Int32: Int64]

    /// Records written and not merged yet.
    public var lag: Int64 {
        written.reduce(0) { $0 + max(0, $1.value - (consumed[$1.key] ?? 0)) }
    }

    public var isCaughtUp: Bool { lag == 0 }
}
