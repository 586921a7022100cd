import DecodeKernels
import TIFF
import PictureFormat

/// Header of a CR3's samples: byte counts for each band, plane and tile (L. Clévy, "Describing the Canon Raw v3 (CR3)
/// file format", 2018).
struct CRXHeader {
    struct Tile {
        var bytes: Range<Int>
        /// Bands of each plane, relative to the tile's first byte.
        var planes: [[CRXTile.Band]] = []
        var isPredicted = true
    }

    private(set) var tiles: [Tile] = []
    /// False for headers that LibRaw has to judge: unknown codings, newer cameras, and headers that versions of LibRaw
    /// read differently.
    private(set) var isUsual = true
    private var next: Int
    private let end: Int
    /// Whether newer cameras' entries add no information.
    private let takesLater: Bool

    /// - Parameters:
    ///   - reader: the whole file, big-endian.
    ///   - place: position of the header.
    ///   - grid: tiles across and down.
    /// - Throws: `corrupt` if the header contradicts itself or a band lies outside the file; LibRaw would read
    ///   uninitialized memory or crash.
    init(
        _ crx: CRXFacts, _ reader: ByteReader, at place: Int, grid: (across: Int, down: Int)
    ) throws(DecodeError) {
        guard place > 0, reader.contains(offset: place, length: crx.headerBytes) else { throw .cut }
        next = place
        takesLater = crx.version > 0x100 && crx.levels == 0
        end = place + crx.headerBytes
        var start = end
        for number in 0..<grid.across * grid.down {
            guard let entry = entry(reader, Entry.tiles), entry.number >> 16 == number else { throw .damagedHeader }
            // Quantisation tables precede the planes.
            let extra = entry.isLong ? (reader.offset32(entry.rest) ?? 0) + (reader.count16(entry.rest + 4) ?? 0) : 0
            guard entry.number & 0xffff == (entry.isLong ? 0x4000 : 0) else { throw .damagedHeader }
            if entry.isLong { isUsual = false }
            var tile = Tile(bytes: start..<start + entry.byteCount)
            try readPlanes(of: &tile, crx, reader, behind: extra)
            tiles.append(tile)
            start += entry.byteCount
        }
    }

    private mutating func readPlanes(
        of tile: inout Tile, _ crx: CRXFacts, _ reader: ByteReader, behind extra: Int
    ) throws(DecodeError) {
        var start = extra
        for number in 0..<crx.planeCount {
            guard let plane = entry(reader, Entry.planes), plane.number >> 28 == number,
                plane.number & 0xff_ffff == 0
            else { throw .damagedHeader }
            let isPredicted = plane.number & 1 << 27 != 0
            // Rounding is not supported.
            if plane.number >> 24 & 7 != 0 { isUsual = false }
            if number > 0, isPredicted != tile.isPredicted { isUsual = false }
            tile.isPredicted = isPredicted
            var bands: [CRXTile.Band] = []
            var bandStart = start
            for number in 0..<3 * crx.levels + 1 {
                let band = try band(reader, number, at: bandStart)
                bands.append(band.known)
                guard tile.bytes.lowerBound + band.known.bytes.upperBound <= reader.count else { throw .cut }
                bandStart += band.byteCount
            }
            if bandStart - start > plane.byteCount { isUsual = false }
            start += plane.byteCount
            tile.planes.append(bands)
        }
        if start > tile.bytes.count { isUsual = false }
    }

    /// Step numbers that encode a multiple of the lowest steps.
    private static let stepNumbers = 0..<36
    private static let steps: [Int32] = [0x28, 0x2d, 0x33, 0x39, 0x40, 0x48]

    private mutating func band(
        _ reader: ByteReader, _ number: Int, at start: Int
    ) throws(DecodeError) -> (known: CRXTile.Band, byteCount: Int) {
        guard let band = entry(reader, Entry.bands), band.number >> 28 == number,
            !band.isLong || band.number >> 16 & 0xfff == 0
        else { throw .damagedHeader }
        let step = band.number >> 19 & 0xff
        let padding = band.isLong ? reader.count16(band.rest + 4) ?? 0 : band.number & 0x7ffff
        guard padding <= band.byteCount else { throw .damagedHeader }
        // LibRaw 0.20 uses other bits for padding and for steps that change between rows.
        let isKnown = Self.stepNumbers.contains(step) && padding < 0x800 && band.number >> 27 & 1 == 0
        if !isKnown { isUsual = false }
        return (
            CRXTile.Band(
                bytes: start..<start + band.byteCount - padding,
                step: isKnown ? Self.steps[step % 6] >> Int32(6 - step / 6) : 0),
            band.byteCount
        )
    }

    // MARK: Entries

    private struct Entry {
        let byteCount: Int
        /// The number, combined with other fields in 32 bits.
        let number: Int
        let isLong: Bool
        /// Position of eight more bytes of a long entry.
        let rest: Int

        /// Signatures and sizes of the usual entries, and of newer cameras' entries.
        typealias Kind = (usual: [Int], later: [[Int]])
        static let tiles: Kind = ([0xff01, 8], [[0xff11, 8], [0xff11, 16]])
        static let planes: Kind = ([0xff02, 8], [[0xff12, 8]])
        static let bands: Kind = ([0xff03, 8], [[0xff13, 16]])
    }

    private mutating func entry(_ reader: ByteReader, _ kind: Entry.Kind) -> Entry? {
        guard let sign = reader.count16(next), let size = reader.count16(next + 2), next + 4 + size <= end,
            let byteCount = reader.offset32(next + 4), let number = reader.offset32(next + 8)
        else { return nil }
        if [sign, size] != kind.usual {
            guard kind.later.contains([sign, size]), size == 8 || reader.count16(next + 18) == 0 else { return nil }
            if !takesLater { isUsual = false }
        }
        defer { next += 4 + size }
        return Entry(byteCount: byteCount, number: number, isLong: size == 16, rest: next + 12)
    }
}

extension CRXFacts {
    /// LibRaw does not read smaller tiles.
    private static let minTile = 22

    /// Tiles across and down.
    ///
    /// - Throws: `corrupt` for sizes that LibRaw refuses too late.
    func grid(of size: PixelSize) throws(DecodeError) -> (across: Int, down: Int) {
        let scale = planeCount == 4 ? 2 : 1
        func count(_ length: Int, _ tile: Int) -> Int? {
            let (length, tile) = (length / scale, tile / scale)
            guard (1...0x7fff).contains(length), tile >= Self.minTile else { return nil }
            let count = (length + tile - 1) / tile
            return count <= 0xff && length - tile * (count - 1) >= Self.minTile ? count : nil
        }
        guard let across = count(size.width, tileSize.width), let down = count(size.height, tileSize.height) else {
            throw .contradiction
        }
        return (across, down)
    }
}
