internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PhotoTree

struct RenditionCheck {
    private let context: VerificationContext
    private var reporter: VerificationReporter { context.reporter }

    init(_ context: VerificationContext) { self.context = context }

    func run() async throws {
        var last: RenditionID?
        while true {
            let page = try context.store.tables.files.renditionFiles(after: last, limit: VerificationContext.pageSize)
            guard let end = page.last else { return }
            last = end.id
            let photos = try await context.states(
                page.map { context.expect(LibraryLayout.photo($0.key), content($0.photo, of: $0.key)) })
            let previews = try await context.states(
                page.map { context.expect(LibraryLayout.preview($0.key), content($0.preview ?? $0.photo, of: $0.key)) })
            for (files, (photo, preview)) in zip(page, zip(photos, previews)) {
                try record(photo: photo, of: files)
                record(preview: files.preview == nil ? .missing : preview, of: files)
            }
            reporter.publishProgress()
        }
    }

    private func content(_ file: FileRecord, of key: RenditionKey) -> FileExpectation.Content {
        context.sample.contains(key.digest) ? .digest(file.digest) : .size(file.sizeBytes)
    }

    private func record(photo: FileState, of files: FileQueries.RenditionFiles) throws {
        reporter.update { $0.photos += 1 }
        let path = LibraryLayout.photo(files.key)
        guard let finding = reporter.finding(photo, path, missing: .photoMissing, changed: .photoChanged) else {
            return
        }
        let isLost = finding.kind == .photoMissing || finding.kind == .photoChanged
        let isRestored = try isLost && context.repairer?.restoreObject(files) ?? false
        reporter.add(isRestored ? finding.repaired() : finding)
    }

    private func record(preview: FileState, of files: FileQueries.RenditionFiles) {
        reporter.update { $0.previews += 1 }
        let path = LibraryLayout.preview(files.key)
        if let finding = reporter.finding(preview, path, missing: .previewMissing, changed: .previewChanged) {
            reporter.add(finding)
        }
    }
}
