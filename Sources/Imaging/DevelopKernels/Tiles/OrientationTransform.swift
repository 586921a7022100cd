package import PictureFormat

/// Transforms the sensor's rows to the upright picture: the eight orientations as flips and a transposition.
package struct OrientationTransform: Equatable, Sendable {
    /// In the sensor's order.
    package let sensorSize: PixelSize
    /// The upright coordinate from the sensor's column is counted from the last column.
    package let flipsX: Bool
    /// The same for rows.
    package let flipsY: Bool
    /// Rows become columns.
    package let swapsAxes: Bool

    package init(_ orientation: Orientation, sensorSize: PixelSize) {
        self.sensorSize = sensorSize
        swapsAxes = orientation.swapsAxes
        flipsX = [.mirroredHorizontally, .rotated180, .transversed, .rotated90CounterClockwise].contains(orientation)
        flipsY = [.rotated180, .mirroredVertically, .rotated90Clockwise, .transversed].contains(orientation)
    }

    package var uprightSize: PixelSize { swapsAxes ? sensorSize.transposed : sensorSize }

    /// The sensor direction of a direction in the upright picture: columns, and rows downwards.
    package func sensorDirection(x: Double, y: Double) -> (x: Double, y: Double) {
        // What a sensor column becomes, and a row.
        let (column, row) = swapsAxes ? (y, x) : (x, y)
        return (flipsX ? -column : column, flipsY ? -row : row)
    }

    /// Chroma samples of the upright picture belong to squares of 2 × 2 pixels counted from its top-left corner. If an
    /// odd number of pixels is flipped, the first square starts one pixel before the picture in the sensor's order.
    package var tileLead: TileLead {
        TileLead(x: flipsX ? sensorSize.width & 1 : 0, y: flipsY ? sensorSize.height & 1 : 0)
    }
}
