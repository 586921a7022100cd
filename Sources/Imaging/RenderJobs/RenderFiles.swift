public import Digest
public import Jobs
public import Manifests
public import Storage

/// The files that a render of one job may read and write. The worker opens them: a render opens none, and
/// knows no folder.
public protocol RenderFiles: AnyObject {
    /// What is read for every frame.
    var sources: SourceFiles { get }

    /// The files of a frame.
    ///
    /// - Parameter question: names the frame, and what was written since the last question.
    func frame(_ question: FrameQuestion) throws(Failure) -> FrameFiles

    /// Whether the RAW that a photo in the library names is still there, or the library has its copy.
    func isThere(_ original: FileStamp) throws(Failure) -> Bool
}

/// What is read for a job.
public struct SourceFiles: Sendable {
    /// The RAW.
    public let raw: OpenFile
    /// The sidecar that the job names; nil if it names none.
    public let sidecar: OpenFile?
    /// The camera's JPEG that the job names; nil if it names none.
    public let companion: OpenFile?
    /// The look's table; nil for a look that has none, and for one that is not in the library.
    public let lookTable: OpenFile?
    /// The recipe's lens table; nil for a recipe that names none, and for one that is not in the library.
    public let lensTable: OpenFile?
    /// The recipe's camera profiles; nil for a recipe without, and for those that are not in the library.
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

    /// All files that there are, in the order in which they are sent to another process.
    public var all: [OpenFile] {
        [raw] + [sidecar, companion, lookTable, lensTable, cameraProfiles].compactMap(\.self)
    }

    /// What the file system said of the source's files when they were opened: other facts mean other contents.
    public var facts: [FileFacts] { [raw, sidecar, companion].compactMap { $0?.facts } }
}

/// What is read and written for a frame.
public struct FrameFiles: Sendable {
    /// SHA-256 of the RAW.
    public let asset: SHA256Value
    /// Gets the preview's bytes.
    public let preview: BlankFile
    /// Gets the photo's bytes.
    public let photo: BlankFile
    /// The library's photo of the same RAW, recipe and engine; nil if it has none.
    public let knownPhoto: OpenFile?
    /// The library's preview of it.
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
