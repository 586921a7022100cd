public import PictureFormat
public import Pixels

/// One picture of a DNG: its samples and what the file says of them.
public struct DNGPicture: ~Copyable {
    public let plane: Plane<UInt16>
    public let layout: SensorLayout
    public var compression = DNGCompression.losslessJPEG(predictor: 1)
    public var chunking = DNGChunking.tiles(PixelSize(width: 256, height: 256))
    /// The sensor's lit part; nil for all of it.
    public var activeArea: PixelRect?
    /// The picture inside the active area, from that area's corner; nil for all of it.
    public var defaultCrop: PixelRect?
    /// By place of a repeating block counted from the plane's corner, row by row.
    public var black = BlackLevel(rows: 1, columns: 1, values: [0])
    public var white: UInt16 = 16383
    /// A table the stored samples are looked up in.
    public var linearization: [UInt16]?
    /// Width of a pixel over its height.
    public var pixelAspect = Rational(1, 1)
    /// Writes a digest of the samples, by which a reader knows that they are those that were written.
    public var hasDigest = true

    public struct BlackLevel: Hashable, Sendable {
        public var rows: Int
        public var columns: Int
        public var values: [Rational]

        public init(rows: Int, columns: Int, values: [Rational]) {
            self.rows = rows
            self.columns = columns
            self.values = values
        }

        init(rows: Int, columns: Int, values: [Int64]) {
            self.init(rows: rows, columns: columns, values: values.map { Rational($0, 1) })
        }
    }

    public init(plane: consuming Plane<UInt16>, layout: SensorLayout) {
        self.plane = plane
        self.layout = layout
    }

    var size: PixelSize { PixelSize(width: plane.width / layout.samplesPerPixel, height: plane.height) }

    var activeRect: PixelRect { activeArea ?? PixelRect(x: 0, y: 0, size: size) }

    /// Bits that hold the white level.
    var precision: Int { max(8, 16 - white.leadingZeroBitCount) }

    func chunks(littleEndian: Bool) -> [[UInt8]] {
        DNGChunker(
            chunking: chunking, compression: compression, littleEndian: littleEndian,
            precision: linearization == nil ? precision : 16
        ).chunks(of: plane, samplesPerPixel: layout.samplesPerPixel)
    }

    /// The fields of the directory that holds the samples (DNG 1.4, chapters 2 and 4).
    func fields(firstChunk: Int, chunkBytes: [Int]) -> TIFFDirectory {
        let samples = layout.samplesPerPixel
        var directory = TIFFDirectory([
            254: .longs([0]), 256: .longs([UInt32(size.width)]), 257: .longs([UInt32(size.height)]),
            258: .shorts([UInt16](repeating: UInt16(storedBits), count: samples)),
            277: .shorts([UInt16(samples)]), 284: .shorts([1]), 50717: .longs(whiteLevels),
            50718: .rationals([pixelAspect, Rational(1, 1)]),
        ])
        switch compression {
        case .none: directory[259] = .shorts([1])
        case .losslessJPEG: directory[259] = .shorts([7])
        }
        addChunks(to: &directory, firstChunk: firstChunk, chunkBytes: chunkBytes)
        addFilters(to: &directory)
        addBlack(to: &directory)
        addAreas(to: &directory)
        directory[50712] = linearization.map { .shorts($0) }
        // Readers differ in what they hash where a table stands between the samples and their meaning.
        if hasDigest, linearization == nil {
            directory[51111] = .bytes(plane.rawImageDigest(samplesPerPixel: samples, asBytes: storedBits <= 8))
        }
        return directory
    }

    private var storedBits: Int {
        switch compression {
        case .none(let bits): bits
        case .losslessJPEG: linearization == nil ? precision : 16
        }
    }

    private var whiteLevels: [UInt32] { [UInt32](repeating: UInt32(white), count: layout.samplesPerPixel) }

    private func addChunks(to directory: inout TIFFDirectory, firstChunk: Int, chunkBytes: [Int]) {
        let offsets = TIFFValue.chunkOffsets(first: firstChunk, count: chunkBytes.count)
        let counts = TIFFValue.longs(chunkBytes.map { UInt32($0) })
        switch chunking {
        case .tiles(let tile):
            directory[322] = .longs([UInt32(tile.width)])
            directory[323] = .longs([UInt32(tile.height)])
            directory[324] = offsets
            directory[325] = counts
        case .strips(let rows):
            directory[273] = offsets
            directory[278] = .longs([UInt32(min(rows, size.height))])
            directory[279] = counts
        }
    }

    /// The pattern counts from the active area's corner.
    private func addFilters(to directory: inout TIFFDirectory) {
        let period: Int
        let pattern: [CFAColour]
        switch layout {
        case .bayer(let colours): (period, pattern) = (2, colours)
        case .xTrans(let colours): (period, pattern) = (6, colours)
        case .monochrome, .linearRGB:
            directory[262] = .shorts([34892])
            return
        }
        let area = activeRect
        directory[262] = .shorts([32803])
        directory[33421] = .shorts([UInt16(period), UInt16(period)])
        directory[33422] = .bytes(
            (0..<period * period).map { index in
                let y = (index / period + area.y) % period
                let x = (index % period + area.x) % period
                return pattern[y * period + x].rawValue
            })
        directory[50710] = .bytes([0, 1, 2])
        directory[50711] = .shorts([1])
    }

    private func addBlack(to directory: inout TIFFDirectory) {
        let area = activeRect
        directory[50713] = .shorts([UInt16(black.rows), UInt16(black.columns)])
        var values: [Rational] = []
        for index in 0..<black.rows * black.columns {
            let y = (index / black.columns + area.y) % black.rows
            let x = (index % black.columns + area.x) % black.columns
            values += [Rational](repeating: black.values[y * black.columns + x], count: layout.samplesPerPixel)
        }
        directory[50714] = .rationals(values)
    }

    private func addAreas(to directory: inout TIFFDirectory) {
        let area = activeRect
        let crop = defaultCrop ?? PixelRect(x: 0, y: 0, size: area.size)
        directory[50829] = .longs(
            [area.y, area.x, area.y + area.size.height, area.x + area.size.width].map { UInt32($0) })
        directory[50719] = .longs([UInt32(crop.x), UInt32(crop.y)])
        directory[50720] = .longs([UInt32(crop.size.width), UInt32(crop.size.height)])
    }
}
