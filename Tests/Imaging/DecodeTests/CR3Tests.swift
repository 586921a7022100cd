import ExternalTools
import CameraFiles
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// Canon's CRX, compared with LibRaw.
@Suite struct CR3Tests {
    /// A file of 320 × 100 samples in two tiles.
    private static func file(levels: Int) -> CR3File {
        var file = CR3File(levels: levels)
        file.size = PixelSize(width: 320, height: 100)
        file.tile = PixelSize(width: 168, height: 100)
        return file
    }

    private static func scene(_ file: CR3File) -> Plane<UInt16> {
        CameraScene.plane(file.size, black: 2048, bits: file.bits)
    }

    @Test("A photo gives the written samples and LibRaw's facts", arguments: 0...3, 0...3)
    func photo(levels: Int, layout: Int) throws {
        var file = Self.file(levels: levels)
        file.layout = layout
        let plane = Self.scene(file)
        try UnpackerOutcome.expect(file.file(plane), gives: plane)
    }

    @Test("Tiles of any width and height are joined without a seam", .night, arguments: 0..<16, [1, 2, 3])
    func tiles(difference: Int, levels: Int) throws {
        var file = CR3File(levels: levels)
        let tile = 132 + 2 * difference
        file.size = PixelSize(width: 2 * tile + 44 + 2 * (difference * 5 % 16), height: 90 + 2 * (difference * 3 % 16))
        file.tile = PixelSize(width: tile, height: file.size.height)
        let plane = Self.scene(file)
        try UnpackerOutcome.expect(file.file(plane), gives: plane)
    }

    @Test("Tiles in several rows are joined losslessly")
    func rowsOfTiles() throws {
        var file = CR3File()
        file.size = PixelSize(width: 300, height: 178)
        file.tile = PixelSize(width: 100, height: 64)
        let plane = Self.scene(file)
        try UnpackerOutcome.expect(file.file(plane), gives: plane)
    }

    @Test(
        "Lossy tiles have the same loss as in LibRaw",
        arguments: [[4, 16, 26], [10, 22, 32], [5, 8, 35], [23, 29, 34]])
    func lossy(steps: [Int]) throws {
        var file = Self.file(levels: 3)
        file.steps = steps
        let bytes = file.file(Self.scene(file))
        #expect(try UnpackerOutcome.isOwn(bytes))
        #expect(try UnpackerOutcome.compare(bytes).samples.count == file.size.pixelCount)
    }

    @Test(
        "The second version is unpacked if LibRaw reads it and its header has no new entries; otherwise LibRaw decodes it",
        arguments: [0, 1, 3], [false, true])
    func laterVersion(levels: Int, hasLaterEntries: Bool) throws {
        var file = Self.file(levels: levels)
        file.version = 0x200
        file.hasLaterEntries = hasLaterEntries
        let plane = Self.scene(file)
        let bytes = file.file(plane)
        let isRead = try withRaw(bytes) { raw in try raw.firstFrame().raw.facts.crx?.isRead == true }
        guard isRead, levels == 0 || !hasLaterEntries else {
            #expect(try !UnpackerOutcome.isOwn(bytes))
            try UnpackerOutcome.compare(bytes)
            return
        }
        try UnpackerOutcome.expect(bytes, gives: plane)
    }

    @Test("Any samples survive a round trip", arguments: Requirement.rounds(6), [0, 3])
    func extremes(seed: UInt64, levels: Int) throws {
        var random = SplitMix64(seed: seed)
        var file = Self.file(levels: levels)
        file.bits = seed == 5 ? 12 : 14
        let limit: UInt64 = 1 << UInt64(file.bits)
        let plane = Plane<UInt16>(width: file.size.width, height: file.size.height)
        // Noise, edges and flat parts.
        for y in 0..<file.size.height {
            var level = random.next() % limit
            for x in 0..<file.size.width {
                if random.next() % 19 == 0 { level = random.next() % limit }
                let noise = seed == 0 ? random.next() % limit : random.next() % (1 << (seed * 2 - 2))
                plane.row(y)[x] = UInt16(min(level ^ noise, limit - 1))
            }
        }
        try UnpackerOutcome.expect(file.file(plane), gives: plane)
    }

    @Test("Flat pictures and single bright samples survive a round trip", arguments: [0, 3], [0, 1, 40])
    func flat(levels: Int, bright: Int) throws {
        var random = SplitMix64(seed: 5)
        let file = Self.file(levels: levels)
        let plane = Plane<UInt16>(width: file.size.width, height: file.size.height)
        for y in 0..<file.size.height { for x in 0..<file.size.width { plane.row(y)[x] = 8192 } }
        for _ in 0..<bright {
            plane.row(Int(random.next() % 100))[Int(random.next() % 320)] = UInt16(random.next() % 16384)
        }
        try UnpackerOutcome.expect(file.file(plane), gives: plane)
    }

    @Test("First bands without prediction are read as in LibRaw", arguments: [0, 2])
    func unpredicted(levels: Int) throws {
        let file = Self.file(levels: levels)
        var random = SplitMix64(seed: 9)
        for _ in 0..<10 {
            let streams = Self.random(file, &random)
            try UnpackerOutcome.compare(file.file(file.picture(streams, hasPrediction: false)))
        }
    }

    @Test("Damaged codes are refused if LibRaw refuses them, and otherwise give its samples", arguments: [0, 1, 3])
    func damage(levels: Int) throws {
        var file = Self.file(levels: levels)
        file.steps = [4, 16, 26]
        let streams = file.streams(Self.scene(file))
        var random = SplitMix64(seed: 6)
        var unpacked = 0
        for _ in 0..<40 {
            var damaged = streams
            let (tile, plane) = (Int(random.next() % 2), Int(random.next() % 4))
            let band = Int(random.next() % UInt64(3 * levels + 1))
            let place = Int(random.next() % UInt64(damaged[tile][plane][band].count))
            damaged[tile][plane][band][place] ^= UInt8(1 << (random.next() % 8))
            let bytes = file.file(file.picture(damaged))
            if try UnpackerOutcome.isUnpacked(bytes) { unpacked += 1 }
            try UnpackerOutcome.compare(bytes)
        }
        #expect(unpacked > 0)
    }

    @Test("Random bits are refused or read as in LibRaw", arguments: [0, 1, 2, 3])
    func random(levels: Int) throws {
        var random = SplitMix64(seed: 4)
        var file = Self.file(levels: levels)
        file.steps = [3, 20, 31]
        var unpacked = 0
        for _ in 0..<25 {
            let bytes = file.file(file.picture(Self.random(file, &random)))
            if try UnpackerOutcome.isUnpacked(bytes) { unpacked += 1 }
            try UnpackerOutcome.compare(bytes)
        }
        #expect(unpacked > 0)
    }

    /// More bits than needed, with varying frequency of ones.
    private static func random(_ file: CR3File, _ random: inout SplitMix64) -> CR3File.Streams {
        (0..<2).map { _ in
            (0..<4).map { _ in
                (0..<3 * file.levels + 1).map { _ in
                    let rare = random.next() % 12
                    return (0..<24_000 >> (2 * min(file.levels, 1))).map { _ -> UInt8 in
                        let bits = random.next()
                        return UInt8(
                            truncatingIfNeeded: rare < 4
                                ? bits : bits & bits >> 8 | (rare < 8 ? bits >> 16 & bits >> 24 : 0))
                    }
                }
            }
        }
    }

    @Test("Bands without bytes are zero", arguments: [1, 3])
    func emptyBands(levels: Int) throws {
        let file = Self.file(levels: levels)
        var streams = file.streams(Self.scene(file))
        for plane in 0..<4 { streams[plane % 2][plane][3 * levels - plane % 3] = [] }
        let bytes = file.file(file.picture(streams))
        #expect(try UnpackerOutcome.isOwn(bytes))
        try UnpackerOutcome.compare(bytes)
    }

    @Test("A picture without its end is refused", arguments: [0, 3], [1, 700, 9000])
    func cut(levels: Int, missing: Int) throws {
        let file = Self.file(levels: levels)
        let picture = file.picture(file.streams(Self.scene(file)))
        #expect(try UnpackerOutcome.compare(file.file(Array(picture.dropLast(missing + 8)))).reason == "corrupt")
    }

    @Test("Extra bytes after the last box make no difference", arguments: [1, 7])
    func appended(count: Int) throws {
        let file = Self.file(levels: 0)
        let plane = Self.scene(file)
        try UnpackerOutcome.expect(file.file(plane) + [UInt8](repeating: 0x5a, count: count), gives: plane)
    }

    @Test("Headers with any byte changed are refused or read as in LibRaw", arguments: [0, 1])
    func headers(levels: Int) throws {
        var random = SplitMix64(seed: 8)
        let file = Self.file(levels: levels)
        let picture = file.picture(file.streams(Self.scene(file)))
        let headerBytes = 2 * (12 + 4 * (12 + 12 * (3 * levels + 1)))
        for place in stride(from: 0, to: headerBytes, by: 3) {
            var damaged = picture
            damaged[place] ^= UInt8(1 << (random.next() % 8))
            try UnpackerOutcome.compare(file.file(damaged))
        }
    }

    @Test("Tiles that LibRaw refuses only late are refused", arguments: [2, 20, 42, 316])
    func smallTiles(width: Int) throws {
        var file = Self.file(levels: 0)
        let picture = file.picture(file.streams(Self.scene(file)))
        file.tile = PixelSize(width: width, height: 100)
        #expect(try UnpackerOutcome.compare(file.file(picture)).reason == "corrupt")
    }

    @Test("Threads share the tiles")
    func threads() throws {
        let file = Self.file(levels: 3)
        let plane = Self.scene(file)
        try withRaw(file.file(plane)) { raw in
            let loss = firstDifference(try raw.decode(xTrans: .mosaic, threads: 4).plane, plane)
            #expect(loss == nil)
        }
    }
}
