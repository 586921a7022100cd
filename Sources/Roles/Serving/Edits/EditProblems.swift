internal import Jobs
internal import PhotoTree
package import Runs
internal import Synchronization

/// The causes why photos of an edit could not be rendered.
package final class EditProblems: RunReporter {
    private let messages = Mutex<[[UInt8]: String]>([:])

    package init() {}

    /// The cause by the RAW's absolute path.
    package subscript(path: [UInt8]?) -> String? { path.flatMap { path in messages.withLock { $0[path] } } }

    package func failed(_ job: FailedSource) { messages.withLock { $0[job.source] = job.message } }

    /// The sentence about an unchanged photo.
    ///
    /// - Parameter reason: nil if unknown.
    package static func sentence(_ reason: String?) -> String {
        guard let reason else { return "it could not be rendered, or its RAW was replaced" }
        return "it could not be rendered: \(reason.last == "." ? String(reason.dropLast()) : reason)"
    }

    package func planned(_ plan: RunPlan) {}
    package func completed(_ job: CompletedJob) {}
    package func skipped(_ file: SkippedSource) {}
    package func tick(_ counts: RunCounts, total: Int, elapsed: Duration) {}
    package func notice(_ text: String) {}
    package func ended(_ summary: RunSummary) {}
}
