public import Digest
public import PictureFormat

/// The jobs of one submission. Random, printed as hexadecimal.
public struct BatchID: Hashable, Sendable, CustomStringConvertible {
    /// 16 bytes.
    public let bytes: [UInt8]

    /// Nil unless there are 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses what `description` writes; nil for anything else.
    public init?(hex: some StringProtocol) {
        guard let bytes = [UInt8](hex: hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// A new id.
    public static func random() -> BatchID {
        var generator = SystemRandomNumberGenerator()
        return BatchID(unchecked: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// 32 hexadecimal digits.
    public var description: String { bytes.hex }
}

/// Which queue a job goes through. Interactive jobs overtake bulk ones.
public enum Lane: Hashable, Sendable, CaseIterable {
    case interactive, bulk
}

/// What becomes of the RAW when its photo is in the library.
public enum OriginalsPolicy: String, Hashable, Sendable, CaseIterable {
    /// It stays where it is and is referred to.
    case reference
    /// A copy, verified by hash, is put beside the photo.
    case copy
    /// As `copy`; then the source is removed.
    case move

    /// True where the other policy does more with the RAW: copies it where this one leaves it, or moves it where this one
    /// leaves or copies it.
    public func isLess(than other: OriginalsPolicy) -> Bool {
        switch (self, other) {
        case (.reference, .copy), (.reference, .move), (.copy, .move): true
        default: false
        }
    }
}

/// One unit of work: render this source with this recipe.
public struct Job: Hashable, Sendable {
    /// The submission it belongs to.
    public let batch: BatchID
    /// Counts fresh starts after `rawmill retry`, from 0.
    public let round: UInt32
    /// The RAW and the files beside it.
    public let source: Source
    /// What decides the pixels.
    public let recipe: Recipe
    /// Whether it overtakes bulk jobs.
    public let lane: Lane
    /// What becomes of the RAW.
    public let originals: OriginalsPolicy
    /// The oldest engine that may render it.
    public let engineNeeded: UInt32
    /// Of two edits of a photo the one with the higher precedence is shown. The ledger counts it, so that no worker's
    /// clock decides; 0 is from a version that did not.
    public let precedence: Int64
    /// True if no photo that is in the library's folder may be taken for this job's: an earlier attempt failed or was
    /// refused.
    public var rendersAnew: Bool
    /// True if `photos/` is not to show the photo until a person chooses it: an edit is shown when all of it is rendered. Where
    /// another order asked for the same photo, that one counts.
    public let isHeld: Bool
    /// Derived from source and recipe.
    public let id: JobID

    /// - Parameters:
    /// - batch: the submission it belongs to.
    /// - round: fresh starts so far.
    /// - source: the RAW and the files beside it.
    /// - recipe: what decides the pixels.
    /// - lane: whether it overtakes bulk jobs.
    /// - originals: what becomes of the RAW.
    /// - engineNeeded: the oldest engine that may render it.
    /// - precedence: that of its edit among the photo's edits.
    /// - rendersAnew: whether no photo in the library's folder may be taken for this job's.
    /// - isHeld: whether its photo waits to be chosen.
    public init(
        batch: BatchID, round: UInt32 = 0, source: Source, recipe: Recipe, lane: Lane = .bulk,
        originals: OriginalsPolicy = .reference, engineNeeded: UInt32 = Engine.version, precedence: Int64 = 0,
        rendersAnew: Bool = false, isHeld: Bool = false
    ) {
        self.batch = batch
        self.round = round
        self.source = source
        self.recipe = recipe
        self.lane = lane
        self.originals = originals
        self.engineNeeded = engineNeeded
        self.precedence = precedence
        self.rendersAnew = rendersAnew
        self.isHeld = isHeld
        id = JobID(source: source.fingerprint, recipe: recipe.id)
    }
}

/// A job's id, derived from source and recipe, so that submitting twice is one job.
public struct JobID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The id as a SHA-256.
    public let digest: SHA256Value

    /// - Parameter digest: the id as a SHA-256.
    public init(digest: SHA256Value) { self.digest = digest }

    /// - Parameters:
    /// - fingerprint: of the source.
    /// - recipe: the recipe's id.
    public init(source fingerprint: SHA256Value, recipe: SHA256Value) {
        var canonical = CanonicalBytes("rawmill.job.1")
        canonical.append(fingerprint.bytes)
        canonical.append(recipe.bytes)
        digest = canonical.digest
    }

    /// 64 hexadecimal digits.
    public var description: String { digest.description }
    /// In the order of the digests.
    public static func < (a: Self, b: Self) -> Bool { a.digest < b.digest }
}

/// The develop engine's version. It is raised whenever the same inputs give other pixels.
public enum Engine {
    /// Part of every rendition's key.
    public static let version: UInt32 = 6

    /// The last release with an engine; nil for one that none had.
    public static func release(of version: UInt32) -> String? { version == 5 ? "0.1.0" : nil }
}

/// Names an immutable rendition: the file `objects/ab/cd/<key>.jpg`, or with another format's extension.
public struct RenditionKey: Hashable, Sendable, CustomStringConvertible {
    /// The key as a SHA-256. No two renditions share one, whatever their formats.
    public let digest: SHA256Value
    /// The kind of file. It follows from the recipe, and so from the digest; but not the other way round.
    public let format: PhotoFormat

    /// - Parameters:
    ///   - digest: the key as a SHA-256.
    ///   - format: the kind of file.
    public init(digest: SHA256Value, format: PhotoFormat) {
        self.digest = digest
        self.format = format
    }

    /// - Parameters:
    /// - asset: SHA-256 of the RAW.
    /// - frame: from 0.
    /// - recipe: the recipe's id.
    /// - engine: version of the develop engine.
    /// - format: the recipe's.
    public init(asset: SHA256Value, frame: UInt32, recipe: SHA256Value, engine: UInt32, format: PhotoFormat) {
        self.format = format
        var canonical = CanonicalBytes("rawmill.rendition.1")
        canonical.append(asset.bytes)
        canonical.append(UInt64(frame))
        canonical.append(recipe.bytes)
        canonical.append(UInt64(engine))
        digest = canonical.digest
    }

    /// 64 hexadecimal digits, as in the file's name.
    public var description: String { digest.description }
}

extension RenditionKey {
    /// The formats by the byte that stands for them after a key; JPEG has none.
    private static let formats: [UInt8: PhotoFormat] = [1: .tiff, 2: .png, 3: .avif, 4: .jxl]

    /// The digest, and for any format but JPEG a byte for it: how databases keep a key.
    public var bytes: [UInt8] {
        digest.bytes + Self.formats.filter { $0.value == format }.keys
    }

    /// Nil for bytes that are no key.
    public init?(bytes: [UInt8]) {
        let count = 32
        guard let digest = SHA256Value(bytes: Array(bytes.prefix(count))) else { return nil }
        switch bytes.count {
        case count: self.init(digest: digest, format: .jpeg)
        case count + 1:
            guard let format = Self.formats[bytes[count]] else { return nil }
            self.init(digest: digest, format: format)
        default: return nil
        }
    }
}
