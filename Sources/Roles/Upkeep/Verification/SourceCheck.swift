internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PhotoTree
internal import Storage

/// Checks the RAWs: their copies in the library and their sources.
struct SourceCheck {
    private let context: VerificationContext
    private let roots: Roots
    private let recognition: RootRecognition
    private var reporter: VerificationReporter { context.reporter }

    init(_ context: VerificationContext, roots: Roots) {
        self.context = context
        self.roots = roots
        recognition = RootRecognition(store: context.store, roots: roots)
    }

    func run() async throws {
        var last: FileQueries.AssetSources?
        while true {
            let page = try context.store.tables.files.assetSources(
                after: last?.asset, limit: VerificationContext.pageSize)
            guard let end = page.last else { return }
            last = end
            let goodCopies = try await checkCopies(page)
            try await checkOriginals(page, goodCopies)
            reporter.publishProgress()
        }
    }

    private func checkCopies(_ page: [FileQueries.AssetSources]) async throws -> Set<RelativePath> {
        let copies = page.compactMap(\.copy)
        let states = try await context.states(
            copies.map { context.expect($0.path, content(of: $0.asset, sizeBytes: $0.sizeBytes)) })
        var good: Set<RelativePath> = []
        for (copy, state) in zip(copies, states) {
            reporter.update { $0.copies += 1 }
            if let finding = reporter.finding(state, copy.path, missing: .copyMissing, changed: .copyChanged) {
                reporter.add(finding)
            } else {
                good.insert(copy.path)
            }
        }
        return good
    }

    private func checkOriginals(
        _ page: [FileQueries.AssetSources], _ goodCopies: Set<RelativePath>
    ) async throws {
        var expectations: [FileExpectation] = []
        for sources in page {
            for stamp in sources.originals {
                guard let root = root(stamp.file.root) else { continue }
                expectations.append(
                    FileExpectation(
                        root: root, path: stamp.file.path,
                        content: content(of: sources.asset, sizeBytes: stamp.sizeBytes)))
            }
        }
        var states = try await context.states(expectations)[...]
        for sources in page {
            let checked = sources.originals.map(\.file).filter { root($0.root) != nil }
            let originals = Array(zip(checked, states.prefix(checked.count)))
            states = states.dropFirst(checked.count)
            let hasCopy = sources.copy.map { goodCopies.contains($0.path) } ?? false
            try record(originals, of: sources, hasCopy: hasCopy)
            try checkCompanions(of: sources)
        }
    }

    private func content(of asset: SHA256Value, sizeBytes: UInt64) -> FileExpectation.Content {
        context.sample.contains(asset) ? .digest(asset) : .size(sizeBytes)
    }

    private func root(_ name: RootName) -> Root? { name == .library ? context.store.root : roots[name.text] }

    /// One good RAW suffices: a RAW that was moved, or has two locations, is not missing.
    private func record(
        _ originals: [(file: FileReference, state: FileState)], of sources: FileQueries.AssetSources, hasCopy: Bool
    ) throws {
        var isGood = hasCopy
        for case (_, .good(let bytes)) in originals {
            reporter.update {
                $0.originals += 1
                $0.bytes += bytes
            }
            isGood = true
        }
        if isGood { return }
        guard originals.count == sources.originals.count else {
            return reporter.update { $0.uncheckedOriginals += 1 }
        }
        // If the storage is not mounted, the state of its RAWs is unknown. Another storage may have its name there.
        if try originals.contains(where: { try [.missing, .changed].contains($0.state) && !isSeen($0.file) }) {
            return reporter.update { $0.uncheckedOriginals += 1 }
        }
        let worst =
            originals.first { $0.state == .changed } ?? originals.first { $0.state != .missing } ?? originals.first
        guard let worst else { return }
        // Another RAW with its own photos has this path now, so the old one needs no action.
        if try context.store.tables.files.isReplaced(worst.file, of: sources.asset) { return }
        switch worst.state {
        case .good, .shared, .damaged: break
        case .missing: reporter.add(.init(.rawMissing, worst.file))
        case .changed: reporter.add(.init(.rawChanged, worst.file))
        case .unreadable(let cause): reporter.add(.init(.unreadable, worst.file, cause))
        }
    }

    /// True if a missing RAW's root is the right folder. A wrong one is a single finding for all its RAWs.
    private func isSeen(_ file: FileReference) throws -> Bool {
        let isReported = recognition.unseen.contains(file.root)
        if try recognition.mayBeSeen(file.root) { return true }
        if !isReported { reporter.add(.init(.rootUnseen, file, roots[file.root.text]?.path ?? "")) }
        return false
    }

    /// Reports missing camera JPEGs, without reading any.
    private func checkCompanions(of sources: FileQueries.AssetSources) throws {
        for companion in sources.companions {
            guard let root = root(companion.file.root), try root.factsIfPresent(of: companion.file.path.bytes) == nil
            else { continue }
            // A missing RAW is a finding already.
            let isBesideRaw = try sources.originals.contains { raw in
                try raw.file.root == companion.file.root && raw.file.path.folder == companion.file.path.folder
                    && root.factsIfPresent(of: raw.file.path.bytes) != nil
            }
            if isBesideRaw { reporter.add(.init(.cameraPhotoMissing, companion.file)) }
        }
    }
}
