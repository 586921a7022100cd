import Metadata

/// Reused memory in which JPEGs are assembled.
///
/// `@unchecked Sendable`: the strips are guarded by a lock; only the thread that completes a photo uses the buffers.
final class JPEGMemory: @unchecked Sendable {
    let strips = StripEncoder()
    private var buffer = OutputBuffer()
    /// The joined baseline file, before progressive coding.
    private var joined = OutputBuffer()
    /// A photo and its gain map.
    private var pair = OutputBuffer()

    /// Joins the strips to a file.
    ///
    /// - Parameters:
    ///   - header: SOI and metadata segments. With a gain map, it ends with the index of both files.
    ///   - gainMap: a JPEG appended to the photo; nil for none.
    /// - Returns: the file; valid until the next picture.
    func join(
        _ header: [UInt8], isProgressive: Bool, gainMap: [UInt8]?
    ) throws(EncodeError) -> UnsafeRawBufferPointer {
        let photo = unsafe isProgressive ? try progressive(header) : try strips.join(header, spare: &buffer)
        guard let gainMap else { return unsafe photo }
        return try unsafe append(gainMap, to: photo, headerBytes: header.count)
    }

    private func progressive(_ header: [UInt8]) throws(EncodeError) -> UnsafeRawBufferPointer {
        let jpeg = try unsafe strips.join([0xFF, 0xD8], spare: &joined)
        let bound = try strips.worstCase()
        let base = try unsafe buffer.reserve(header.count + bound)
        let byteCount = try unsafe ProgressiveTransform().run(jpeg, output: base + header.count, capacity: bound)
        let file = try unsafe JPEGEncoder.replaceHead(base, header: header, byteCount: byteCount)
        return unsafe UnsafeRawBufferPointer(start: base + file.lowerBound, count: file.count)
    }

    /// Appends the gain map and writes both sizes into the index.
    private func append(
        _ map: [UInt8], to photo: UnsafeRawBufferPointer, headerBytes: Int
    ) throws(EncodeError) -> UnsafeRawBufferPointer {
        let file = unsafe UnsafeMutableRawBufferPointer(
            start: try pair.reserve(photo.count + map.count), count: photo.count + map.count)
        unsafe file.copyMemory(from: photo)
        unsafe UnsafeMutableRawBufferPointer(rebasing: file[photo.count...]).copyBytes(from: map)
        let place = headerBytes - MultiPictureIndex.byteCount
        let index = MultiPictureIndex(photoBytes: photo.count, mapBytes: map.count)
        unsafe UnsafeMutableRawBufferPointer(rebasing: file[place..<headerBytes]).copyBytes(
            from: index.content(at: place))
        return UnsafeRawBufferPointer(file)
    }
}
