import Coordinator
import Runs
import Synchronization
import Telemetry

/// A file that failed, in one line.
enum FailureText {
    static func line(_ job: FailedSource, _ roots: RootMap) -> String {
        let verb = job.before ? "failed before" : "failed"
        return
            "\(verb) \(TerminalText.escape(roots.named(job.source))): \(job.reason): \(roots.sentence(job.message, about: job.source))"
    }
}

/// The failures that were named: a photo in thirty looks fails thirty times for one reason.
final class NamedFailures: Sendable {
    private struct Failure: Hashable {
        let source: [UInt8]
        let message: String
    }

    private let named = Mutex<Set<Failure>>([])
    private static let maxCount = 100_000

    /// False for a file that was named with this message.
    func isNew(_ job: FailedSource) -> Bool {
        named.withLock { named in
            let isNew = named.insert(Failure(source: job.source, message: job.message)).inserted
            if named.count > Self.maxCount { named.removeAll() }
            return isNew
        }
    }
}

extension RootMap {
    /// A sentence about a file, with `root/path` instead of its absolute path. Safe for a terminal.
    func sentence(_ message: String, about path: [UInt8]) -> String {
        let absolute = String(decoding: path, as: UTF8.self)
        return TerminalText.escape(message.replacing(absolute, with: String(decoding: named(path), as: UTF8.self)))
    }
}
