public import Digest
public import PictureFormat

/// Identifies the jobs of one submission. Random.
public struct BatchID: Hashable, Sendable, CustomStringConvertible {
    /// 16 bytes.
    public let bytes: [UInt8]

    /// Nil unless there are 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses a `description`; nil for other text.
    public init?(hex: some StringProtocol) {
        guard let bytes = [UInt8](hex: hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// A new random id.
    public static func random() -> BatchID {
        var generator = SystemRandomNumberGenerator()
        return BatchID(unchecked: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// 32 hexadecimal digits.
    public var description: String { bytes.hex }
}

/// The queue of a job. Interactive jobs overtake bulk ones.
public enum Lane: Hashable, Sendable, CaseIterable {
    case interactive, bulk
}

/// What happens to the RAW once its photo is in the library.
public enum OriginalsPolicy: String, Hashable, Sendable, CaseIterable {
    /// It stays in place and is referenced.
    case reference
    /// A copy, verified by hash, is stored beside the photo.
    case copy
    /// Like `copy`; then the source is removed.
    case move

    /// Whether the other policy does more with the RAW: move exceeds copy, and copy exceeds reference.
    public func isLess(than other: OriginalsPolicy) -> Bool {
        switch (self, other) {
        case (.reference, .copy), (.reference, .move), (.copy, .move): true
        default: false
        }
    }
}

/// The unit of work: render this source with this recipe.
public struct Job: Hashable, Sendable {
    /// The submission of the job.
    public let batch: BatchID
    /// The number of fresh starts by `rawmill retry`.
    public let round: UInt32
    /// The RAW and its companions.
    public let source: Source
    /// What decides the pixels.
    public let recipe: Recipe
    /// Whether it overtakes bulk jobs.
    public let lane: Lane
    /// What happens to the RAW.
    public let originals: OriginalsPolicy
    /// The oldest engine that may render it.
    public let engineNeeded: UInt32
    /// Of two edits of a photo, the one with the higher precedence is shown. The ledger counts it, so that no worker's
    /// clock decides. 0 if an old version wrote the job.
    public let precedence: Int64
    /// Whether the job must not reuse a photo in the library's folder: an earlier attempt failed or was refused.
    public var rendersAnew: Bool
    /// Rendered but not shown in `photos/`: an edit is shown once all its photos are rendered. If the job already
    /// belongs to another order, the value of that order counts.
    public let isHeld: Bool
    /// Derived from source and recipe.
    public let id: JobID

    /// Memberwise initializer; derives `id`.
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

/// A job's id. It is derived from source and recipe, so a second submission yields the same job.
public struct JobID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The id as a SHA-256.
    public let digest: SHA256Value

    /// Memberwise initializer.
    public init(digest: SHA256Value) { self.digest = digest }

    /// Derives the id from a source's fingerprint and a recipe's id.
    public init(source fingerprint: SHA256Value, recipe: SHA256Value) {
        var canonical = CanonicalBytes("rawmill.job.1")
        canonical.append(fingerprint.bytes)
        canonical.append(recipe.bytes)
        digest = canonical.digest
    }

    /// 64 hexadecimal digits.
    public var description: String { digest.description }
    /// Orders by digest.
    public static func < (a: Self, b: Self) -> Bool { a.digest < b.digest }
}

/// The develop engine's version. It increases whenever the same inputs yield other pixels.
public enum Engine {
    /// A part of every rendition's key.
    public static let version: UInt32 = 6

    /// The last release with an engine version; nil if it was never released.
    public static func release(of version: UInt32) -> String? { version == 5 ? "0.1.0" : nil }
}

/// Identifies an immutable rendition: the file `objects/ab/cd/<key>.jpg`, or another extension for other formats.
public struct RenditionKey: Hashable, Sendable, CustomStringConvertible {
    /// The key as a SHA-256, different for any two renditions, including their formats.
    public let digest: SHA256Value
    /// The file format. It follows from the recipe, and so from the digest, but cannot be derived from the digest.
    public let format: PhotoFormat

    /// Memberwise initializer.
    public init(digest: SHA256Value, format: PhotoFormat) {
        self.digest = digest
        self.format = format
    }

    /// Derives the key from the RAW's SHA-256, the frame's number from 0, the recipe's id and format, and the engine's
    /// version.
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
    /// The formats by the byte that follows the digest; JPEG has none.
    private static let formats: [UInt8: PhotoFormat] = [1: .tiff, 2: .png, 3: .avif, 4: .jxl]

    /// The digest, followed by a byte for any format but JPEG. Databases store this.
    public var bytes: [UInt8] {
        digest.bytes + Self.formats.filter { $0.value == format }.keys
    }

    /// Nil for bytes that are not a key.
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
