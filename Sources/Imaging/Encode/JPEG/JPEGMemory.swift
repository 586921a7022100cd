import Metadata

/// The memory that JPEGs are put together in, one after another.
///
/// `@unchecked Sendable`: the strips guard themselves, and the buffers are used by the one thread that completes a
/// photo.
final class JPEGMemory: @unchecked Sendable {
    let strips = StripEncoder()
    private var buffer = OutputBuffer()
    /// The file from strips before it is coded progressively.
    private var joined = OutputBuffer()
    /// A photo and its gain map.
    private var pair = OutputBuffer()

    /// Puts the strips together to a file.
    ///
    /// - Parameters:
    ///   - header: SOI and the metadata's segments. With a gain map, the index of both files is its end.
    ///   - gainMap: that follows the photo; nil for none.
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

    /// Puts the map behind the photo, and the sizes of both in the index.
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
