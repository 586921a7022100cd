import Digest
import Foundation
import Jobs
import Manifests
import Metadata
import PictureFormat
import Storage

/// Makes renditions as a render process would: real JPEG files that carry their identity, in a library's folder.
struct CatalogueFixture {
    let library: Root
    let toolkit: XMPToolkit

    init(_ folder: TestFolder) throws {
        library = try folder.root("library")
        toolkit = try XMPToolkit()
    }

    /// One frame of a RAW to develop.
    struct Shot {
        /// The RAW's bytes.
        let raw: [UInt8]
        var frame: UInt32 = 0
        var root = "archive"
        var path: String
        var base: String
        var look = "velvet"
        var quality: UInt32 = 90
        var captured: String? = "2024:05:01 10:00:00"
        var degraded: String?
        /// The RAW's copy is in the library.
        var isCopied = false
        var companion: String?

        init(_ name: String, path: String, base: String? = nil) {
            raw = Array(String(repeating: name + " ", count: 50).utf8)
            self.path = path
            let file = path.split(separator: "/").last.map(String.init) ?? path
            self.base = base ?? String(file.prefix { $0 != "." })
        }

        func with(_ change: (inout Shot) -> Void) -> Shot {
            var copy = self
            change(&copy)
            return copy
        }

        var recipe: Recipe {
            let digest = SHA256Value(of: Array(look.utf8))
            guard let reference = LookReference(name: look, version: 1, digest: digest) else {
                preconditionFailure("a test's look has a good name")
            }
            return Recipe(look: reference, quality: quality)
        }

        var asset: SHA256Value { SHA256Value(of: raw) }
        var original: FileStamp { stamp(path, sizeBytes: UInt64(raw.count)) }

        private func stamp(_ path: String, sizeBytes: UInt64) -> FileStamp {
            guard let root = RootName(root), let path = RelativePath(path) else {
                preconditionFailure("a test's paths are good")
            }
            return FileStamp(
                file: FileReference(root: root, path: path), sizeBytes: sizeBytes,
                modifiedNanoseconds: 1_700_000_000_000_000_000)
        }

        var companionStamp: FileStamp? { companion.map { stamp($0, sizeBytes: 77) } }
        var key: RenditionKey {
            RenditionKey(asset: asset, frame: frame, recipe: recipe.id, engine: Engine.version)
        }
    }

    /// Renders the shot, in the place of whatever stands there, and answers as a worker does.
    @discardableResult
    func develop(_ shot: Shot) throws -> Rendition {
        let photo = try publish(try jpeg(shot, isPreview: false), at: LibraryLayout.photo(shot.key))
        let preview = try publish(try jpeg(shot, isPreview: true), at: LibraryLayout.preview(shot.key))
        return try rendition(shot, photo: photo, preview: preview)
    }

    private func rendition(_ shot: Shot, photo: ProducedFile, preview: ProducedFile) throws -> Rendition {
        Rendition(
            asset: shot.asset, frame: shot.frame, recipe: shot.recipe, engine: Engine.version, photo: photo,
            preview: preview, original: shot.original, originalCopy: shot.isCopied ? try copy(shot) : nil,
            companion: shot.companionStamp,
            companionDigest: shot.companion.map { SHA256Value(of: Array($0.utf8)) }, degraded: shot.degraded,
            captured: shot.captured, make: "Canon", model: "EOS 5D", photoBase: Array(shot.base.utf8))
    }

    private func copy(_ shot: Shot) throws -> ProducedFile {
        let ending = shot.path.split(separator: ".").last.map(String.init) ?? "raw"
        let path = LibraryLayout.original(shot.asset, fileExtension: ending)
        let done = try library.publish(shot.raw, at: path.bytes)
        return ProducedFile(path: path, digest: done.digest, sizeBytes: done.sizeBytes, size: nil)
    }

    private func publish(_ bytes: [UInt8], at path: RelativePath) throws -> ProducedFile {
        let done = try library.publish(bytes, at: path.bytes, existing: .replace)
        return ProducedFile(
            path: path, digest: done.digest, sizeBytes: done.sizeBytes, size: PixelSize(width: 8, height: 6))
    }

    private func jpeg(_ shot: Shot, isPreview: Bool) throws -> [UInt8] {
        let packet = try toolkit.packet(
            identity: identity(shot), inherited: InheritedXMP(), creatorTool: isPreview ? "preview" : "photo")
        let payload = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet
        let length = payload.count + 2
        return tinyJPEG[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + payload + tinyJPEG[2...]
    }

    private func identity(_ shot: Shot) -> RenditionIdentity {
        let recipe = shot.recipe
        return RenditionIdentity(
            key: shot.key.description, asset: shot.asset.description, frame: shot.frame,
            recipeID: recipe.id.description, adjustment: AdjustmentData(data: recipe.canonicalText),
            lookName: recipe.look.name, lookVersion: recipe.look.version, lookDigest: recipe.look.digest.description,
            engine: "\(Engine.version)", original: FileIdentity(shot.original),
            photoBase: Array(shot.base.utf8), companion: shot.companionStamp.map { FileIdentity($0) },
            companionDigest: shot.companion.map { SHA256Value(of: Array($0.utf8)).description },
            degraded: shot.degraded, captured: shot.captured, make: "Canon", model: "EOS 5D", width: 8, height: 6)
    }
}

extension FileIdentity {
    fileprivate init(_ stamp: FileStamp) {
        self.init(
            root: stamp.file.root.text, path: stamp.file.path.bytes, sizeBytes: stamp.sizeBytes,
            modifiedNanoseconds: stamp.modifiedNanoseconds)
    }
}

extension Manifest {
    /// The manifest of shots of one RAW.
    init(
        _ renditions: [Rendition], finished: Int64, originals: OriginalsPolicy = .reference, source: FileStamp? = nil
    ) throws {
        guard let first = renditions.first, let batch = BatchID(bytes: [UInt8](repeating: 1, count: 16)) else {
            throw CocoaError(.coderInvalidValue)
        }
        let source = Source(raw: source ?? first.original, photoBase: first.photoBase)
        self.init(
            job: JobID(source: source.fingerprint, recipe: first.recipe.id), batch: batch, round: 0, source: source,
            recipe: first.recipe, originals: originals, attempts: 1, worker: "test", finishedMilliseconds: finished,
            outcome: .completed(renditions))
    }
}

/// 8 × 6 grey pixels, by cjpeg.
let tinyJPEG: [UInt8] = Array(
    Data(
        base64Encoded: """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i\
            Z2hnPk1xeXBkeFxlZ2P/wAALCAAGAAgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF\
            BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW\
            V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi\
            4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AI6//9k=
            """) ?? Data())

extension CatalogueFixture {
    /// A rendition whose files have the bytes given, and are not synced: for tests with thousands of them.
    func develop(_ shot: Shot, alike bytes: [UInt8]) throws -> Rendition {
        let key = shot.key
        let file = ProducedFile(
            path: LibraryLayout.photo(key), digest: SHA256Value(of: bytes), sizeBytes: UInt64(bytes.count),
            size: PixelSize(width: 8, height: 6))
        let path = "\(library.path)/\(file.path)"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return try rendition(
            shot, photo: file,
            preview: ProducedFile(
                path: LibraryLayout.preview(key), digest: file.digest, sizeBytes: file.sizeBytes, size: file.size))
    }
}
