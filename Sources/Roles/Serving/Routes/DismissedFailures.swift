internal import Digest
internal import Jobs
internal import Storage
internal import Synchronization

/// Failures that a user dismissed. They stay in the ledger, but the page no longer shows them.
///
/// A file in the library stores them in 32 bytes a job.
final class DismissedFailures: Sendable {
    private let root: Root
    private let jobs: Mutex<Set<JobID>>
    private static let path = Array(".rawmill/dismissed".utf8)
    private static let limitBytes: UInt64 = 64 << 20

    /// - Throws: `StorageError`.
    init(in root: Root) throws {
        self.root = root
        var known: Set<JobID> = []
        if try root.factsIfPresent(of: Self.path) != nil {
            let bytes = try root.contents(of: Self.path, limitBytes: Self.limitBytes)
            for start in stride(from: 0, through: bytes.count - 32, by: 32) {
                if let digest = SHA256Value(bytes: Array(bytes[start..<(start + 32)])) {
                    known.insert(JobID(digest: digest))
                }
            }
        }
        jobs = Mutex(known)
    }

    func contains(_ job: JobID) -> Bool { jobs.withLock { $0.contains(job) } }

    /// - Throws: `StorageError`. The list is then unchanged.
    func add(_ new: [JobID]) throws {
        try jobs.withLock { jobs in
            let all = jobs.union(new)
            try root.replace(all.sorted().flatMap(\.digest.bytes), at: Self.path)
            jobs = all
        }
    }

    /// Call it when a job ends again, so that its earlier failure no longer counts.
    func forget(_ job: JobID) {
        jobs.withLock { jobs in
            guard jobs.remove(job) != nil else { return }
            try? root.replace(jobs.sorted().flatMap(\.digest.bytes), at: Self.path)
        }
    }
}

extension Root {
    /// Replaces the file at a path, durably.
    fileprivate func replace(_ bytes: [UInt8], at path: [UInt8]) throws(StorageError) {
        _ = try publish(bytes, at: path, existing: .replace)
    }
}
