public import Digest
public import Jobs
package import LibraryTables
internal import Manifests
internal import PhotoTree

/// Finds shown photos by users' names.
package struct PhotoLookup {
    private let tree: PhotoTree
    private let assets: AssetQueries
    private let renditions: RenditionTable

    init(tree: PhotoTree, assets: AssetQueries, renditions: RenditionTable) {
        self.tree = tree
        self.assets = assets
        self.renditions = renditions
    }

    package enum Match {
        case photo(TreeEntryID)
        /// An object or a preview.
        case rendition(RenditionRecord)
        /// All photos of an asset.
        case asset(SHA256Value)
    }

    /// - Throws: `PhotoNameError`, `LibraryError`.
    package func match(_ name: AssetName) throws -> Match {
        if case .path(let path) = name, let id = try tree.id(at: path) {
            if id.variant.isEmpty { throw PhotoNameError.original(path) }
            return .photo(id.atMainPlace)
        }
        switch try assets.find(name) {
        case .none: throw PhotoNameError.unknown(name.text)
        case .ambiguous(let assets): throw PhotoNameError.ambiguous(name.text, assets)
        case .found(let frames):
            guard let asset = frames.first?.asset else { throw PhotoNameError.unknown(name.text) }
            guard case .path(let path) = name else { return .asset(asset) }
            // The asset's other files are not renditions.
            let own = try renditions.records(of: asset).first {
                [LibraryLayout.photo($0.key), LibraryLayout.preview($0.key)].contains(path)
            }
            guard let own else { throw PhotoNameError.original(path) }
            return .rendition(own)
        }
    }

    /// - Throws: `PhotoNameError`, `LibraryError`.
    package func photos(_ name: AssetName) throws -> [TreeEntryID] {
        switch try match(name) {
        case .photo(let id): return [id]
        case .asset(let asset): return try tree.photos(of: asset).map(\.id).sorted()
        case .rendition(let record):
            return try tree.photos(of: record.asset).filter { $0.key == record.key }.map(\.id)
        }
    }
}

extension AssetName {
    fileprivate var text: String {
        switch self {
        case .path(let path): path.description
        case .prefix(let digits): digits
        }
    }
}

/// Why a name does not identify a photo.
public enum PhotoNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No asset and no photo has that name.
    case unknown(String)
    /// The digits match several ids.
    case ambiguous(String, [SHA256Value])
    /// The path is that of a RAW's copy.
    case original(RelativePath)

    /// The cause and the remedy.
    public var description: String {
        switch self {
        case .unknown(let name):
            "the library has no asset and no photo \"\(name)\": give at least four digits of an asset's id, or the path of a "
                + "photo. `rawmill library list` shows all."
        case .ambiguous(let name, let assets):
            "\"\(name)\" matches several ids: "
                + assets.map { String($0.description.prefix(16)) }.joined(separator: ", ") + ". Give more digits."
        case .original(let path):
            "\(path) is a RAW and no photo: name one of its photos. `rawmill library remove --with-originals` takes a RAW "
                + "with its last photo."
        }
    }
}
