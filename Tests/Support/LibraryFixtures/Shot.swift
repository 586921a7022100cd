public import Digest
internal import Foundation
public import Jobs
public import LibraryTables
public import Manifests
public import Storage

/// One frame of a RAW, and how it is rendered.
public struct Shot: Sendable {
    /// The RAW's bytes.
    public let raw: [UInt8]
    public var frame: UInt32 = 0
    public var root = "archive"
    /// The RAW's path in its root.
    public var path: String
    /// The photo's base name.
    public var base: String
    public var look = "velvet"
    /// Different numbers are different edits of the look, −100…100.
    public var edit = 0
    public var captured: String? = "2024:05:01 10:00:00"
    public var degraded: String?
    /// The stars in the RAW's sidecar.
    public var rating = 0
    /// The keywords in the RAW's sidecar.
    public var keywords: [String] = []
    /// The lens's name in the RAW's EXIF.
    public var lensName: String?
    /// The ISO speed in the RAW's EXIF.
    public var iso: UInt16?
    /// Whether the library has a copy of the RAW.
    public var isCopied = false
    /// The path of the camera's JPEG.
    public var companion: String?

    /// - Parameter name: decides the RAW's bytes.
    public init(_ name: String, path: String, base: String? = nil) {
        raw = Array(String(repeating: name + " ", count: 50).utf8)
        self.path = path
        let file = path.split(separator: "/").last.map(String.init) ?? path
        self.base = base ?? String(file.prefix { $0 != "." })
    }

    /// A copy with changes.
    public func with(_ change: (inout Shot) -> Void) -> Shot {
        var copy = self
        change(&copy)
        return copy
    }

    public var recipe: Recipe {
        let digest = SHA256Value(of: Array(look.utf8))
        guard let reference = LookReference(name: look, version: 1, digest: digest) else {
            preconditionFailure("a test's look has a valid name")
        }
        return Recipe(look: reference, exposureStops: Double(edit) / 10)
    }

    public var asset: SHA256Value { SHA256Value(of: raw) }
    public var original: FileStamp { stamp(path, sizeBytes: UInt64(raw.count)) }
    public var companionStamp: FileStamp? { companion.map { stamp($0, sizeBytes: 77) } }
    public var companionDigest: SHA256Value? { companion.map { SHA256Value(of: Array($0.utf8)) } }
    public var key: RenditionKey {
        RenditionKey(asset: asset, frame: frame, recipe: recipe.id, engine: Engine.version, format: recipe.format)
    }
    public var id: RenditionID { RenditionID(asset: asset, key: key) }

    private func stamp(_ path: String, sizeBytes: UInt64) -> FileStamp {
        guard let root = RootName(root), let path = RelativePath(path) else {
            preconditionFailure("a test's paths are valid")
        }
        return FileStamp(
            file: FileReference(root: root, path: path), sizeBytes: sizeBytes,
            modifiedNanoseconds: 1_700_000_000_000_000_000)
    }

    /// Writes the RAW to its path in the root.
    ///
    /// - Returns: its stamp, as a planner sees it.
    @discardableResult
    public func write(to root: Root) throws -> FileStamp {
        let file = original.file
        _ = try root.publish(raw, at: file.path.bytes)
        let facts = try root.facts(of: file.path.bytes)
        return FileStamp(file: file, sizeBytes: facts.sizeBytes, modifiedNanoseconds: facts.modifiedNanoseconds)
    }
}

extension Manifest {
    /// The manifest of a job that made these renditions of one RAW.
    ///
    /// - Parameters:
    ///   - finished: milliseconds since 1970.
    ///   - source: the RAW; nil for the first rendition's.
    public init(
        _ renditions: [Rendition], finished: Int64, originals: OriginalsPolicy = .reference, source: FileStamp? = nil,
        isHeld: Bool = false
    ) throws {
        guard let first = renditions.first, let batch = BatchID(bytes: [UInt8](repeating: 1, count: 16)) else {
            throw CocoaError(.coderInvalidValue)
        }
        let source = Source(raw: source ?? first.original, photoBase: first.photoBase)
        self.init(
            job: JobID(source: source.fingerprint, recipe: first.recipe.id), batch: batch, round: 0, source: source,
            recipe: first.recipe, originals: originals, attempts: 1, worker: "test", finishedMilliseconds: finished,
            isHeld: isHeld, outcome: .completed(RenderedFrames(renditions)))
    }
}
