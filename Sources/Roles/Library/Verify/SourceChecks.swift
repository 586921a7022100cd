internal import Jobs
internal import Manifests
internal import Storage

/// The RAWs: their copies in the library, and where they were read.
extension VerificationRun {
    mutating func checkSources() async throws {
        var last: LibraryStore.AssetSources?
        while true {
            let page = try library.assetSources(after: last?.asset, limit: Self.page)
            guard let end = page.last else { return }
            last = end
            let goodCopies = try await checkCopies(page)
            try await checkOriginals(page, goodCopies)
            onProgress(report)
        }
    }

    /// The assets whose copy is good.
    private mutating func checkCopies(_ page: [LibraryStore.AssetSources]) async throws -> Set<RelativePath> {
        let copies = page.compactMap(\.copy)
        let found = try await answers(copies.map { question($0.path, .bytes($0.asset)) })
        var good: Set<RelativePath> = []
        for (copy, answer) in zip(copies, found) {
            report.copies += 1
            if let finding = finding(answer, copy.path, missing: .copyMissing, changed: .copyChanged) {
                add(finding)
            } else {
                good.insert(copy.path)
            }
        }
        return good
    }

    private mutating func checkOriginals(
        _ page: [LibraryStore.AssetSources], _ goodCopies: Set<RelativePath>
    ) async throws {
        var questions: [FileExpectation] = []
        for sources in page {
            for stamp in sources.originals {
                guard let root = root(stamp.file.root) else { continue }
                questions.append(
                    FileExpectation(root: root, path: stamp.file.path, expectation: .bytes(sources.asset)))
            }
        }
        var found = try await answers(questions)[...]
        for sources in page {
            let places = sources.originals.map(\.file).filter { root($0.root) != nil }
            let states = Array(zip(places, found.prefix(places.count)))
            found = found.dropFirst(places.count)
            let hasCopy = sources.copy.map { goodCopies.contains($0.path) } ?? false
            judge(states, of: sources, hasCopy: hasCopy)
        }
    }

    private func root(_ name: RootName) -> Root? { name == .library ? library.root : roots[name.text] }

    /// One good RAW is enough: a RAW that was moved, or lies in two places, is not missed where it is not.
    private mutating func judge(
        _ states: [(place: FileReference, answer: FileState)], of sources: LibraryStore.AssetSources, hasCopy: Bool
    ) {
        var isGood = hasCopy
        for case (_, .good(let bytes)) in states {
            report.originals += 1
            report.bytes += bytes
            isGood = true
        }
        if isGood { return }
        guard states.count == sources.originals.count else {
            report.uncheckedOriginals += 1
            return
        }
        let worst =
            states.first { $0.answer == .changed } ?? states.first { $0.answer != .missing } ?? states.first
        guard let worst else { return }
        switch worst.answer {
        case .good: break
        case .missing: add(LibraryVerification.Finding(.rawMissing, worst.place))
        case .changed: add(LibraryVerification.Finding(.rawChanged, worst.place))
        case .unreadable(let why): add(LibraryVerification.Finding(.unreadable, worst.place, why))
        }
    }
}
