internal import Jobs
internal import Manifests
internal import Storage

/// One run of a verification: what it holds while it goes over the library.
struct VerificationRun {
    let library: LibraryStore
    let roots: Roots
    let hashes: Bool
    let checkers: [FileChecker]
    let repairer: Repairer?
    let onProgress: @Sendable (LibraryVerification.Report) -> Void
    let onFinding: @Sendable (LibraryVerification.Finding) -> Void
    var report = LibraryVerification.Report()
    static let page = 512

    mutating func add(_ finding: LibraryVerification.Finding) {
        report.findings[finding.kind, default: 0] += 1
        if finding.isRepaired { report.repaired += 1 }
        onFinding(finding)
    }

    /// Every file the rows speak of.
    mutating func checkFiles() async throws {
        try await checkRenditions()
        if hashes { try await checkSources() }
        try await checkLinks()
    }

    func answers(_ questions: [FileExpectation]) async throws -> [FileState] {
        try Task.checkCancellation()
        return try await shared(questions, among: checkers) { await $0.check($1) }
    }

    private mutating func checkRenditions() async throws {
        var last: RenditionKey?
        while true {
            let page = try library.renditionFiles(after: last, limit: Self.page)
            guard let end = page.last else { return }
            last = end.key
            let photos = try await answers(
                page.map { question(LibraryLayout.photo($0.key), expectation($0.photo)) })
            let previews = try await answers(
                page.map { question(LibraryLayout.preview($0.key), expectation($0.preview ?? $0.photo)) })
            for (files, (photo, preview)) in zip(page, zip(photos, previews)) {
                try judge(photo: photo, of: files)
                judge(preview: files.preview == nil ? .missing : preview, of: files)
            }
            onProgress(report)
        }
    }

    private mutating func judge(photo: FileState, of files: LibraryStore.RenditionFiles) throws {
        report.photos += 1
        let path = LibraryLayout.photo(files.key)
        guard let finding = finding(photo, path, missing: .photoMissing, changed: .photoChanged) else { return }
        let isBack = try finding.kind == .photoMissing && repairer?.bringBack(files) ?? false
        add(isBack ? finding.repaired() : finding)
    }

    private mutating func judge(preview: FileState, of files: LibraryStore.RenditionFiles) {
        report.previews += 1
        let path = LibraryLayout.preview(files.key)
        if let found = finding(preview, path, missing: .previewMissing, changed: .previewChanged) { add(found) }
    }

    private mutating func checkLinks() async throws {
        var last: RelativePath?
        while true {
            let page = try library.treeLinks(after: last, limit: Self.page)
            guard let end = page.last else { return }
            last = end.path
            let found = try await answers(page.map { question($0.path, .object($0.object)) })
            let findings = zip(page, found).compactMap { link, answer in
                finding(answer, link.path, missing: .linkMissing, changed: .linkWrong)
            }
            let repaired = try repairer?.relink(findings) ?? []
            for finding in findings { add(repaired.contains(finding.file.path) ? finding.repaired() : finding) }
            onProgress(report)
        }
    }

    private func expectation(_ file: FileRecord) -> FileExpectation.Expectation {
        hashes ? .bytes(file.digest) : .size(file.sizeBytes)
    }

    func question(_ path: RelativePath, _ expectation: FileExpectation.Expectation) -> FileExpectation {
        FileExpectation(root: library.root, path: path, expectation: expectation)
    }

    /// Nil for a good file, whose bytes are counted.
    mutating func finding(
        _ answer: FileState, _ path: RelativePath, missing: LibraryVerification.Finding.Kind,
        changed: LibraryVerification.Finding.Kind
    ) -> LibraryVerification.Finding? {
        switch answer {
        case .good(let bytes):
            report.bytes += bytes
            return nil
        case .missing: return LibraryVerification.Finding(missing, path)
        case .changed: return LibraryVerification.Finding(changed, path)
        case .unreadable(let why): return LibraryVerification.Finding(.unreadable, path, why)
        }
    }
}
