import PictureFormat
import Pixels

/// One thread's share of a picture: the row pairs it develops and the pictures it writes them to.
final class Band {
    /// A sink with the rows it wants, and the one after it. Handing on a tile counts no references, because nothing
    /// here changes: a count waits until all that was written before it has reached memory.
    final class Output {
        let inputs: Range<Int>
        private let sink: any TileSink
        private let next: Output?

        init(inputs: Range<Int>, sink: any TileSink, next: Output?) {
            self.inputs = inputs
            self.sink = sink
            self.next = next
        }

        /// The rows that this sink and those after it want.
        var allInputs: Range<Int> {
            guard let others = next?.allInputs, !others.isEmpty else { return inputs }
            if inputs.isEmpty { return others }
            return min(inputs.lowerBound, others.lowerBound)..<max(inputs.upperBound, others.upperBound)
        }

        func take(_ tile: Tile) {
            if inputs.overlaps(tile.y..<(tile.y + 2)) { sink.take(tile) }
            next?.take(tile)
        }

        func finish() {
            if !inputs.isEmpty { sink.finish() }
            next?.finish()
        }
    }

    private let source: any TileSource
    private let matrix: ColourMatrix
    private let size: PixelSize
    private let lead: (x: Int, y: Int)
    private let output: Output
    private let scratch = ScratchRows(rows: Tile.planes, count: Tile.squares)

    /// - Parameters:
    ///   - size: of the picture before resampling, in the sensor's order.
    ///   - lead: 1 where the squares begin one column or row before the picture.
    init(
        source: any TileSource, matrix: ColourMatrix, size: PixelSize, lead: (x: Int, y: Int), output: Output
    ) {
        self.source = source
        self.matrix = matrix
        self.size = size
        self.lead = lead
        self.output = output
    }

    func run() {
        let rows = output.allInputs
        guard !rows.isEmpty else { return }
        for y in stride(from: rows.lowerBound - ((rows.lowerBound + lead.y) & 1), to: rows.upperBound, by: 2) {
            source.prepare(y)
            for x in stride(from: -lead.x, to: size.width, by: Tile.width) { output.take(makeTile(x, y)) }
        }
        output.finish()
    }

    private func makeTile(_ x: Int, _ y: Int) -> Tile {
        let tile = Tile(in: scratch, x: x, y: y, size: size)
        source.fill(tile, matrix: matrix)
        tile.repeatEdges()
        return tile
    }
}
