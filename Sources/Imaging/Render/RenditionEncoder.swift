internal import Develop
internal import Encode
internal import Jobs
internal import Metadata
internal import PictureFormat
internal import Pixels
internal import RenderJobs

/// Encodes the files of a rendition: the photo from strips while it is developed, then preview and thumbnail.
///
/// The files stay in its memory until the next frame begins.
struct RenditionEncoder: ~Copyable {
    private var photo: JPEGEncoder
    private let preview: PreviewEncoder

    init(profiles: ICCProfiles) {
        photo = JPEGEncoder(profiles: profiles)
        preview = PreviewEncoder(JPEGEncoder(profiles: profiles))
    }

    /// Begins the photo of a frame, whose strips come while it is developed.
    mutating func begin(_ task: FrameTask) throws(Failure) -> StripEncoder {
        try catchingEncodeErrors(of: task.file) { () throws(EncodeError) in
            try photo.begin(JPEGCoding(task.job.recipe))
        }
    }

    /// Encodes the preview, and meanwhile, where there are threads to spare, puts metadata and strips together to the
    /// photo's file.
    ///
    /// - Parameters:
    ///   - developed: must hold a preview; its strips have all come.
    ///   - draft: what the photo says of itself.
    ///   - packet: the photo's XMP.
    ///   - gainMap: that follows the photo; nil for none.
    /// - Returns: the preview's size.
    mutating func finish(
        _ developed: borrowing DevelopedStrips, _ draft: RenditionDraft, _ packet: [UInt8], gainMap: [UInt8]?
    ) throws(Failure) -> PixelSize {
        let task = draft.task
        switch developed.preview {
        case .some(let image):
            try preview.encode(image, inBackground: task.threads > 1) { () throws(Failure) in
                let segments = JPEGSegments(
                    exif: draft.exif(thumbnail: thumbnail(of: image)), xmp: packet,
                    gainMap: gainMap.map { .following($0) })
                try catchingEncodeErrors(of: task.file) { () throws(EncodeError) in
                    try photo.finish(task.job.recipe.colourSpace, segments: segments)
                }
            }
            if let error = preview.error { throw Failure(error, task.file) }
            return image.size
        case .none: throw Failure(.internalError, "\(task.file): no preview was developed.")
        }
    }

    /// Encodes the gain map.
    ///
    /// - Returns: its file; nil where none was developed.
    func gainMap(
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

    /// Encodes the preview of a photo that is no JPEG.
    ///
    /// - Returns: the preview's size.
    mutating func encodePreview(
        _ developed: borrowing DevelopedStrips, _ task: FrameTask
    ) throws(Failure) -> PixelSize {
        switch developed.preview {
        case .some(let image):
            preview.encode(image, inBackground: false) {}
            if let error = preview.error { throw Failure(error, task.file) }
            return image.size
        case .none: throw Failure(.internalError, "\(task.file): no preview was developed.")
        }
    }

    /// Nil where it cannot be encoded: a photo without one is as good.
    private mutating func thumbnail(of preview: borrowing OutputImage) -> [UInt8]? {
        let small = reduced(preview, toLongEdge: RenderSettings.thumbnailEdge)
        let done: Void? = try? photo.encode(small, quality: RenderSettings.thumbnailQuality, segments: .bare)
        return done.map { photo.copyBytes() }
    }

    /// Lends the photo's file.
    func withPhoto<Value>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Value) throws(Failure) -> Value {
        try unsafe photo.withBytes(body)
    }

    /// Lends the preview's file.
    func withPreview<Value>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Value) throws(Failure) -> Value {
        try unsafe preview.withBytes(body)
    }
}
