public import Digest
public import Jobs
public import Manifests
public import Storage

/// The files that a render of one job may read and write. The worker opens them: the render opens no files and knows no
/// folders.
public protocol RenderFiles: AnyObject {
    /// Input files of the whole job.
    var sources: SourceFiles { get }

    /// The files of a frame.
    ///
    /// - Parameter question: the frame, and the files written since the last question.
    func frame(_ question: FrameQuestion) throws(Failure) -> FrameFiles

    /// Whether the RAW of a library's photo still exists, or the library has a copy of it.
    func isThere(_ original: FileStamp) throws(Failure) -> Bool
}

/// Input files of a job.
public struct SourceFiles: Sendable {
    /// The RAW.
    public let raw: OpenFile
    /// The job's sidecar; nil for none.
    public let sidecar: OpenFile?
    /// The camera's JPEG that the job names; nil for none.
    public let companion: OpenFile?
    /// The look's file; nil if the look is built in, or the file is missing from the library.
    public let lookTable: OpenFile?
    /// The recipe's lens table; nil if it names none, or the file is missing from the library.
    public let lensTable: OpenFile?
    /// The recipe's camera profiles; nil if it names none, or the file is missing from the library.
    public let cameraProfiles: OpenFile?

    /// Creates a value from its properties.
    public init(
        raw: OpenFile, sidecar: OpenFile? = nil, companion: OpenFile? = nil, lookTable: OpenFile? = nil,
        lensTable: OpenFile? = nil, cameraProfiles: OpenFile? = nil
    ) {
        self.raw = raw
        self.sidecar = sidecar
        self.companion = companion
        self.lookTable = lookTable
        self.lensTable = lensTable
        self.cameraProfiles = cameraProfiles
    }

    /// All open files, in the order in which they are sent to another process.
    public var all: [OpenFile] {
        [raw] + [sidecar, companion, lookTable, lensTable, cameraProfiles].compactMap(\.self)
    }

    /// Facts of the source's files when they were opened. Different facts mean different contents.
    public var facts: [FileFacts] { [raw, sidecar, companion].compactMap { $0?.facts } }
}

/// Input and output files of a frame.
public struct FrameFiles: Sendable {
    /// SHA-256 of the RAW.
    public let asset: SHA256Value
    /// Receives the preview.
    public let preview: BlankFile
    /// Receives the photo.
    public let photo: BlankFile
    /// The library's photo of the same RAW, recipe and engine; nil if it is missing.
    public let knownPhoto: OpenFile?
    /// The library's preview of that photo.
    public let knownPreview: OpenFile?

    /// Creates a value from its properties.
    public init(
        asset: SHA256Value, preview: BlankFile, photo: BlankFile, knownPhoto: OpenFile?, knownPreview: OpenFile?
    ) {
        self.asset = asset
        self.preview = preview
        self.photo = photo
        self.knownPhoto = knownPhoto
        self.knownPreview = knownPreview
    }
}
