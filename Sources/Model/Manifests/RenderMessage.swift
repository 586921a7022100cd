public import Digest
public import Jobs

/// What a render process sends to its worker.
public enum RenderMessage: Hashable, Sendable {
    /// The job has ended.
    case reply(RenderReply)
    /// Asks for the files of a frame.
    case frame(FrameQuestion)
    /// Asks whether the RAW that a photo in the library names is still there, or the library has its copy.
    case original(FileStamp)
    /// The camera's own picture is written, or the RAW has none; or why the RAW cannot be read.
    case cameraPicture(Failure?)
}

/// A render process's reply to a request.
public struct RenderReply: Hashable, Sendable {
    /// The job that was requested.
    public let job: JobID
    /// How it ended.
    public let outcome: Manifest.Outcome
    /// In the order of the stages.
    public let timings: [StageTiming]
    /// Largest resident size the process ever had.
    public var peakResidentBytes: UInt64
    /// Frames whose files were written since the last question.
    public let outputs: [FrameOutput]

    /// - Parameters:
    ///   - job: that was requested.
    ///   - outcome: how it ended.
    ///   - timings: in the order of the stages.
    ///   - peakResidentBytes: largest resident size the process ever had; 0 until it is known.
    ///   - outputs: frames whose files were written since the last question.
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

/// A render process asks for the files of a frame.
public struct FrameQuestion: Hashable, Sendable {
    /// The frame's number, from 0.
    public let frame: UInt32
    /// Frames whose files were written since the question before.
    public let finished: [FrameOutput]

    /// The parameters are the properties of the same names.
    public init(frame: UInt32, finished: [FrameOutput] = []) {
        self.frame = frame
        self.finished = finished
    }
}

/// What a render process wrote of a frame, into the files that its worker gave it.
public struct FrameOutput: Hashable, Sendable {
    /// The frame's number, from 0.
    public let frame: UInt32
    /// The photo's file; nil where the library's is taken as it is.
    public let photo: WrittenFile?
    /// The preview's file; nil where the library's is taken as it is.
    public let preview: WrittenFile?
    /// True if the photo takes the place of a file with other bytes.
    public let replacesPhoto: Bool

    /// The parameters are the properties of the same names.
    public init(frame: UInt32, photo: WrittenFile? = nil, preview: WrittenFile? = nil, replacesPhoto: Bool = false) {
        self.frame = frame
        self.photo = photo
        self.preview = preview
        self.replacesPhoto = replacesPhoto
    }
}

/// The bytes that were written to a file.
public struct WrittenFile: Hashable, Sendable {
    /// Their SHA-256.
    public let digest: SHA256Value
    /// How many.
    public let sizeBytes: UInt64

    /// The parameters are the properties of the same names.
    public init(digest: SHA256Value, sizeBytes: UInt64) {
        self.digest = digest
        self.sizeBytes = sizeBytes
    }
}

/// A worker's answer to a question of its render process.
public enum RenderAnswer: Hashable, Sendable {
    /// The files of the frame come along: empty ones for preview and photo, then what the library has.
    case frame(asset: SHA256Value, hasKnownPhoto: Bool, hasKnownPreview: Bool)
    /// Whether the RAW is there, or its copy.
    case original(isThere: Bool)
    /// The job cannot go on.
    case failed(Failure)
}
