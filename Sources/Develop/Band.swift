import Pixels

/// One thread's share of a picture: the row pairs it develops and the pictures it writes them to.
final class Band {
    /// A sink with the rows it wants.
    struct Output {
        let inputs: Range<Int>
        let sink: any TileSink
    }

    private let source: any TileSource
    private let matrix: ColourMatrix
    private let size: PixelSize
    private let lead: (x: Int, y: Int)
    private let outputs: [Output]
    private let scratch = RowStore(rows: Tile.planes, count: Tile.squares)

    /// - Parameters:
    ///   - size: of the picture before resampling, in the sensor's order.
    ///   - lead: 1 where the squares begin one column or row before the picture.
    init(
        source: any TileSource, matrix: ColourMatrix, size: PixelSize, lead: (x: Int, y: Int), outputs: [Output]
    ) {
        self.source = source
        self.matrix = matrix
        self.size = size
        self.lead = lead
        self.outputs = outputs.filter { !$0.inputs.isEmpty }
    }

    func run() {
        guard let first = outputs.map(\.inputs.lowerBound).min(), let end = outputs.map(\.inputs.upperBound).max()
        else { return }
        for y in stride(from: first - ((first + lead.y) & 1), to: end, by: 2) {
            source.prepare(y)
            let wanting = outputs.filter { $0.inputs.overlaps(y..<(y + 2)) }
            for x in stride(from: -lead.x, to: size.width, by: Tile.width) {
                let tile = makeTile(x, y)
                for output in wanting { output.sink.take(tile) }
            }
        }
        for output in outputs { output.sink.finish() }
    }

    private func makeTile(_ x: Int, _ y: Int) -> Tile {
        let tile = Tile(in: scratch, x: x, y: y, size: size)
        source.fill(tile, matrix: matrix)
        tile.repeatEdges()
        return tile
    }
}
