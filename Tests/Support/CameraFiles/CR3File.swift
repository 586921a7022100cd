package import PictureFormat
package import Pixels

/// A Canon CR3 with one picture: boxes of ISO/IEC 14496-12 around three TIFF directories and samples in Canon's CRX
/// (Laurent Clévy, "Describing the Canon Raw v3 (CR3) file format", 2018).
package struct CR3File: CustomStringConvertible, Sendable {
    /// Codes by tile, plane (four) and band.
    package typealias Streams = [[[[UInt8]]]]

    package var size = PixelSize(width: 640, height: 480)
    /// Size of all tiles except the last ones.
    package var tile = PixelSize(width: 320, height: 480)
    package var bits = 14
    /// Number of wavelet levels; 0 for lossless files.
    package var levels: Int
    /// Quantisation codes by level, from the smallest band. 4 is a step of 1.
    package var steps = [4, 4, 4]
    /// 0 to 3: the colour in the corner.
    package var layout = 0
    package var model = "Canon EOS M50"
    /// Version of the compression.
    package var version = 0x100
    /// Whether the header has the entries of later cameras.
    package var hasLaterEntries = false

    package init(levels: Int = 0) { self.levels = levels }

    package var description: String {
        "\(size.width)×\(size.height) in tiles of \(tile.width)×\(tile.height), \(levels) levels, layout \(layout)"
    }

    // MARK: Samples

    package func streams(_ plane: borrowing Plane<UInt16>) -> Streams {
        var planes: [[[Int]]] = []
        for place in places {
            planes.append(
                (0..<size.height / 2).map { y in
                    let row = plane.row(2 * y + place.y)
                    return (0..<size.width / 2).map { Int(row[2 * $0 + place.x]) - 1 << (bits - 1) }
                })
        }
        return tiles.map { columns, rows in
            planes.map { plane in
                let part = Array(plane[rows])
                return levels == 0 ? [predicted(part.map { Array($0[columns]) })] : bands(part, columns)
            }
        }
    }

    /// Places of red, green, green and blue in each square of four samples.
    private var places: [(x: Int, y: Int)] {
        switch layout {
        case 0: [(0, 0), (1, 0), (0, 1), (1, 1)]
        case 1: [(1, 0), (0, 0), (1, 1), (0, 1)]
        case 2: [(0, 1), (1, 1), (0, 0), (1, 0)]
        default: [(1, 1), (0, 1), (1, 0), (0, 0)]
        }
    }

    /// The tiles of a plane, row by row.
    private var tiles: [(columns: Range<Int>, rows: Range<Int>)] {
        func parts(_ length: Int, _ part: Int) -> [Range<Int>] {
            stride(from: 0, to: length / 2, by: part / 2).map { $0..<min($0 + part / 2, length / 2) }
        }
        return parts(size.height, tile.height).flatMap { rows in
            parts(size.width, tile.width).map { (columns: $0, rows: rows) }
        }
    }

    private func predicted(_ rows: [[Int]]) -> [UInt8] {
        var writer = CRXWriter(width: rows[0].count)
        for row in rows { writer.putPredicted(row) }
        return writer.finish()
    }

    private func bands(_ rows: [[Int]], _ columns: Range<Int>) -> [[UInt8]] {
        var transform = CRXTransform(rows, columns: columns)
        var streams: [[UInt8]] = []
        for level in (0..<levels).reversed() {
            let bands = transform.split(isDeepest: level == 0)
            streams.insert(
                contentsOf: [bands.columns, bands.rows, bands.both].map { sparse($0, step: Self.step(steps[level])) },
                at: 0)
        }
        let lowest = transform.lowest.map { row in row.map { $0 / Self.step(steps[0]) } }
        return [predicted(lowest)] + streams
    }

    private func sparse(_ rows: [[Int]], step: Int) -> [UInt8] {
        var writer = CRXWriter(width: rows[0].count)
        for row in rows { writer.putSparse(row.map { $0 / step }) }
        return writer.finish()
    }

    /// The step of a code below 36.
    package static func step(_ number: Int) -> Int {
        [0x28, 0x2d, 0x33, 0x39, 0x40, 0x48][number % 6] >> (6 - number / 6)
    }

    // MARK: The picture's header

    /// All streams after their header.
    ///
    /// - Parameter hasPrediction: whether the first band of a plane is predicted from neighbours.
    package func picture(_ streams: Streams, hasPrediction: Bool = true) -> [UInt8] {
        func padded(_ count: Int) -> Int { (count + 7) / 8 * 8 }
        var header: [UInt8] = []
        var body: [UInt8] = []
        func put(_ sign: Int, _ byteCount: Int, _ last: Int) {
            header += Self.number(sign, 2) + Self.number(8, 2) + Self.number(byteCount, 4) + Self.number(last, 4)
        }
        for (tile, planes) in streams.enumerated() {
            put(hasLaterEntries ? 0xff11 : 0xff01, planes.joined().reduce(0) { $0 + padded($1.count) }, tile << 16)
            for (plane, bands) in planes.enumerated() {
                put(
                    hasLaterEntries ? 0xff12 : 0xff02, bands.reduce(0) { $0 + padded($1.count) },
                    plane << 28 | (hasPrediction ? 1 << 27 : 0))
                for (band, bytes) in bands.enumerated() {
                    let padding = padded(bytes.count) - bytes.count
                    if hasLaterEntries {
                        // The step and its local changes are 0.
                        header += Self.number(0xff13, 2) + Self.number(16, 2) + Self.number(padded(bytes.count), 4)
                        header += Self.number(band << 28, 4) + Self.number(0, 4) + Self.number(padding, 2) + [0, 0]
                    } else {
                        put(0xff03, padded(bytes.count), band << 28 | steps[max(band - 1, 0) / 3] << 19 | padding)
                    }
                    body += bytes + [UInt8](repeating: 0, count: padding)
                }
            }
        }
        return header + body
    }

    private var headerBytes: Int {
        tiles.count * (12 + 4 * (12 + (hasLaterEntries ? 20 : 12) * (3 * levels + 1)))
    }

    // MARK: The file

    package func file(_ picture: [UInt8]) -> [UInt8] {
        let start = Self.box("ftyp", Array("crx ".utf8) + Self.number(1, 4) + Array("crx isom".utf8))
        let places = start.count + movie(picture, at: 0).count + 8
        return start + movie(picture, at: places) + Self.box("mdat", picture)
    }

    package func file(_ plane: borrowing Plane<UInt16>) -> [UInt8] { file(picture(streams(plane))) }

    private func movie(_ picture: [UInt8], at place: Int) -> [UInt8] {
        let canon: [UInt8] = [
            0x85, 0xc0, 0xb6, 0x87, 0x82, 0x0f, 0x11, 0xe0, 0x81, 0x11, 0xf4, 0xce, 0x46, 0x2b, 0x6a, 0x48,
        ]
        var colours = [Int](repeating: 0, count: 582)
        colours[25..<29] = [2000, 1024, 1024, 1500]
        let directories = [
            Self.directory(
                "CMT1",
                [
                    .shorts(256, [size.width]), .shorts(257, [size.height]), .text(271, "Canon"), .text(272, model),
                    .shorts(274, [1]),
                ]),
            Self.directory("CMT2", [.shorts(34855, [100])]),
            Self.directory("CMT3", [.longs(16, [0x412]), .shorts(0x4001, colours)]),
        ]
        return Self.box(
            "moov",
            Self.box(
                "uuid", canon + Self.box("CNCV", Array("CanonCR3_001/00.09.00/00.00.00".utf8)) + directories.joined())
                + track(picture, at: place))
    }

    private static func directory(_ name: String, _ fields: [CameraField]) -> [UInt8] {
        box(name, [0x49, 0x49, 42, 0, 8, 0, 0, 0] + CameraField.laidOut(fields, at: 8))
    }

    private func track(_ picture: [UInt8], at place: Int) -> [UInt8] {
        let number = Self.number
        let compression =
            number(0xff00, 2) + number(48, 2) + number(version, 2) + number(0, 2)
            + [size.width, size.height, tile.width, tile.height].flatMap { number($0, 4) }
            + [UInt8(bits), UInt8(4 << 4 | layout), UInt8(levels), UInt8(tiles.count > 1 ? 0x80 : 0)]
            + number(headerBytes, 4) + [UInt8](repeating: 0, count: 20)
        let entry =
            [UInt8](repeating: 0, count: 24) + number(size.width, 2) + number(size.height, 2)
            + [UInt8](repeating: 0, count: 54)
        let samples =
            Self.box("stsd", number(0, 4) + number(1, 4) + Self.box("CRAW", entry + Self.box("CMP1", compression)))
            + Self.box("stsc", number(0, 4) + number(1, 4) + number(1, 4) + number(1, 4) + number(1, 4))
            + Self.box("stsz", number(0, 4) + number(picture.count, 4) + number(1, 4))
            + Self.box("co64", number(0, 4) + number(1, 4) + number(place, 8))
        let handler = number(0, 8) + Array("vide".utf8) + [UInt8](repeating: 0, count: 13)
        return Self.box(
            "trak",
            Self.box("mdia", Self.box("hdlr", handler) + Self.box("minf", Self.box("stbl", samples))))
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8, 4) + Array(name.utf8) + content
    }

    private static func number(_ value: Int, _ bytes: Int) -> [UInt8] { CameraField.number(value, bytes).reversed() }
}
