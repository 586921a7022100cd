internal import Develop
internal import Encode
internal import Jobs
internal import Metadata
internal import PictureFormat
internal import Pixels
internal import RenderJobs

/// Encodes a rendition's files: the photo from strips while it is developed, then preview and thumbnail.
///
/// The preview stays in memory until the next frame begins.
struct RenditionEncoder: ~Copyable {
    private var photos = PhotoEncoder()
    private var thumbnails: JPEGEncoder
    private let preview: PreviewEncoder

    init(profiles: ICCProfiles) {
        thumbnails = JPEGEncoder(profiles: profiles)
        preview = PreviewEncoder(JPEGEncoder(profiles: profiles))
    }

    /// Begins a frame's photo.
    mutating func begin(
        _ task: FrameTask, _ metadata: EmbeddedMetadata, in file: BlankPhotoFile
    ) throws(Failure) -> any PictureSink {
        try file.encoding(of: task.file) { () throws(EncodeError) in
            try photos.begin(PhotoCoding(task.job.recipe), metadata, threads: task.threads, file: file)
        }
    }

    /// Encodes the preview, and concurrently completes the photo's file if threads are available.
    ///
    /// - Parameter developed: must have a preview and all strips.
    /// - Returns: the preview's size, and the photo's size in bytes.
    mutating func finish(
        _ photo: PhotoInProgress, _ developed: borrowing DevelopedStrips, _ task: FrameTask
    ) throws(Failure) -> (previewSize: PixelSize, byteCount: Int) {
        let gainMap = try gainMap(of: developed, task)
        switch developed.preview {
        case .some(let image):
            let byteCount = try preview.encode(image, inBackground: task.threads > 1) { () throws(Failure) in
                var supplement = PhotoSupplement.none
                if PhotoCoding(task.job.recipe).takesSupplement {
                    supplement = PhotoSupplement(thumbnail: thumbnail(of: image), gainMap: gainMap)
                }
                return try photo.finish(supplement, task.file)
            }
            if let error = preview.error { throw Failure(error, task.file) }
            return (image.size, byteCount)
        case .none: throw Failure(.internalError, "\(task.file): no preview was developed.")
        }
    }

    /// Encodes the gain map as a JPEG.
    ///
    /// - Returns: nil if none was developed.
    private func gainMap(
        of developed: borrowing DevelopedStrips, _ task: FrameTask
    ) throws(Failure) -> [UInt8]? {
        switch developed.gainMap {
        case .some(let map):
            try catchingEncodeErrors(of: task.file) { () throws(EncodeError) in
                try GainMapEncoder.encode(map, GainMapDescription(maxStops: DevelopedStrips.maxGainStops))
            }
        case .none: nil
        }
    }

    /// Nil if encoding fails: a photo does not need a thumbnail.
    private mutating func thumbnail(of preview: borrowing OutputImage) -> [UInt8]? {
        let small = reduced(preview, toLongEdge: RenderSettings.thumbnailEdge)
        let done: Void? = try? thumbnails.encode(small, quality: RenderSettings.thumbnailQuality, segments: .bare)
        return done.map { thumbnails.copyBytes() }
    }

    func withPreview<Value>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Value) throws(Failure) -> Value {
        try unsafe preview.withBytes(body)
    }
}
