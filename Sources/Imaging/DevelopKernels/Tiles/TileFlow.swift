package import PictureFormat

/// Produces a picture's tiles in white-balanced camera colour, where 1 is the saturation of the least amplified
/// channel.
protocol TileSource: AnyObject {
    /// Prepares the tiles of rows `y` and `y + 1`. Calls are in ascending order, two rows apart.
    func prepare(_ y: Int)
    /// Fills the part of a tile inside the picture with colours multiplied by `matrix`. Values outside are meaningless.
    func fill(_ tile: Tile, matrix: ColourMatrix)
}

/// Consumes a picture's tiles of linear light: row pairs in ascending order, each pair's tiles from left to right.
package protocol TileSink: AnyObject {
    func take(_ tile: Tile)
    /// Call it after the last tile.
    func finish()
}

/// The last sink, which writes a picture.
package protocol SizedTileSink: TileSink {
    /// In the sensor's order.
    var size: PixelSize { get }
}
