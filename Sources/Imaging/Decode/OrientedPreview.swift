public import PictureFormat

/// The camera's own picture, to be shown to a person.
public struct OrientedPreview: Sendable {
    /// The picture as it is in the RAW.
    public let picture: EmbeddedPreview
    /// How it has to be turned to be upright.
    public let orientation: Orientation
}

extension RawFile {
    /// The picture that the camera embedded, to be shown; nil where there is none, or none that programs show.
    ///
    /// - Parameter isSmall: whether a thumbnail is enough; otherwise it is the largest.
    /// - Throws: what `init` throws.
    public func orientedPreview(isSmall: Bool) throws(DecodeError) -> OrientedPreview? {
        let frame = try firstFrame()
        let picture = isSmall ? frame.smallPreviews(limits: limits).candidates.first : nil
        return (picture ?? frame.largestPreview(limits: limits)).map {
            OrientedPreview(picture: $0, orientation: frame.orientation(of: $0))
        }
    }
}

extension Frame {
    /// LibRaw may name a smaller one than there is, and knows places that no TIFF directory tells.
    fileprivate func largestPreview(limits: DecodeLimits) -> EmbeddedPreview? {
        var search = PreviewSearch(isForShow: true)
        if let tiff { search.add(tiff) }
        guard let other = embeddedPreview(limits: limits) else { return search.largest }
        switch other.format {
        case .jpeg:
            unsafe other.bytes.withUnsafeBytes { unsafe search.add(jpeg: $0) }
            return search.largest
        case .rgb8:
            guard let largest = search.largest, largest.size.pixelCount >= other.size.pixelCount else { return other }
            return largest
        }
    }

    /// Cameras embed their pictures as the sensor saw them; a few, and programs that make DNGs, turn them upright before.
    /// Where the axes are swapped, the shape tells which it is.
    fileprivate func orientation(of preview: EmbeddedPreview) -> Orientation {
        let orientation = dng?.orientation ?? raw.facts.orientation
        let (shown, sensor) = (preview.size, sensorSize)
        let isTurned = (shown.width < shown.height) != (sensor.width < sensor.height) && shown.width != shown.height
        return orientation.swapsAxes && isTurned ? .upright : orientation
    }
}
