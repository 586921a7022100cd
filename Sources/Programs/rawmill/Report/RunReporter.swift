import Clock
import Telemetry

/// Reports a run to people or programs.
///
/// The calls come from the run's tasks, one at a time for each kind. They block no longer than the reader of the output.
protocol RunReporter: Sendable {
    /// The plan is made and accepted; work begins.
    func planned(_ plan: RunPlan)
    /// The photos of a job are in the library.
    func completed(_ job: CompletedJob)
    /// A job ended without a photo.
    func failed(_ job: FailedSource)
    /// A file was left out, and nothing is wrong with it.
    func skipped(_ file: SkippedSource)
    /// Called a few times a second while the run lasts.
    func tick(_ counts: RunCounts, total: Int, elapsed: Duration)
    /// A sentence that a person should read.
    func notice(_ text: String)
    /// The last call: all jobs have ended, or the run was stopped.
    func ended(_ summary: RunSummary)
}

/// What is to be done, in numbers.
struct RunPlan: Hashable, Sendable {
    var new = 0
    /// Known files that changed, or that are converted with other settings.
    var changed = 0
    /// Failed before for a reason that may have passed.
    var again = 0
    /// Accepted by an earlier run and still open.
    var pending = 0
    var unchanged = 0
    /// Failed before, and unchanged since.
    var failedBefore = 0
    var unreadable = 0
    /// Files whose names are not those of RAWs.
    var notRaw = 0
    /// Links that lead out of the folders and were skipped.
    var links = 0
    /// Files and folders that the user excludes.
    var excluded = 0
    /// RAWs with fewer stars than asked for.
    var ratedLower = 0

    /// Jobs this run has to end.
    var toConvert: Int { new + changed + again + pending }
    /// Whether there is no RAW in the sources.
    var isEmpty: Bool { toConvert + unchanged + failedBefore + unreadable == 0 }
}

/// A job whose photos are in the library.
struct CompletedJob: Hashable, Sendable {
    let job: String
    /// Absolute.
    let source: [UInt8]
    /// SHA-256 of the RAW.
    let asset: String
    /// The path of each frame's photo, frame 0 first. A frame that a newer edit hides is left out.
    let photos: [[UInt8]]
    /// Names that the photos would have had, but that people's files have and keep.
    var occupied: [[UInt8]] = []
    /// Photos among them that the library had already.
    var reused = 0
    let milliseconds: [StageMilliseconds]
    /// Why its colours cannot be trusted.
    let degraded: String?
    /// The camera, where --dcp has no profile for it.
    var cameraWithoutProfile: String?
}

struct StageMilliseconds: Hashable, Sendable {
    let stage: String
    var milliseconds: Double
}

/// A job that ended without a photo.
struct FailedSource: Hashable, Sendable {
    /// Nil for a source that could not be examined.
    let job: String?
    let source: [UInt8]
    let reason: String
    let message: String
    /// It failed in an earlier run, and the file is unchanged.
    let before: Bool
}

/// A file that was left out.
struct SkippedSource: Hashable, Sendable {
    let source: [UInt8]
    /// For programs: `link`, `not-raw`, `name-taken`.
    let reason: String
    let message: String
}

/// How far a run is.
struct RunCounts: Hashable, Sendable {
    var completed = 0
    var degraded = 0
    var failed = 0
}

/// How a run ended.
struct RunSummary: Hashable, Sendable {
    /// Jobs this run had to end.
    var accepted = 0
    var completed = 0
    var degraded = 0
    var failed = 0
    var unchanged = 0
    /// Failed in earlier runs, and not tried again.
    var failedBefore = 0
    /// Sources and folders that could not be read.
    var unreadable = 0
    /// Photos that could not be placed in the folder.
    var unplaced = 0
    /// Photos left out because another file has their name.
    var kept = 0
    /// Photos that the library had already, of RAWs at another path: nothing was developed for them.
    var reused = 0
    /// Jobs that are still open. The same command continues with them.
    var open = 0
    var elapsed: Duration = .zero
    /// Folder of the current photos.
    var photos = ""

    var photosPerSecond: Double {
        let seconds = elapsed.milliseconds / 1000
        return seconds > 0 ? Double(completed + degraded) / seconds : 0
    }

    /// Files of the sources without a photo.
    var notImported: Int { failed + failedBefore + unreadable }
    /// What a person should know of them; nil for nothing.
    var notImportedSentence: String? {
        NotImported.sentence(notImported, of: completed + degraded + unchanged + notImported + open)
    }

    var hasFailures: Bool { failed + unreadable + unplaced > 0 }
}
