public import Digest
public import Jobs
public import LibraryTables
public import PhotoTree

extension LibraryStore {
    /// Assets with all their files and edits.
    public var assets: AssetQueries { AssetQueries(tables, histories: histories) }

    /// The photos that `photos/` shows.
    public var photos: PhotoQueries { PhotoQueries(tables.database) }

    package var lookup: PhotoLookup { PhotoLookup(tree: tree, assets: assets, renditions: tables.renditions) }

    /// The rendition whose key has a digest, if any.
    public func rendition(named digest: SHA256Value) throws -> RenditionRecord? {
        try tables.renditions.find([digest]).first.flatMap { try tables.renditions.record($0) }
    }

    /// Every path of a rendition's RAW, and the library's copy.
    public func raws(of record: RenditionRecord) throws -> [FileReference] {
        try raws(of: record.asset, rendition: record.key)
    }

    /// Every path of an asset's RAW, a rendition's first, and the library's copies.
    package func raws(of asset: SHA256Value, rendition key: RenditionKey) throws -> [FileReference] {
        let own = try tables.renditions.record(RenditionID(asset: asset, key: key)).map { [$0.original.file] } ?? []
        let copies = try assets.originalCopyPaths(of: asset).map { FileReference(root: .library, path: $0) }
        var raws: [FileReference] = []
        for file in own + (try tables.sightings.all(of: asset).map(\.raw.file)) + copies where !raws.contains(file) {
            raws.append(file)
        }
        return raws
    }
}
