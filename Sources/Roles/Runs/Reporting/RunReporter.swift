internal import Clock

/// Reports a run to users or programs.
///
/// The run's tasks call it, one at a time for each method. A call blocks no longer than the reader of the output.
package protocol RunReporter: Sendable {
    /// The plan is complete and accepted; work begins.
    func planned(_ plan: RunPlan)
    /// The photos of a job are in the library.
    func completed(_ job: CompletedJob)
    func failed(_ job: FailedSource)
    func skipped(_ file: SkippedSource)
    /// Called a few times a second during the run.
    func tick(_ counts: RunCounts, total: Int, elapsed: Duration)
    func notice(_ text: String)
    /// The last call: all jobs have ended, or the run was stopped.
    func ended(_ summary: RunSummary)
}

package struct RunPlan: Hashable, Sendable {
    package var new = 0
    /// Known files that changed, or whose settings did.
    package var changed = 0
    /// Earlier failures whose cause may have passed.
    package var again = 0
    /// Accepted by an earlier run and still open.
    package var pending = 0
    package var unchanged = 0
    /// Failed before, and unchanged since.
    package var failedBefore = 0
    package var unreadable = 0
    /// Files without a RAW's name.
    package var notRaw = 0
    /// Skipped links to places outside the folders.
    package var links = 0
    package var excluded = 0
    /// RAWs with fewer stars than requested.
    package var ratedLower = 0
    /// The requested stars; nil if no RAW has fewer.
    package var leastRating: Int?

    /// False for a run that only finishes open jobs.
    package var isOfSources = true

    package var toConvert: Int { new + changed + again + pending }
    /// True if the sources contain no RAW.
    package var isEmpty: Bool { isOfSources && toConvert + unchanged + failedBefore + unreadable == 0 }
}

/// A job whose photos are in the library.
package struct CompletedJob: Hashable, Sendable {
    package let job: String
    package let source: [UInt8]
    package let asset: String
    /// Each frame's photo, frame 0 first, without frames that a newer edit hides.
    package let photos: [[UInt8]]
    /// Names that the photos did not get, because users' files have them.
    package var occupied: [[UInt8]] = []
    /// Photos that the library already had.
    package var reused = 0
    package let milliseconds: [StageMilliseconds]
    package let degraded: String?
    /// The camera, if `--dcp` has no profile for it.
    package var cameraWithoutProfile: String?
}

package struct StageMilliseconds: Hashable, Sendable {
    package let stage: String
    package var milliseconds: Double
}

/// A job that ended without a photo.
package struct FailedSource: Hashable, Sendable {
    /// Nil for an unreadable source.
    package let job: String?
    package let source: [UInt8]
    package let reason: String
    package let message: String
    /// True if it failed in an earlier run and the file is unchanged.
    package let before: Bool
}

package struct SkippedSource: Hashable, Sendable {
    package let source: [UInt8]
    /// For programs: `link`, `not-raw`, `name-taken`.
    package let reason: String
    package let message: String
}

package struct RunCounts: Hashable, Sendable {
    package var completed = 0
    package var degraded = 0
    package var failed = 0

    package init(completed: Int = 0, degraded: Int = 0, failed: Int = 0) {
        self.completed = completed
        self.degraded = degraded
        self.failed = failed
    }
}

/// How a run ended.
package struct RunSummary: Hashable, Sendable {
    /// Jobs that this run had to complete.
    package var accepted = 0
    package var completed = 0
    package var degraded = 0
    package var failed = 0
    package var unchanged = 0
    /// Failed in earlier runs and not retried.
    package var failedBefore = 0
    package var unreadable = 0
    /// Photos that could not be placed in the folder.
    package var unplaced = 0
    /// Photos left out because another file has their name.
    package var kept = 0
    /// Photos that the library already had, of RAWs at another path.
    package var reused = 0
    /// Jobs that are still open. The same command continues them.
    package var open = 0
    package var elapsed: Duration = .zero
    package var photos = ""

    package var photosPerSecond: Double {
        let seconds = elapsed.milliseconds / 1000
        return seconds > 0 ? Double(completed + degraded) / seconds : 0
    }

    /// Files of the sources without a photo.
    package var notImported: Int { failed + failedBefore + unreadable }
    /// The sentence about them, if any.
    package var notImportedSentence: String? {
        NotImported.sentence(notImported, of: completed + degraded + unchanged + notImported + open)
    }

    /// True if no file was found and no job was left over.
    package var isNothing: Bool {
        accepted + completed + degraded + failed + unchanged + failedBefore + unreadable + open == 0
    }

    package var hasFailures: Bool { failed + unreadable + unplaced > 0 }
}
