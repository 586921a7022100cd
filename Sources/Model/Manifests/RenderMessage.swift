public import Digest
public import Jobs

/// A message from a render process to its worker.
public enum RenderMessage: Hashable, Sendable {
    case reply(RenderReply)
    case frame(FrameQuestion)
    /// Asks whether the RAW that a photo in the library names still exists, or the library has its copy.
    case original(FileStamp)
    /// The camera's picture was written, or the RAW has none; or why the RAW cannot be read.
    case cameraPicture(Failure?)
}

/// A render process's reply to a request.
public struct RenderReply: Hashable, Sendable {
    /// The requested job.
    public let job: JobID
    /// How the job ended.
    public let outcome: Manifest.Outcome
    /// In the order of the stages.
    public let timings: [StageTiming]
    /// The largest resident size of the process so far; 0 until it is known.
    public var peakResidentBytes: UInt64
    /// Frames whose files were written since the last question.
    public let outputs: [FrameOutput]

    /// Memberwise initializer.
    public init(
        job: JobID, outcome: Manifest.Outcome, timings: [StageTiming] = [],
        peakResidentBytes: UInt64 = 0, outputs: [FrameOutput] = []
    ) {
        self.job = job
        self.outcome = outcome
        self.timings = timings
        self.peakResidentBytes = peakResidentBytes
        self.outputs = outputs
    }
}

/// A render process's request for the files of a frame.
public struct FrameQuestion: Hashable, Sendable {
    /// The frame's number, from 0.
    public let frame: UInt32
    /// Frames whose files were written since the last question.
    public let finished: [FrameOutput]

    /// Memberwise initializer.
    public init(frame: UInt32, finished: [FrameOutput] = []) {
        self.frame = frame
        self.finished = finished
    }
}

/// What a render process wrote of a frame, into the files from its worker.
public struct FrameOutput: Hashable, Sendable {
    /// The frame's number, from 0.
    public let frame: UInt32
    /// The photo's file; nil if the library's is reused.
    public let photo: WrittenFile?
    /// The preview's file; nil if the library's is reused.
    public let preview: WrittenFile?
    /// Whether the photo replaces a file with other bytes.
    public let replacesPhoto: Bool

    /// Memberwise initializer.
    public init(frame: UInt32, photo: WrittenFile? = nil, preview: WrittenFile? = nil, replacesPhoto: Bool = false) {
        self.frame = frame
        self.photo = photo
        self.preview = preview
        self.replacesPhoto = replacesPhoto
    }
}

/// The content of a written file.
public struct WrittenFile: Hashable, Sendable {
    /// SHA-256 of the bytes.
    public let digest: SHA256Value
    /// The number of bytes.
    public let sizeBytes: UInt64

    /// Memberwise initializer.
    public init(digest: SHA256Value, sizeBytes: UInt64) {
        self.digest = digest
        self.sizeBytes = sizeBytes
    }
}

/// A worker's answer to its render process.
public enum RenderAnswer: Hashable, Sendable {
    /// Comes with the files of the frame: empty ones for preview and photo, then those that the library has.
    case frame(asset: SHA256Value, hasKnownPhoto: Bool, hasKnownPreview: Bool)
    /// Whether the RAW or its copy exists.
    case original(isThere: Bool)
    case failed(Failure)
}
