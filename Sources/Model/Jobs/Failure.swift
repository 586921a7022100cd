/// Why a job failed: a closed list. Users and programs see the raw value.
public enum FailureReason: String, Hashable, Sendable, CaseIterable {
    case notRaw = "not-raw"
    case unsupportedCamera = "unsupported-camera"
    case corrupt
    case tooLarge = "too-large"
    case timeout
    case outOfMemory = "out-of-memory"
    case decoderCrashed = "decoder-crashed"
    case pathEscapesRoot = "path-escapes-root"
    case sourceMissing = "source-missing"
    case sourceChanged = "source-changed"
    case sourceUnreadable = "source-unreadable"
    case diskFull = "disk-full"
    case storageUnavailable = "storage-unavailable"
    case unknownLook = "unknown-look"
    case unknownRoot = "unknown-root"
    case newerWriter = "newer-writer"
    case malformedRecord = "malformed-record"
    case tooManyStarts = "too-many-starts"
    case internalError = "internal"
    case libraryRefused = "library-refused"
    case sandboxViolation = "sandbox-violation"

    /// What to do about a failed job.
    public enum Verdict: Hashable, Sendable {
        /// The cause may pass: try again, a bounded number of times.
        case retry
        /// It can never succeed: end the job.
        case reject
        /// The worker is at fault or cannot work: keep the job, take no more jobs.
        case stop
    }

    /// What to do about a job that failed for this reason.
    public var verdict: Verdict {
        switch self {
        case .notRaw, .unsupportedCamera, .corrupt, .tooLarge, .pathEscapesRoot, .sourceMissing, .sourceChanged,
            .sourceUnreadable, .unknownLook, .unknownRoot, .newerWriter, .malformedRecord, .tooManyStarts,
            .sandboxViolation:
            .reject
        case .timeout, .outOfMemory, .decoderCrashed, .internalError, .libraryRefused: .retry
        case .diskFull, .storageUnavailable: .stop
        }
    }

    /// Whether the failure proves nothing about the photo if the mounted folder is the wrong one.
    public var dependsOnRoot: Bool { [.sourceMissing, .sourceChanged, .sourceUnreadable].contains(self) }

    /// Whether another machine may succeed: it may see a folder that this one lacks.
    public var mayPassElsewhere: Bool { self == .sourceMissing || self == .unknownRoot }

    /// Whether a worker alone cannot establish the failure, because its mount may be wrong or missing. It is final once
    /// the coordinator, which sees the same root, has checked. The coordinator then writes the dead letter.
    public var needsWitness: Bool { self == .sourceMissing }

    /// The reason in words, as a heading.
    public var title: String {
        switch self {
        case .notRaw: "Not a RAW file"
        case .unsupportedCamera: "Camera not supported"
        case .corrupt: "Damaged"
        case .tooLarge: "Too large"
        case .timeout: "Took too long"
        case .outOfMemory: "Out of memory"
        case .decoderCrashed: "Decoder crashed"
        case .pathEscapesRoot: "Link out of its folder"
        case .sourceMissing: "Missing"
        case .sourceChanged: "Changed while it was read"
        case .sourceUnreadable: "Cannot be read"
        case .diskFull: "Disk full"
        case .storageUnavailable: "Storage not available"
        case .unknownLook: "Look not found"
        case .unknownRoot: "Folder not known"
        case .newerWriter: "Needs a newer Rawmill"
        case .malformedRecord: "Job cannot be read"
        case .tooManyStarts: "Worker ended repeatedly"
        case .internalError: "Internal error"
        case .libraryRefused: "Refused by the library"
        case .sandboxViolation: "Blocked by the sandbox"
        }
    }

    /// The remedy, as a sentence for a list of such files.
    public var remedy: String {
        switch self {
        case .notRaw: "These are not camera RAW files. Leave them out, or convert the originals they came from."
        case .unsupportedCamera: "This camera's files cannot be decoded yet. Convert them to DNG first."
        case .corrupt: "The file is damaged or cut short. Copy it again from the card or a backup."
        case .tooLarge:
            "The file or picture is larger than allowed. Raise --max-megapixels or --memory-limit if the file is trusted, "
                + "or give a smaller --long-edge."
        case .timeout: "The file took too long. Try `rawmill retry`; if it happens again, the file is likely damaged."
        case .outOfMemory: "The file needs more memory than a render process may use. Retry with fewer jobs (-j)."
        case .decoderCrashed: "The decoder crashed on this file. It is likely damaged; the rest was not affected."
        case .pathEscapesRoot: "The path leads out of its folder through a link. Convert the link's target instead."
        case .sourceMissing:
            "The file no longer existed when it was to be read. Put it back, then run the same command again."
        case .sourceChanged: "The file changed while it was read. Run the same command again when it no longer changes."
        case .sourceUnreadable: "The file could not be read. Check its permissions and the disk."
        case .diskFull: "The disk is full. Free some space, then run the same command again to continue."
        case .storageUnavailable:
            "A folder is missing, is the wrong one, or is not writable. Check mounts, disk and permissions."
        case .unknownLook:
            "The look or the lens table does not exist here. `rawmill looks list` shows the looks that do."
        case .unknownRoot: "The file's root is not configured on this machine. Convert the file from its current path."
        case .newerWriter: "A newer Rawmill wrote this job. Upgrade Rawmill on this machine."
        case .malformedRecord: "The job could not be read. It is kept as a dead letter."
        case .tooManyStarts:
            "The worker died repeatedly while it rendered this file. Check the file, then run `rawmill retry`."
        case .libraryRefused:
            "A worker's files are not in the library. Mount the same library on every machine, then run `rawmill retry`."
        case .sandboxViolation:
            "The decoder made a forbidden system call and was killed. Treat the file as hostile, or report it if you trust it."
        case .internalError: "This is a bug in Rawmill. Report it with the message; `rawmill retry` tries again."
        }
    }
}

/// A job's failure: the reason for programs, the message for users.
public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, for programs.
    public let reason: FailureReason
    /// What happened to which file, in one sentence.
    public let message: String
    /// The signal that killed the render process, if one did.
    public let signal: Int32?

    /// Memberwise initializer.
    public init(_ reason: FailureReason, _ message: String, signal: Int32? = nil) {
        self.reason = reason
        self.message = message
        self.signal = signal
    }

    /// `reason: message`.
    public var description: String { "\(reason.rawValue): \(message)" }

    /// The message without a leading file name, for a text that has just named the file.
    public func message(about file: FileReference) -> String {
        // Ledgers and workers of 0.1 have a colon between root and path.
        for name in ["\(file): ", "\(file.root):\(file.path): "] where message.utf8.starts(with: name.utf8) {
            return String(message.unicodeScalars.dropFirst(name.unicodeScalars.count))
        }
        return message
    }
}
