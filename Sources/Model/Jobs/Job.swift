public import Digest

/// The jobs of one submission. Random, printed as hexadecimal.
public struct BatchID: Hashable, Sendable, CustomStringConvertible {
    public let bytes: [UInt8]

    /// Nil unless there are 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads what `description` writes; nil for anything else.
    public init?(hex: some StringProtocol) {
        guard let bytes = [UInt8](hex: hex) else { return nil }
        self.init(bytes: bytes)
    }

    public static func random() -> BatchID {
        var generator = SystemRandomNumberGenerator()
        return BatchID(unchecked: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    public var description: String { bytes.hex }
}

/// Interactive jobs overtake bulk ones.
public enum Lane: Hashable, Sendable, CaseIterable {
    case interactive, bulk
}

/// What becomes of the RAW when its photo is in the library.
public enum OriginalsPolicy: String, Hashable, Sendable, CaseIterable {
    /// It stays where it is and is referred to.
    case reference
    /// A copy, verified by hash, stands beside the photo.
    case copy
    /// As `copy`; then the source is removed.
    case move

    /// True where the library does not have yet what the other policy puts into it, or takes from the source's place.
    public func isLess(than other: OriginalsPolicy) -> Bool {
        switch (self, other) {
        case (.reference, .copy), (.reference, .move), (.copy, .move): true
        default: false
        }
    }
}

/// Render this source with this recipe.
public struct Job: Hashable, Sendable {
    public let batch: BatchID
    /// Counts fresh starts after `rawmill retry`, from 0.
    public let round: UInt32
    public let source: Source
    public let recipe: Recipe
    public let lane: Lane
    public let originals: OriginalsPolicy
    /// The oldest engine that may do it.
    public let engineNeeded: UInt32
    public let id: JobID

    public init(
        batch: BatchID, round: UInt32 = 0, source: Source, recipe: Recipe, lane: Lane = .bulk,
        originals: OriginalsPolicy = .reference, engineNeeded: UInt32 = Engine.version
    ) {
        self.batch = batch
        self.round = round
        self.source = source
        self.recipe = recipe
        self.lane = lane
        self.originals = originals
        self.engineNeeded = engineNeeded
        id = JobID(source: source.fingerprint, recipe: recipe.id)
    }
}

/// Derived from source and recipe, so that submitting twice is one job.
public struct JobID: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let digest: SHA256Value

    public init(digest: SHA256Value) { self.digest = digest }

    public init(source fingerprint: SHA256Value, recipe: SHA256Value) {
        var canonical = CanonicalBytes("rawmill.job.1")
        canonical.append(fingerprint.bytes)
        canonical.append(recipe.bytes)
        digest = canonical.digest
    }

    public var description: String { digest.description }
    public static func < (a: Self, b: Self) -> Bool { a.digest < b.digest }
}

/// The develop engine's version: raised whenever the same inputs give other pixels.
public enum Engine {
    public static let version: UInt32 = 5
}

/// Names an immutable rendition: the file `objects/ab/cd/<key>.jpg`.
public struct RenditionKey: Hashable, Sendable, CustomStringConvertible {
    public let digest: SHA256Value

    public init(digest: SHA256Value) { self.digest = digest }

    public init(asset: SHA256Value, frame: UInt32, recipe: SHA256Value, engine: UInt32) {
        var canonical = CanonicalBytes("rawmill.rendition.1")
        canonical.append(asset.bytes)
        canonical.append(UInt64(frame))
        canonical.append(recipe.bytes)
        canonical.append(UInt64(engine))
        digest = canonical.digest
    }

    public var description: String { digest.description }
}
