internal import Coordinator
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import Runs
internal import Selection
internal import Storage
internal import WebService

final class RawFileLocator: Sendable {
    private let folder: String

    init(_ folder: String) { self.folder = folder }

    func paths() async throws -> [RootName: String] {
        let roots = try await SourceRoots.existing(library: folder)
        let named = roots.names.compactMap { name in
            RootName(name).flatMap { key in roots[name].map { (key, $0.path) } }
        }
        return Dictionary(named) { $1 }.merging([.library: folder]) { $1 }
    }

    /// Opens the RAW of a rendition. Throws `ServiceError` with status 404 if all its paths are missing.
    func open(_ record: RenditionRecord, _ readers: LibraryReaders) async throws -> (OpenFile, name: [UInt8]) {
        let (place, root) = try await place(of: record, readers)
        return (try OpenFile(place.path.bytes, in: root), place.path.name)
    }

    /// The camera's JPEG beside the RAW of a rendition; nil if it is missing.
    func cameraPhoto(of record: RenditionRecord) async throws -> OpenFile? {
        guard let place = record.companion?.file.file else { return nil }
        let roots = try await SourceRoots.existing(library: folder)
        return roots[place.root.text].flatMap { try? OpenFile(place.path.bytes, in: $0) }
    }

    /// - Throws: `ServiceError` with status 404 if all its paths are missing.
    func stamp(_ record: RenditionRecord, _ readers: LibraryReaders) async throws -> FileStamp {
        let (place, root) = try await place(of: record, readers)
        let facts = try root.facts(of: place.path.bytes)
        return FileStamp(
            file: place, sizeBytes: facts.sizeBytes, modifiedNanoseconds: facts.modifiedNanoseconds)
    }

    /// The first known path at which the RAW still exists.
    private func place(
        of record: RenditionRecord, _ readers: LibraryReaders
    ) async throws -> (FileReference, Root) {
        let places = try await readers.read { try $0.raws(of: record) }
        let roots = try await SourceRoots.existing(library: folder)
        for place in places {
            guard let root = roots[place.root.text],
                (try? root.factsIfPresent(of: place.path.bytes)) ?? nil != nil
            else { continue }
            return (place, root)
        }
        let names = places.map { "\($0)" }.joined(separator: ", ")
        throw ServiceError(
            404, "raw-missing", "Its RAW is missing from its folder (\(names)).",
            remedy: "Mount its disk, or move the RAW back.")
    }
}
