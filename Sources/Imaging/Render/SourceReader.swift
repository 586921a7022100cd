internal import Decode
internal import Digest
internal import Encode
internal import Jobs
internal import Metadata
internal import PictureFormat
internal import Pixels
internal import RenderJobs
internal import Storage

/// Reads and decodes a job's files. It holds the RAW's bytes from `read` to `release`.
struct SourceReader: ~Copyable {
    private let limits: DecodeLimits
    private let toolkit: XMPToolkit
    private var raw = FileBuffer()

    init(limits: DecodeLimits, toolkit: XMPToolkit) {
        self.limits = limits
        self.toolkit = toolkit
    }

    // MARK: - Reading

    /// Reads the RAW and its companions. Each must be unchanged since the job was planned.
    mutating func read(_ source: Source, _ files: SourceFiles) throws(Failure) -> SourceMaterial {
        try catchingReadErrors(of: source.raw.file) { () throws(StorageError) in
            _ = try unsafe files.raw.load(
                into: &raw, limitBytes: UInt64(limits.fileBytes), expecting: source.raw.expected)
        }
        return SourceMaterial(
            sidecar: try sidecar(source.sidecar, files.sidecar),
            companion: try companion(source.companion, files.companion))
    }

    mutating func release() { raw.trim(toBytes: 0) }

    private func sidecar(_ stamp: FileStamp?, _ file: OpenFile?) throws(Failure) -> InheritedXMP {
        guard let stamp, let file else { return InheritedXMP() }
        let bytes = try catchingReadErrors(of: stamp.file) { () throws(StorageError) in
            var buffer = FileBuffer()
            _ = try unsafe file.load(into: &buffer, limitBytes: 16 << 20, expecting: stamp.expected)
            return unsafe Array(buffer.bytes)
        }
        // A damaged sidecar is ignored: it must not fail the photo.
        return (try? toolkit.inherited(from: bytes)) ?? InheritedXMP()
    }

    private func companion(_ stamp: FileStamp?, _ file: OpenFile?) throws(Failure) -> CompanionJPEG? {
        guard let stamp, let file else { return nil }
        return try catchingReadErrors(of: stamp.file) { () throws(StorageError) in
            var buffer = FileBuffer()
            let identity = try file.read(into: &buffer, limitBytes: 1 << 30, expecting: stamp.expected)
            let prefix = unsafe Array(buffer.bytes.prefix(JPEGMetadata.prefixByteCount))
            return CompanionJPEG(stamp: stamp, digest: identity.digest, capture: CaptureStamp(jpeg: prefix))
        }
    }

    // MARK: - Decoding

    /// Number of pictures in the RAW that was read last.
    func frameCount(of source: Source) throws(Failure) -> Int {
        try catchingDecodeErrors(of: source.raw.file) { () throws(DecodeError) in try open().frameCount }
    }

    /// Names of the camera; empty for a recipe without camera profiles.
    func cameras(_ task: FrameTask) throws(Failure) -> [String] {
        guard task.job.recipe.cameraProfiles != nil else { return [] }
        return try catchingDecodeErrors(of: task.file) { () throws(DecodeError) in
            try open().cameraNames(frame: task.frame)
        }
    }

    /// Size of a frame's sensor, margins included.
    func sensorSize(_ task: FrameTask) throws(Failure) -> PixelSize {
        try catchingDecodeErrors(of: task.file) { () throws(DecodeError) in
            try open().sensorSize(frame: task.frame)
        }
    }

    /// Decodes a frame of the RAW that was read last, with its metadata and the camera's picture.
    ///
    /// - Parameter profile: replaces the file's colour profile; nil to keep it.
    func decode(_ task: FrameTask, _ profile: CameraProfileFile?) throws(Failure) -> DecodedFrame {
        try catchingDecodeErrors(of: task.file) { () throws(DecodeError) in
            let file = try open()
            return DecodedFrame(
                metadata: try file.metadata(frame: task.frame), cameraPicture: try cameraPicture(file, task.frame),
                sensor: try file.decode(frame: task.frame, xTrans: .mosaic, threads: task.threads, profile: profile),
                lacksProfile: task.job.recipe.cameraProfiles != nil && profile == nil)
        }
    }

    /// Metadata of a frame of the RAW that was read last; nil if they cannot be read.
    func metadata(_ task: FrameTask) -> SourceMetadata? { try? open().metadata(frame: task.frame) }

    /// The camera's picture in the RAW that was read last; nil if there is none.
    func orientedPreview(of source: Source, isSmall: Bool) throws(Failure) -> OrientedPreview? {
        try catchingDecodeErrors(of: source.raw.file) { () throws(DecodeError) in
            try open().orientedPreview(isSmall: isSmall)
        }
    }

    private func open() throws(DecodeError) -> RawFile { try unsafe RawFile(bytes: raw.bytes, limits: limits) }

    /// The first readable picture that the camera embedded, scaled down. A RAW of several frames has one picture, of
    /// the first frame.
    private func cameraPicture(_ file: borrowing RawFile, _ frame: Int) throws(DecodeError) -> CameraPicture {
        guard frame == 0 else { return CameraPicture() }
        let previews = try file.smallPreviews()
        var isDamaged = previews.hasDamaged
        for preview in previews.candidates {
            switch reading(preview) {
            case .picture(let picture): return CameraPicture(picture: picture)
            case .damaged: isDamaged = true
            case .unsuitable: break
            }
        }
        return CameraPicture(isDamaged: isDamaged)
    }

    private func reading(_ preview: EmbeddedPreview) -> PreviewReading {
        switch preview.format {
        case .jpeg: PreviewReader.read(preview.bytes)
        case .rgb8:
            SmallPicture(subsampling: preview.bytes, size: preview.size).map { .picture($0) } ?? .unsuitable
        }
    }
}

/// The camera's picture of a shot, whose brightness is the starting point.
struct CameraPicture {
    /// Nil if there is no readable picture.
    var picture: SmallPicture?
    var isDamaged = false

    /// For users: without the camera's picture the brightness differs, which is not visible in the photo.
    var complaint: String? {
        isDamaged ? "The camera's own preview is damaged, so the brightness was measured without it." : nil
    }
}

struct DecodedFrame: ~Copyable {
    let metadata: SourceMetadata
    let cameraPicture: CameraPicture
    let sensor: SensorImage
    /// Whether the recipe's camera profiles have none for this camera.
    let lacksProfile: Bool
}

/// Files read for a job, in addition to the RAW's bytes.
struct SourceMaterial {
    /// Properties of the sidecar; empty without one.
    let sidecar: InheritedXMP
    let companion: CompanionJPEG?
}

/// The JPEG beside a RAW, before it is known to be of the same shot.
struct CompanionJPEG {
    let stamp: FileStamp
    let digest: SHA256Value
    let capture: CaptureStamp
}

extension FileStamp {
    fileprivate var expected: ExpectedFile {
        ExpectedFile(sizeBytes: sizeBytes, modifiedNanoseconds: modifiedNanoseconds)
    }
}
