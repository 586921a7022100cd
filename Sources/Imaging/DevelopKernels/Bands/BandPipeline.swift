import PictureFormat
import Pixels

/// Develops one thread's share of a picture: some row pairs, from sensor samples to output pictures.
package final class BandPipeline {
    package struct Output {
        let geometry: PictureGeometry
        let rows: Range<Int>
        let sharpening: DetailLimits?
        let sink: any SizedTileSink

        /// The rows are whole row pairs in the sensor's order. Sharpening is for a resampled picture; nil for none. The
        /// sink has the picture's size.
        package init(
            _ geometry: PictureGeometry, rows: Range<Int>, sharpening: DetailLimits?, sink: any SizedTileSink
        ) {
            self.geometry = geometry
            self.rows = rows
            self.sharpening = sharpening
            self.sink = sink
        }

        /// Whether tiles of a picture of this size make the output, and its rows and sink match its geometry.
        fileprivate func fits(_ size: PixelSize, _ lead: TileLead) -> Bool {
            geometry.inputSize == size && (geometry.resamples || geometry.transform.tileLead == lead)
                && sink.size == geometry.transform.sensorSize
                && rows.lowerBound >= 0 && rows.upperBound <= sink.size.height
        }
    }

    /// A sink and the rows it needs, linked to the next sink. Passing on a tile must not count references: that is an
    /// atomic write, which waits for all earlier writes to memory.
    private final class Link: TileSink {
        let inputs: Range<Int>
        private let sink: any TileSink
        private let next: Link?

        init(inputs: Range<Int>, sink: any TileSink, next: Link?) {
            self.inputs = inputs
            self.sink = sink
            self.next = next
        }

        /// Rows that this sink and the following ones need.
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
    private let lead: TileLead
    private let output: any TileSink
    private let rows: Range<Int>
    private let film: FilmTiles?
    private let scratch = ScratchRows(rows: Tile.planes, count: Tile.squares)

    /// Proves that the picture is not too small for its mosaic, and that every output was planned for it: nil
    /// otherwise.
    ///
    /// - Parameters:
    ///   - samples: sensor samples, whose plane must outlive the pipeline.
    ///   - matrix: from balanced camera colour to scene light.
    ///   - noise: nil keeps colour noise.
    ///   - detail: nil keeps detail.
    ///   - alignment: for a Bayer mosaic with displaced red and blue; nil for none.
    ///   - warp: from the samples' picture to the outputs' picture; nil for none.
    ///   - film: effects on light; nil for none.
    ///   - effect: applied to the full-size picture before the outputs; nil for none.
    ///   - preview: another picture from the same tiles.
    package init?(
        _ samples: SensorSamples, mosaic: Mosaic, levels: SampleLevels, highlights: HighlightReconstruction,
        matrix: ColourMatrix, noise: ChromaNoiseLimits?, detail: DetailLimits?, alignment: ColourAlignment? = nil,
        warp: WarpField?, lead: TileLead,
        film: FilmRows? = nil, effect: PictureEffect? = nil, full: Output, preview: Output?
    ) {
        let size = warp?.size ?? samples.crop.size
        let (sensorSize, sensorLead) = (samples.crop.size, warp == nil ? lead : TileLead.none)
        guard
            let mosaic = mosaic.makeSource(
                samples, levels: levels, highlights: highlights, detail: detail, alignment: alignment, lead: sensorLead),
            warp.map({ $0.source == sensorSize }) ?? true, full.fits(size, lead), preview?.fits(size, lead) ?? true
        else { return nil }
        let source =
            noise.map { ChromaNoiseFilter(mosaic, limits: $0, size: sensorSize, lead: sensorLead) } ?? mosaic
        self.source = warp.map { WarpSource(source, field: $0, clip: levels.clip) } ?? source
        self.matrix = matrix
        self.size = size
        self.lead = lead
        self.film = film.map { FilmTiles($0) }
        let outputs = Self.link(full, before: preview.map { Self.link($0, before: nil) })
        let wanted = outputs.allInputs
        if let effect, !wanted.isEmpty {
            let effect = PictureEffectRows(effect, size: size, lead: lead, rows: wanted, target: outputs)
            (output, rows) = (effect, effect.inputs)
        } else {
            (output, rows) = (outputs, wanted)
        }
    }

    private static func link(_ output: Output, before next: Link?) -> Link {
        let geometry = output.geometry
        if !geometry.resamples { return Link(inputs: output.rows, sink: output.sink, next: next) }
        var (rows, sink) = (output.rows, output.sink as any TileSink)
        if let sharpening = output.sharpening {
            sink = OutputSharpening(sharpening, rows: rows, lead: geometry.transform.tileLead, target: output.sink)
            rows = OutputSharpening.inputs(of: rows, height: output.sink.size.height)
        }
        let resampler = Resampler(geometry, outputs: rows, target: sink)
        return Link(inputs: geometry.vertical.inputs(of: rows), sink: resampler, next: next)
    }

    package func run() {
        guard !rows.isEmpty else { return }
        for y in stride(from: rows.lowerBound - ((rows.lowerBound + lead.y) & 1), to: rows.upperBound, by: 2) {
            source.prepare(y)
            film?.prepare(y)
            for x in stride(from: -lead.x, to: size.width, by: Tile.width) { output.take(makeTile(x, y)) }
        }
        output.finish()
    }

    private func makeTile(_ x: Int, _ y: Int) -> Tile {
        let tile = Tile(in: scratch, x: x, y: y, size: size)
        source.fill(tile, matrix: matrix)
        film?.apply(tile)
        tile.repeatEdges()
        return tile
    }
}
