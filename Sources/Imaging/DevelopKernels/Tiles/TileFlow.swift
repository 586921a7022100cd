package import PictureFormat

/// Produces a picture's tiles in white-balanced camera colour, in which 1 is the saturation of the least amplified
/// channel.
protocol TileSource: AnyObject {
    /// Prepares the tiles of rows `y` and `y + 1`. Calls come in ascending order, two rows apart.
    func prepare(_ y: Int)
    /// Fills a tile where it lies inside the picture with colours multiplied by `matrix`. The values outside have no
    /// meaning.
    func fill(_ tile: Tile, matrix: ColourMatrix)
}

/// Consumes a picture's tiles of linear light: row pairs in ascending order, and each pair's tiles from left to right.
package protocol TileSink: AnyObject {
    /// Consumes the next tile.
    func take(_ tile: Tile)
    /// Called after the last tile.
    func finish()
}

/// The end of the flow: it writes a picture.
package protocol SizedTileSink: TileSink {
    /// The picture's size in the sensor's order.
    var size: PixelSize { get }
}
