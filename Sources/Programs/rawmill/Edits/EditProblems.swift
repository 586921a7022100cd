import Jobs
import Library
import Synchronization

/// Why photos of an edit could not be rendered, as the parts that tried say it.
final class EditProblems: RunReporter {
    private let messages = Mutex<[[UInt8]: String]>([:])

    /// By the RAW's absolute path.
    subscript(path: [UInt8]?) -> String? { path.flatMap { path in messages.withLock { $0[path] } } }

    func failed(_ job: FailedSource) { messages.withLock { $0[job.source] = "\(job.reason): \(job.message)" } }

    /// The sentence of a photo that stays.
    ///
    /// - Parameter reason: what is known of it.
    static func sentence(_ reason: String?) -> String {
        guard let reason else { return "it could not be rendered, or its RAW is another one now" }
        return "it could not be rendered: \(reason.last == "." ? String(reason.dropLast()) : reason)"
    }

    func planned(_ plan: RunPlan) {}
    func completed(_ job: CompletedJob) {}
    func skipped(_ file: SkippedSource) {}
    func tick(_ counts: RunCounts, total: Int, elapsed: Duration) {}
    func notice(_ text: String) {}
    func ended(_ summary: RunSummary) {}
}
