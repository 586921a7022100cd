internal import TIFF
public import PictureFormat
public import Pixels

/// One picture of a DNG: its samples and their description.
public struct DNGPicture: ~Copyable {
    /// All samples, margins included.
    public let plane: Plane<UInt16>
    /// The colour filter array, counted from the plane's corner.
    public let layout: SensorLayout
    /// Coding of the samples.
    public var compression = DNGCompression.losslessJPEG(predictor: 1)
    /// Scope of the Huffman tables.
    public var huffmanTables = DNGHuffmanTables.shared
    /// Division of the samples.
    public var chunking = DNGChunking.tiles(PixelSize(width: 256, height: 256))
    /// The part of the sensor that light reaches; nil for all of it.
    public var activeArea: PixelRect?
    /// The picture inside the active area, relative to its corner; nil for all of it.
    public var defaultCrop: PixelRect?
    /// Black levels of a repeating block, counted from the plane's corner.
    public var black = BlackLevel(rows: 1, columns: 1, values: [0])
    /// Saturation in sensor counts.
    public var white: UInt16 = 16383
    /// Linearization table of stored samples; nil for none.
    public var linearization: [UInt16]?
    /// Width of a pixel divided by its height.
    public var pixelAspect = Rational(1, 1)
    /// Lists of opcodes by number, 1 to 3, in the file's form.
    public var opcodes: [Int: [UInt8]] = [:]
    /// Whether the file has a digest that detects damaged samples.
    public var hasDigest = true

    /// Black levels of a repeating block.
    public struct BlackLevel: Hashable, Sendable {
        /// Rows of the block.
        public var rows: Int
        /// Columns of the block.
        public var columns: Int
        /// Sensor counts, row by row.
        public var values: [Rational]

        /// Creates levels from the block's size and values.
        public init(rows: Int, columns: Int, values: [Rational]) {
            self.rows = rows
            self.columns = columns
            self.values = values
        }

        init(rows: Int, columns: Int, values: [Int64]) {
            self.init(rows: rows, columns: columns, values: values.map { Rational($0, 1) })
        }
    }

    /// - Parameters:
    /// - plane: all samples, margins included.
    /// - layout: the colour filter array.
    public init(plane: consuming Plane<UInt16>, layout: SensorLayout) {
        self.plane = plane
        self.layout = layout
    }

    var size: PixelSize { PixelSize(width: plane.width / layout.samplesPerPixel, height: plane.height) }

    var activeRect: PixelRect { activeArea ?? PixelRect(x: 0, y: 0, size: size) }

    /// Bits of the white level, at least 8.
    var precision: Int { max(8, 16 - white.leadingZeroBitCount) }

    func chunks(littleEndian: Bool) -> [[UInt8]] {
        DNGChunker(
            chunking: chunking, compression: compression, littleEndian: littleEndian,
            precision: linearization == nil ? precision : 16, huffmanTables: huffmanTables
        ).chunks(of: plane, samplesPerPixel: layout.samplesPerPixel)
    }

    /// The fields of the directory that holds the samples (DNG 1.4, chapters 2 and 4).
    func fields(firstChunk: Int, chunkBytes: [Int]) -> ImageFileDirectory {
        let samples = layout.samplesPerPixel
        var directory = ImageFileDirectory([
            .newSubfileType: .longs([0]),
            .imageWidth: .longs([UInt32(size.width)]),
            .imageLength: .longs([UInt32(size.height)]),
            .bitsPerSample: .shorts([UInt16](repeating: UInt16(storedBits), count: samples)),
            .samplesPerPixel: .shorts([UInt16(samples)]),
            .planarConfiguration: .shorts([1]),
            .whiteLevel: .longs(whiteLevels),
            .defaultScale: .rationals([pixelAspect, Rational(1, 1)]),
        ])
        switch compression {
        case .none: directory[.compression] = .shorts([DNGCompressionCode.none])
        case .losslessJPEG: directory[.compression] = .shorts([DNGCompressionCode.jpeg])
        }
        addChunks(to: &directory, firstChunk: firstChunk, chunkBytes: chunkBytes)
        addFilters(to: &directory)
        addBlack(to: &directory)
        addAreas(to: &directory)
        directory[.linearizationTable] = linearization.map { .shorts($0) }
        for (number, tag) in [(1, TIFFTag.opcodeList1), (2, .opcodeList2), (3, .opcodeList3)] {
            directory[tag] = opcodes[number].map { .undefined($0) }
        }
        // With a linearization table, readers differ in what they hash.
        if hasDigest, linearization == nil {
            directory[.newRawImageDigest] = .bytes(
                plane.rawImageDigest(samplesPerPixel: samples, asBytes: storedBits <= 8))
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

    private func addChunks(to directory: inout ImageFileDirectory, firstChunk: Int, chunkBytes: [Int]) {
        let offsets = TIFFValue.chunkOffsets(first: firstChunk, count: chunkBytes.count)
        let counts = TIFFValue.longs(chunkBytes.map { UInt32($0) })
        switch chunking {
        case .tiles(let tile):
            directory[.tileWidth] = .longs([UInt32(tile.width)])
            directory[.tileLength] = .longs([UInt32(tile.height)])
            directory[.tileOffsets] = offsets
            directory[.tileByteCounts] = counts
        case .strips(let rows):
            directory[.stripOffsets] = offsets
            directory[.rowsPerStrip] = .longs([UInt32(min(rows, size.height))])
            directory[.stripByteCounts] = counts
        }
    }

    /// Adds the colour filter array, which the file counts from the active area's corner.
    private func addFilters(to directory: inout ImageFileDirectory) {
        let period: Int
        let pattern: [CFAColour]
        switch layout {
        case .bayer(let colours): (period, pattern) = (2, colours)
        case .xTrans(let colours): (period, pattern) = (6, colours)
        case .monochrome, .linearRGB:
            directory[.photometricInterpretation] = .shorts([Photometric.linearRaw])
            return
        }
        let area = activeRect
        directory[.photometricInterpretation] = .shorts([Photometric.colourFilterArray])
        directory[.cfaRepeatPatternDim] = .shorts([UInt16(period), UInt16(period)])
        directory[.cfaPattern] = .bytes(
            (0..<period * period).map { index in
                let y = (index / period + area.y) % period
                let x = (index % period + area.x) % period
                return pattern[y * period + x].rawValue
            })
        directory[.cfaPlaneColor] = .bytes([0, 1, 2])
        directory[.cfaLayout] = .shorts([1])
    }

    private func addBlack(to directory: inout ImageFileDirectory) {
        let area = activeRect
        directory[.blackLevelRepeatDim] = .shorts([UInt16(black.rows), UInt16(black.columns)])
        var values: [Rational] = []
        for index in 0..<black.rows * black.columns {
            let y = (index / black.columns + area.y) % black.rows
            let x = (index % black.columns + area.x) % black.columns
            values += [Rational](repeating: black.values[y * black.columns + x], count: layout.samplesPerPixel)
        }
        directory[.blackLevel] = .rationals(values)
    }

    private func addAreas(to directory: inout ImageFileDirectory) {
        let area = activeRect
        let crop = defaultCrop ?? PixelRect(x: 0, y: 0, size: area.size)
        directory[.activeArea] = .longs(
            [area.y, area.x, area.y + area.size.height, area.x + area.size.width].map { UInt32($0) })
        directory[.defaultCropOrigin] = .longs([UInt32(crop.x), UInt32(crop.y)])
        directory[.defaultCropSize] = .longs([UInt32(crop.size.width), UInt32(crop.size.height)])
    }
}
