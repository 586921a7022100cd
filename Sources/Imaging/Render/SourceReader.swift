internal import Decode
internal import Digest
internal import Encode
internal import Jobs
internal import Metadata
internal import PictureFormat
internal import Pixels
internal import RenderJobs
internal import Storage

/// Reads and decodes a job's files. It owns the RAW's bytes from `read` until `release`.
struct SourceReader: ~Copyable {
    private let limits: DecodeLimits
    private let toolkit: XMPToolkit
    private var raw = FileBuffer()

    init(limits: DecodeLimits, toolkit: XMPToolkit) {
        self.limits = limits
        self.toolkit = toolkit
    }

    // MARK: - Reading

    /// Reads the RAW, and the files beside it. Each must be as it was when the job was planned.
    mutating func read(_ source: Source, _ files: SourceFiles) throws(Failure) -> SourceMaterial {
        try catchingReadErrors(of: source.raw.file) { () throws(StorageError) in
            _ = try unsafe files.raw.load(
                into: &raw, limitBytes: UInt64(limits.fileBytes), expecting: source.raw.expected)
        }
        return SourceMaterial(
            sidecar: try sidecar(source.sidecar, files.sidecar),
            companion: try companion(source.companion, files.companion))
    }

    /// Gives the RAW's memory back to the pool.
    mutating func release() { raw.trim(toBytes: 0) }

    /// What the sidecar adds to the photo's metadata.
    private func sidecar(_ stamp: FileStamp?, _ file: OpenFile?) throws(Failure) -> InheritedXMP {
        guard let stamp, let file else { return InheritedXMP() }
        let bytes = try catchingReadErrors(of: stamp.file) { () throws(StorageError) in
            var buffer = FileBuffer()
            _ = try unsafe file.load(into: &buffer, limitBytes: 16 << 20, expecting: stamp.expected)
            return unsafe Array(buffer.bytes)
        }
        // A sidecar that another program broke says nothing; that is no reason to refuse the photo.
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

    /// Pictures in the RAW that was read last.
    func frameCount(of source: Source) throws(Failure) -> Int {
        try catchingDecodeErrors(of: source.raw.file) { () throws(DecodeError) in try open().frameCount }
    }

    /// The names of the camera, for a recipe with camera profiles.
    func cameras(_ task: FrameTask) throws(Failure) -> [String] {
        guard task.job.recipe.cameraProfiles != nil else { return [] }
        return try catchingDecodeErrors(of: task.file) { () throws(DecodeError) in
            try open().cameraNames(frame: task.frame)
        }
    }

    /// The size of a frame's sensor, margins included.
    func sensorSize(_ task: FrameTask) throws(Failure) -> PixelSize {
        try catchingDecodeErrors(of: task.file) { () throws(DecodeError) in
            try open().sensorSize(frame: task.frame)
        }
    }

    /// One frame of the RAW that was read last: its metadata, its samples and the camera's own small picture.
    ///
    /// - Parameter profile: the camera's, instead of what the file says; nil for none.
    func decode(_ task: FrameTask, _ profile: CameraProfileFile?) throws(Failure) -> DecodedFrame {
        try catchingDecodeErrors(of: task.file) { () throws(DecodeError) in
            let file = try open()
            return DecodedFrame(
                metadata: try file.metadata(frame: task.frame), cameraPicture: try cameraPicture(file, task.frame),
                sensor: try file.decode(frame: task.frame, xTrans: .mosaic, threads: task.threads, profile: profile),
                lacksProfile: task.job.recipe.cameraProfiles != nil && profile == nil)
        }
    }

    /// The metadata of one frame of the RAW that was read last; nil if it cannot be read.
    func metadata(_ task: FrameTask) -> SourceMetadata? { try? open().metadata(frame: task.frame) }

    /// The camera's own picture in the RAW that was read last; nil if there is none.
    func orientedPreview(of source: Source, isSmall: Bool) throws(Failure) -> OrientedPreview? {
        try catchingDecodeErrors(of: source.raw.file) { () throws(DecodeError) in
            try open().orientedPreview(isSmall: isSmall)
        }
    }

    private func open() throws(DecodeError) -> RawFile { try unsafe RawFile(bytes: raw.bytes, limits: limits) }

    /// The picture of the shot that the camera embedded, scaled down: the first that can be read. A RAW of several
    /// frames has one, which shows the first.
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

/// The camera's own picture of a shot, whose brightness is the starting point of ours.
struct CameraPicture {
    /// Nil if there is none that can be read.
    var picture: SmallPicture?
    /// Whether there would be one if it were not damaged.
    var isDamaged = false

    /// For a person: without the camera's picture the brightness is another, and the photo alone does not show that.
    var complaint: String? {
        isDamaged ? "The camera's own preview is damaged, so the brightness was measured without it." : nil
    }
}

/// One frame of a RAW, ready to be developed.
struct DecodedFrame: ~Copyable {
    let metadata: SourceMetadata
    let cameraPicture: CameraPicture
    let sensor: SensorImage
    /// The recipe's camera profiles have none for this camera.
    let lacksProfile: Bool
}

/// Files read for a job, in addition to the RAW's bytes.
struct SourceMaterial {
    /// What the sidecar says; empty where there is none.
    let sidecar: InheritedXMP
    let companion: CompanionJPEG?
}

/// The JPEG beside a RAW, before it is known whether it shows the same shot.
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
