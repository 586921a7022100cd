public import Database
internal import Digest
public import Foundation
internal import Glibc
internal import Jobs
internal import LibraryTables
public import Manifests
internal import Metadata
internal import PictureFormat
public import PostgreSQLServer
public import Storage
internal import TIFF

/// A folder with a library and roots for sources. Makes renditions as a render process would: JPEG files in the
/// library's folder that contain their identity. The folder is removed with the fixture.
public final class LibraryFixture: Sendable {
    /// The folder of library and roots.
    public let path: String
    /// Path of the render program, which reads photos' metadata.
    public static var program: String { programs.appending(path: "rawmill-render").path }
    /// The folder of the programs of this build.
    public static var programs: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
        return URL(fileURLWithPath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
    }
    /// The library's folder.
    public var libraryPath: String { "\(path)/library" }

    /// Location of the library's tables.
    public enum BackEnd: String, CaseIterable, Sendable {
        case file, server

        /// The location in most tests: a file, or the server in RAWMILL_TEST_DATABASE.
        public static let usual =
            BackEnd(
                rawValue: ProcessInfo.processInfo.environment["RAWMILL_TEST_DATABASE"] ?? "") ?? .file
        /// The back ends of this machine; all in continuous integration.
        public static let here: [BackEnd] = PostgreSQLServer.isExpected ? allCases : [.file]
    }

    /// - Parameter server: the server, for `.server`; nil for the shared one.
    public init(on backEnd: BackEnd = .usual, of server: PostgreSQLServer? = nil) throws {
        // In memory if possible, because the tests wait for thousands of syncs.
        let memory = "/dev/shm"
        let parent = access(memory, W_OK) == 0 ? memory + "/" : NSTemporaryDirectory()
        path = parent + "rawmill-library-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        if backEnd == .server {
            try LibraryServer.choose((server ?? PostgreSQLServer.shared.get()).address(), for: libraryPath)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The root of a folder beside the library; created if it is missing.
    public func root(_ name: String) throws -> Root { try Root(path: "\(path)/\(name)", creating: true) }

    /// The root of the library; created if it is missing.
    public var library: Root { get throws { try root("library") } }

    // MARK: The database

    /// A direct connection to the tables.
    public func connection() throws -> Connection {
        guard let address = try LibraryServer.address(of: libraryPath) else {
            return try Connection(path: libraryPath + "/library.sqlite")
        }
        let lines = try String(contentsOfFile: libraryPath + "/library.database", encoding: .utf8).split(
            separator: "\n")
        return try Connection(server: address, schema: "\(lines[1])")
    }

    /// Whether the tables are in a file.
    var isFile: Bool { get throws { try LibraryServer.address(of: libraryPath) == nil } }

    /// Removes the tables, as a lost disk would.
    public func loseDatabase() throws {
        guard try LibraryServer.address(of: libraryPath) != nil else {
            return try FileManager.default.removeItem(atPath: libraryPath + "/library.sqlite")
        }
        let lines = try String(contentsOfFile: libraryPath + "/library.database", encoding: .utf8).split(
            separator: "\n")
        try connection().script("DROP SCHEMA \(lines[1]) CASCADE")
    }

    /// Makes the tables those of a later version.
    public func makeDatabaseNewer() throws {
        try connection().script(try isFile ? "PRAGMA user_version = 1000" : "UPDATE schema_version SET steps = 1000")
    }

    /// Makes the tables unreadable.
    public func damageDatabase() throws {
        if try LibraryServer.address(of: libraryPath) == nil {
            try Data(repeating: 42, count: 10_000).write(to: URL(fileURLWithPath: libraryPath + "/library.sqlite"))
        } else {
            try connection().script("DROP TABLE tree")
        }
    }

    // MARK: Files of the library

    /// Every file below a folder of the library, by path relative to the library.
    public func files(below folder: String) -> [String] {
        let start = "\(libraryPath)/\(folder)"
        let all = FileManager.default.enumerator(atPath: start)?.allObjects.compactMap { $0 as? String } ?? []
        return all.filter { name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(start)/\(name)", isDirectory: &isFolder)
            return !isFolder.boolValue
        }.map { "\(folder)/\($0)" }.sorted()
    }

    /// - Parameter path: relative to the library.
    public func inode(_ path: String) -> UInt64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(libraryPath)/\(path)")
        return attributes?[.systemFileNumber] as? UInt64
    }

    // MARK: Rendering

    /// Writes the photo and the preview of the shot, replacing existing ones.
    @discardableResult
    public func render(_ shot: Shot) throws -> Rendition {
        let photo = try publish(try jpeg(shot, isPreview: false), at: LibraryLayout.photo(shot.key))
        let preview = try publish(try jpeg(shot, isPreview: true), at: LibraryLayout.preview(shot.key))
        return try rendition(shot, photo: photo, preview: preview)
    }

    /// Writes a photo of these bytes, unsynced, without a preview: for tests with thousands of renditions.
    public func render(_ shot: Shot, bytes: [UInt8]) throws -> Rendition {
        let key = shot.key
        let file = ProducedFile(
            path: LibraryLayout.photo(key), digest: SHA256Value(of: bytes), sizeBytes: UInt64(bytes.count),
            size: PixelSize(width: 8, height: 6))
        let path = "\(libraryPath)/\(file.path)"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return try rendition(
            shot, photo: file,
            preview: ProducedFile(
                path: LibraryLayout.preview(key), digest: file.digest, sizeBytes: file.sizeBytes, size: file.size))
    }

    private func rendition(_ shot: Shot, photo: ProducedFile, preview: ProducedFile) throws -> Rendition {
        var facts = PhotoFacts(
            make: "Canon", model: "EOS 5D", captured: shot.captured, degraded: shot.degraded, rating: shot.rating,
            keywords: Keywords(shot.keywords))
        facts.lensName = shot.lensName
        facts.iso = shot.iso.map(Int.init)
        return Rendition(
            asset: shot.asset, frame: shot.frame, recipe: shot.recipe, engine: Engine.version, photo: photo,
            preview: preview, original: shot.original, originalCopy: shot.isCopied ? try copy(shot) : nil,
            companion: shot.companionStamp, companionDigest: shot.companionDigest,
            facts: facts, photoBase: Array(shot.base.utf8))
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
        let toolkit = try XMPToolkit()
        let sidecar = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
            xmlns:dc="http://purl.org/dc/elements/1.1/" xmp:Rating="\(shot.rating)">\
            <dc:subject><rdf:Bag>\(shot.keywords.map { "<rdf:li>\($0)</rdf:li>" }.joined())</rdf:Bag></dc:subject>\
            </rdf:Description>\
            </rdf:RDF></x:xmpmeta>
            """
        let inherited =
            shot.rating == 0 && shot.keywords.isEmpty
            ? InheritedXMP() : try toolkit.inherited(from: Array(sidecar.utf8))
        let packet = try toolkit.packet(
            identity: shot.identity, inherited: inherited, creatorTool: isPreview ? "preview" : "photo")
        return tinyJPEG[..<2] + segment(exif(shot)) + segment(Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
            + tinyJPEG[2...]
    }

    /// Empty for a RAW without EXIF.
    private func exif(_ shot: Shot) -> [UInt8] {
        let fields =
            [shot.lensName.map { ExifField.text(.photo, .lensModel, $0) }]
            + [shot.iso.map { ExifField.short(.photo, .photographicSensitivity, $0) }]
        guard fields.contains(where: { $0 != nil }) else { return [] }
        let source = SourceMetadata(make: "Canon", model: "EOS 5D", exif: fields.compactMap(\.self))
        return RenditionExif(source: source, width: 8, height: 6, isSRGB: true, software: "photo").payload()
    }

    private func segment(_ payload: [UInt8]) -> [UInt8] {
        let length = payload.count + 2
        return payload.isEmpty ? [] : [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + payload
    }
}

extension Shot {
    fileprivate var identity: RenditionIdentity {
        RenditionIdentity(
            key: key.description, asset: asset.description, frame: frame, recipeID: recipe.id.description,
            adjustment: AdjustmentData(data: recipe.canonicalText), lookName: recipe.look.name,
            lookVersion: recipe.look.version, lookDigest: recipe.look.digest.description, engine: "\(Engine.version)",
            original: FileIdentity(original), photoBase: Array(base.utf8),
            companion: companionStamp.map { FileIdentity($0) }, companionDigest: companionDigest?.description,
            facts: PhotoFacts(make: "Canon", model: "EOS 5D", captured: captured, degraded: degraded), width: 8,
            height: 6)
    }
}

extension FileIdentity {
    fileprivate init(_ stamp: FileStamp) {
        self.init(
            root: stamp.file.root.text, path: stamp.file.path.bytes, sizeBytes: stamp.sizeBytes,
            modifiedNanoseconds: stamp.modifiedNanoseconds)
    }
}

/// 8 × 6 grey pixels, by cjpeg.
public let tinyJPEG: [UInt8] = Array(
    Data(
        base64Encoded: """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i\
            Z2hnPk1xeXBkeFxlZ2P/wAALCAAGAAgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF\
            BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW\
            V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi\
            4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AI6//9k=
            """) ?? Data())
