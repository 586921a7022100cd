internal import Digest
package import Jobs
internal import LibraryTables
internal import Manifests
internal import PictureFormat
package import Revisions
internal import Storage
package import Worker

/// Renders an edit's previews: each photo at the size of a display, before any is rendered at full size.
///
/// Previews are not in tables, and are removed once the photos are rendered.
package struct EditPreviewer: Sendable {
    let renderer: DirectRenderer
    let store: EditStore
    private let folder: String
    private let slots: Int
    private let roots: [RootName: String]

    /// - Parameters:
    ///   - folder: the library's folder.
    ///   - slots: the number of concurrent renders.
    ///   - roots: folders of RAWs that are not in the library's ledger.
    package init(
        renderer: DirectRenderer, store: EditStore, folder: String, slots: Int, roots: [RootName: String] = [:]
    ) {
        self.renderer = renderer
        self.store = store
        self.folder = folder
        self.slots = slots
        self.roots = roots
    }

    /// The longest delay of the full sizes, enough for more than a screen of photos. Further photos get no preview.
    static let patience = Duration.seconds(20)

    package struct Wish: Sendable {
        package let item: EditRecord.Item
        let base: [UInt8]
        let raws: [FileReference]
    }

    /// The photos of an edit that the library does not have yet.
    package static func wishes(
        of record: EditRecord, _ photos: [PhotoReviser.Photo], in reviser: PhotoReviser
    ) throws -> [Wish] {
        let byShown = Dictionary(photos.compactMap { photo in photo.shownKey.map { ($0.digest, photo) } }) { $1 }
        return try record.items.compactMap { item in
            guard item.preview != nil, let photo = byShown[item.shown],
                try reviser.rendition(of: photo, where: item.edited.fits) == nil
            else { return nil }
            let base = try reviser.rendition(of: photo)?.photoBase ?? photo.path.name
            return Wish(item: item, base: base, raws: photo.raws)
        }
    }

    /// Renders in the order of the photos, until all are rendered or patience ends. Leaves out a photo whose RAW is
    /// missing here or cannot be developed; its full size reports the cause.
    ///
    /// - Parameter onPreview: called with each photo whose preview is rendered, and the preview's path below the
    ///   library's folder.
    package func render(_ wishes: [Wish], onPreview: @escaping @Sendable (EditRecord.Item, [UInt8]) -> Void) async {
        guard !wishes.isEmpty, let folders = await folders() else { return }
        renderer.use(folders.paths)
        let end = ContinuousClock.now + Self.patience
        await withTaskGroup(of: Void.self) { group in
            var next = wishes.makeIterator()
            func start() {
                guard ContinuousClock.now < end, let wish = next.next() else { return }
                group.addTask { await render(wish, folders.opened, onPreview) }
            }
            for _ in 0..<max(1, slots) { start() }
            while await group.next() != nil { start() }
        }
    }

    private func folders() async -> (paths: [RootName: String], opened: [RootName: Root])? {
        var paths = (try? await RawFileLocator(folder).paths()) ?? [.library: folder]
        paths.merge(roots) { $1 }
        var opened: [RootName: Root] = [:]
        for (name, path) in paths { opened[name] = try? Root(path: path) }
        // A render process refuses a missing root.
        return opened[.library] == nil ? nil : (paths.filter { opened[$0.key] != nil }, opened)
    }

    private func render(
        _ wish: Wish, _ roots: [RootName: Root], _ onPreview: @Sendable (EditRecord.Item, [UInt8]) -> Void
    ) async {
        guard let key = wish.item.preview, let recipe = wish.item.edited.recipe.display else { return }
        if !store.hasPreview(wish.item) {
            guard let raw = wish.raws.lazy.compactMap({ Self.stamp($0, roots) }).first,
                let photo = try? await renderer.render(
                    Source(raw: raw, photoBase: wish.base), recipe, frame: wish.item.frame),
                // The edit belongs to the RAW of the photo.
                photo.rendition.asset == wish.item.asset,
                let bytes = try? photo.file.contents(limitBytes: Self.limitBytes),
                (try? store.keep(bytes, as: key)) != nil
            else { return }
        }
        onPreview(wish.item, EditStore.path(ofPreview: key.digest))
    }

    private static let limitBytes: UInt64 = 64 << 20

    private static func stamp(_ raw: FileReference, _ roots: [RootName: Root]) -> FileStamp? {
        guard let facts = (try? roots[raw.root]?.factsIfPresent(of: raw.path.bytes)) ?? nil else { return nil }
        return FileStamp(file: raw, sizeBytes: facts.sizeBytes, modifiedNanoseconds: facts.modifiedNanoseconds)
    }
}

extension PhotoReviser.Photo {
    package var shownKey: RenditionKey? { history[history.current]?.key }
}
