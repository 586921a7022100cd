public import PictureFormat

/// The camera's own picture, for display.
public struct OrientedPreview: Sendable {
    /// The picture as stored in the RAW.
    public let picture: EmbeddedPreview
    /// Rotation that makes the picture upright.
    public let orientation: Orientation
}

extension RawFile {
    /// The embedded picture for display; nil if there is none in a supported format.
    ///
    /// - Parameter isSmall: true for a thumbnail, false for the largest.
    /// - Throws: the errors of `init`.
    public func orientedPreview(isSmall: Bool) throws(DecodeError) -> OrientedPreview? {
        let frame = try firstFrame()
        let picture = isSmall ? frame.smallPreviews(limits: limits).candidates.first : nil
        return (picture ?? frame.largestPreview(limits: limits)).map {
            OrientedPreview(picture: $0, orientation: frame.orientation(of: $0))
        }
    }
}

extension Frame {
    /// LibRaw may select a smaller preview, but also finds previews outside TIFF directories.
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

    /// Cameras store previews unrotated; a few cameras and DNG converters store them upright. If the orientation swaps
    /// the axes, the preview's shape shows which.
    fileprivate func orientation(of preview: EmbeddedPreview) -> Orientation {
        let orientation = dng?.orientation ?? raw.facts.orientation
        let (shown, sensor) = (preview.size, sensorSize)
        let isTurned = (shown.width < shown.height) != (sensor.width < sensor.height) && shown.width != shown.height
        return orientation.swapsAxes && isTurned ? .upright : orientation
    }
}
