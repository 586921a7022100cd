import PictureFormat

/// Transform of a picture from the sensor's rows: its size in the sensor's order, and its orientation.
package struct PictureGeometry: Sendable {
    package let transform: OrientationTransform
    let horizontal: ResampleAxis
    let vertical: ResampleAxis
    /// False if the picture has the sensor's size.
    let resamples: Bool
    let inputSize: PixelSize

    /// A picture of the sensor's size.
    package init(_ transform: OrientationTransform) {
        self.transform = transform
        let none = ResampleAxis.identity
        (horizontal, vertical, resamples) = (none, none, false)
        inputSize = transform.sensorSize
    }

    /// A resampled picture. Proves that the axes end in its size and average alike: nil otherwise.
    package init?(_ transform: OrientationTransform, horizontal: ResampleAxis, vertical: ResampleAxis) {
        guard horizontal.output == transform.sensorSize.width, vertical.output == transform.sensorSize.height,
            horizontal.boxShift == vertical.boxShift
        else { return nil }
        self.transform = transform
        self.horizontal = horizontal
        self.vertical = vertical
        resamples = true
        inputSize = PixelSize(width: horizontal.input, height: vertical.input)
    }
}
