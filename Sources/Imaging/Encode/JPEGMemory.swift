import Metadata

/// The memory that JPEGs are put together in, one after another.
///
/// `@unchecked Sendable`: the strips guard themselves, and the buffers are used by the one thread that completes a photo.
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
        let photo = isProgressive ? try progressive(header) : try strips.join(header, spare: &buffer)
        return try gainMap.map { map throws(EncodeError) in try append(map, to: photo, headerBytes: header.count) }
            ?? photo
    }

    private func progressive(_ header: [UInt8]) throws(EncodeError) -> UnsafeRawBufferPointer {
        let jpeg = try strips.join([0xFF, 0xD8], spare: &joined)
        let bound = try strips.worstCase()
        let base = try buffer.reserve(header.count + bound)
        let byteCount = try ProgressiveTransform().run(jpeg, output: base + header.count, capacity: bound)
        let file = try JPEGEncoder.replaceHead(base, header: header, byteCount: byteCount)
        return UnsafeRawBufferPointer(start: base + file.lowerBound, count: file.count)
    }

    /// Puts the map behind the photo, and the sizes of both in the index.
    private func append(
        _ map: [UInt8], to photo: UnsafeRawBufferPointer, headerBytes: Int
    ) throws(EncodeError) -> UnsafeRawBufferPointer {
        let file = UnsafeMutableRawBufferPointer(
            start: try pair.reserve(photo.count + map.count), count: photo.count + map.count)
        file.copyMemory(from: photo)
        UnsafeMutableRawBufferPointer(rebasing: file[photo.count...]).copyBytes(from: map)
        let place = headerBytes - MultiPictureIndex.byteCount
        let index = MultiPictureIndex(photoBytes: photo.count, mapBytes: map.count)
        UnsafeMutableRawBufferPointer(rebasing: file[place..<headerBytes]).copyBytes(from: index.content(at: place))
        return UnsafeRawBufferPointer(file)
    }
}
