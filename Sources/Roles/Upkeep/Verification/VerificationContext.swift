internal import Jobs
internal import LibraryTables
internal import MetadataHost
internal import PhotoTree

struct VerificationContext {
    let store: LibraryStore
    let checkers: ActorPool<FileChecker>
    let announcers: ActorPool<FileAnnouncer>
    /// Nil without repairs.
    let repairer: LibraryRepairer?
    /// Nil if edits stay findings.
    let adopter: EditAdopter?
    let editReader: EditReader
    let reporter: VerificationReporter
    let sample: ContentSample
    let pace: ReadingPace

    /// Rows in one page, and files in one batch of checks.
    static let pageSize = 512

    /// The states of the files, in their order. Throws `CancellationError`.
    func states(_ expectations: [FileExpectation]) async throws -> [FileState] {
        var states: [FileState] = []
        for part in pace.parts(of: expectations) {
            try Task.checkCancellation()
            let files = Array(part)
            try await announcers.forEach(files) { await $0.announce($1) }
            let found = try await checkers.map(files) { await $0.check($1) }
            try await pace.wait(afterReading: zip(part, found).reduce(0) { $0 + $1.0.readBytes(of: $1.1) })
            states += found
        }
        return states
    }

    /// The edits among files in `photos/`. Nil if no process can be started to read their metadata; each file then has
    /// a finding.
    func edits(at paths: [RelativePath]) async throws -> [RelativePath: AdoptedEdit]? {
        do { return try await editReader.edits(at: paths) } catch let error as MetadataReaderError {
            for path in paths { reporter.add(error.finding(path)) }
            return nil
        }
    }

    func expect(_ path: RelativePath, _ content: FileExpectation.Content) -> FileExpectation {
        FileExpectation(root: store.root, path: path, content: content)
    }
}

extension MetadataReaderError {
    /// Reports an unreadable file. The rest of the library can still be verified.
    func finding(_ path: RelativePath) -> LibraryVerification.Finding { .init(.metadataNotRead, path, description) }
}

/// Collects and publishes the findings of one verification.
final class VerificationReporter {
    package typealias Finding = LibraryVerification.Finding

    private(set) var report = LibraryVerification.Report()
    private let onProgress: (LibraryVerification.Report) -> Void
    private let onFinding: (Finding) -> Void

    init(onProgress: @escaping (LibraryVerification.Report) -> Void, onFinding: @escaping (Finding) -> Void) {
        self.onProgress = onProgress
        self.onFinding = onFinding
    }

    func update(_ change: (inout LibraryVerification.Report) -> Void) { change(&report) }

    func add(_ finding: Finding) {
        report.findings[finding.kind, default: 0] += 1
        if finding.isRepaired { report.repaired += 1 }
        onFinding(finding)
    }

    func publishProgress() { onProgress(report) }

    /// Turns a state into a finding about the library's file. Counts the bytes of a good file and returns nil.
    func finding(
        _ state: FileState, _ path: RelativePath, missing: Finding.Kind, changed: Finding.Kind
    ) -> Finding? {
        switch state {
        case .good(let bytes):
            report.bytes += bytes
            return nil
        case .shared: return nil
        case .missing: return Finding(missing, path)
        case .changed, .damaged: return Finding(changed, path)
        case .unreadable(let cause): return Finding(.unreadable, path, cause)
        }
    }
}
