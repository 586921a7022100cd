import Coordinator
import Digest
import Jobs
import Storage

/// Decides whether a photo was made from its job's own RAW.
struct AuditSources {
    let library: String
    let roots: RootMap

    enum Comparison {
        case same, other
        /// The RAW must be read for this, but cannot be.
        case unreadable
    }

    /// A rendition names its RAW, so usually nothing is read. A RAW at two paths is one asset with one rendition that
    /// names one of them: then the job's own file is hashed.
    ///
    /// - Parameters:
    ///   - asset: the job's RAW according to the cataloguer.
    ///   - made: the files that the asset's renditions were made from.
    func compare(_ job: CataloguedJob, _ asset: SHA256Value, made: [FileStamp]) -> Comparison {
        let sameSize = made.filter { $0.sizeBytes == job.raw.sizeBytes }
        if sameSize.contains(where: { $0.file == job.raw.file }) { return .same }
        guard !sameSize.isEmpty else { return .other }
        guard let root = root(of: job.raw.file), let found = try? root.digest(of: job.raw.file.path.bytes),
            found.facts.sizeBytes == job.raw.sizeBytes, found.facts.modifiedNanoseconds == job.raw.modifiedNanoseconds
        else { return .unreadable }
        return found.digest == asset ? .same : .other
    }

    private func root(of file: FileReference) -> Root? {
        if file.root == .library { return try? Root(path: library) }
        guard let path = roots.path(of: file.root) else { return nil }
        return try? Root(path: String(decoding: path, as: UTF8.self))
    }
}
