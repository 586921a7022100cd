import ExternalTools
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// Expected numbers are from `Tests/References/opcodes.py`.
@Suite("Opcodes of a DNG") struct OpcodeTests {
    /// A sensor of 64 × 48 pixels with ascending samples, black 512 and white 16,383.
    private static func file(
        _ lists: [Int: OpcodeBytes], _ layout: SensorLayout = .bayer(DNGVariants.phases[0]),
        value: (Int, Int) -> UInt16 = { UInt16(512 + $0 * 7 + $1 * 300) }
    ) -> [UInt8] {
        let perPixel = layout.samplesPerPixel
        let plane = Plane<UInt16>(width: 64 * perPixel, height: 48)
        for y in 0..<48 { for x in 0..<plane.width { plane.row(y)[x] = value(x, y) } }
        var picture = DNGPicture(plane: plane, layout: layout)
        picture.black = .init(rows: 1, columns: 1, values: [Rational(512, 1)])
        picture.opcodes = lists.mapValues(\.list)
        return DNGWriter().file(picture)
    }

    private static let places = [(0, 0), (5, 3), (20, 11), (31, 20), (47, 31), (63, 47)]
    private static let map = OpcodeBytes.map(
        points: [3, 4], spacing: [0.45, 0.3], origin: [0.05, 0.1], [2, 1.5, 1.25, 3, 1, 1.125, 1, 2, 4, 1.5, 1.75, 2.5])

    @Test(
        "A gain map is interpolated as specified, in the second list and in the third",
        arguments: [2, 3])
    func gainMap(number: Int) throws {
        let list = OpcodeBytes().adding(9, OpcodeBytes.area() + Self.map)
        try withRaw(Self.file([number: list])) { raw in
            let facts = try raw.decode().facts
            #expect(facts.corrections.complaint == nil)
            let gain = try #require(facts.corrections.gains.first)
            // In the third list the area's plane is red.
            #expect(gain.channels == (number == 2 ? 0...2 : 0...0))
            let expected: [Float] = [2.0, 1.949074, 1.404885, 1.141128, 1.388835, 2.480469]
            for (place, factor) in zip(Self.places, expected) {
                #expect(abs(gain.factor(x: place.0, y: place.1, channel: 0) - factor) < 1e-5)
            }
        }
    }

    @Test("A gain map for each colour of the mosaic changes only that colour's samples")
    func lattice() throws {
        let one = OpcodeBytes.map(points: [1, 1], spacing: [1, 1], origin: [0, 0], [1.5])
        let list = OpcodeBytes().adding(9, OpcodeBytes.area([1, 0, 48, 64], pitches: [2, 2]) + one)
        try withRaw(Self.file([2: list])) { raw in
            let gain = try #require(raw.decode().facts.corrections.gains.first)
            #expect(gain.factor(x: 4, y: 3, channel: 1) == 1.5)
            #expect(gain.factor(x: 5, y: 3, channel: 1) == 1)
            #expect(gain.factor(x: 4, y: 4, channel: 1) == 1)
        }
    }

    @Test("Vignetting is the specification's polynomial")
    func vignette() throws {
        let numbers = OpcodeBytes.doubles([0.5, -0.25, 0.125, 0.3, -0.1, 0.45, 0.6])
        try withRaw(Self.file([3: OpcodeBytes().adding(3, numbers)])) { raw in
            let gain = try #require(raw.decode().facts.corrections.gains.first)
            let expected: [Float] = [1.394966, 1.263557, 1.084278, 1.018265, 1.082153, 1.378412]
            for (place, factor) in zip(Self.places, expected) {
                #expect(abs(gain.factor(x: place.0, y: place.1, channel: 1) - factor) < 1e-5)
            }
        }
    }

    @Test("A polynomial applies to light between black and white, and only inside its area")
    func polynomial() throws {
        let numbers = OpcodeBytes.integers([3]) + OpcodeBytes.doubles([0.01, 0.5, 0.75, -0.2])
        let list = OpcodeBytes().adding(8, OpcodeBytes.area([0, 0, 1, 9]) + numbers)
        let white: Float = 16_383 - 512
        let bytes = Self.file([2: list]) { x, y in
            y == 0 && x < 9 ? UInt16((512 + white * Float(x) / 8).rounded()) : 700
        }
        try withRaw(bytes) { raw in
            let image = try raw.decode()
            let expected: [Float] = [0.01, 0.083828, 0.17875, 0.292422, 0.4225, 0.566641, 0.7225, 0.887734, 1]
            for x in 0..<9 { #expect(abs(Float(image.plane.row(0)[x]) - 512 - expected[x] * white) <= 1) }
            #expect(image.plane.row(0)[9] == 700)
            #expect(image.plane.row(1)[0] == 700)
        }
    }

    @Test("Tables and offsets by row and column change stored samples in the order of the first list")
    func storedSamples() throws {
        let table = OpcodeBytes.integers([3]) + OpcodeBytes.shorts([10, 11, 900])
        let list = OpcodeBytes()
            .adding(7, OpcodeBytes.area([0, 0, 1, 64]) + table)
            .adding(
                10,
                OpcodeBytes.area([0, 0, 4, 64], pitches: [2, 1]) + OpcodeBytes.integers([2])
                    + OpcodeBytes.floats([5, -9])
            )
            .adding(
                11, OpcodeBytes.area([0, 62, 48, 64]) + OpcodeBytes.integers([2]) + OpcodeBytes.floats([100, 200])
            )
            .adding(12, OpcodeBytes.area([6, 0, 7, 64]) + OpcodeBytes.integers([1]) + OpcodeBytes.floats([2]))
        try withRaw(Self.file([1: list]) { x, y in UInt16(y == 0 ? x : 1000 + x) }) { raw in
            let image = try raw.decode()
            #expect(image.facts.corrections == .none)
            #expect((0..<4).map { image.plane.row(0)[$0] } == [15, 16, 905, 905])
            #expect(image.plane.row(1)[7] == 1007)
            #expect(image.plane.row(2)[7] == 998)
            #expect(image.plane.row(1)[62] == 1162)
            #expect(image.plane.row(1)[63] == 1263)
            #expect(image.plane.row(6)[7] == 2014)
        }
    }

    @Test("A factor before a table applies to the table's input")
    func order() throws {
        let table = OpcodeBytes.integers([65_536]) + OpcodeBytes.shorts((0..<65_536).map { UInt16($0 / 2) })
        let list = OpcodeBytes()
            .adding(12, OpcodeBytes.area([0, 0, 1, 64]) + OpcodeBytes.integers([1]) + OpcodeBytes.floats([4]))
            .adding(7, OpcodeBytes.area() + table)
        try withRaw(Self.file([2: list]) { _, _ in 1512 }) { raw in
            let image = try raw.decode()
            #expect(image.facts.corrections.gains.isEmpty)
            #expect(abs(Int(image.plane.row(0)[5]) - 2512) <= 1)
            #expect(abs(Int(image.plane.row(1)[5]) - 1012) <= 1)
        }
    }

    @Test("Bad pixels become the mean of their good neighbours of the same colour", arguments: DNGVariants.phases)
    func badPixels(phase: [CFAColour]) throws {
        let bad = [(20, 10), (21, 10), (0, 0), (63, 47)]
        let points = OpcodeBytes.integers([0, 2, 1] + [10, 20, 10, 21] + [0, 0, 1, 1])
        let list = OpcodeBytes().adding(5, points).adding(4, OpcodeBytes.integers([9, 0]))
        let bytes = Self.file([1: list], .bayer(phase)) { x, y in
            if bad.contains(where: { $0 == (x, y) }) { return x == 63 ? 9 : 16_000 }
            let layout = SensorLayout.bayer(phase)
            return [1000, 2000, 3000][layout.channel(x: x, y: y)]
        }
        try withRaw(bytes) { raw in
            let image = try raw.decode()
            for (x, y) in bad {
                let expected: UInt16 = [1000, 2000, 3000][image.facts.layout.channel(x: x, y: y)]
                #expect(image.plane.row(y)[x] == expected)
            }
        }
    }

    @Test("Trimmed bounds crop the picture")
    func trim() throws {
        let list = OpcodeBytes().adding(6, OpcodeBytes.integers([2, 4, 40, 60]))
        try withRaw(Self.file([2: list])) { raw in
            let crop = try raw.decode().facts.crop
            #expect(crop == PixelRect(x: 4, y: 2, size: PixelSize(width: 56, height: 38)))
        }
    }

    @Test("An unknown optional opcode is skipped, and an unknown required one is named")
    func unknown() throws {
        let optional = OpcodeBytes().adding(99, optional: true, [1, 2, 3])
        try withRaw(Self.file([1: optional, 2: optional, 3: optional])) { raw in
            let corrections = try raw.decode().facts.corrections
            #expect(corrections == .none)
        }
        try withRaw(Self.file([3: optional.adding(98, [])])) { raw in
            let complaint = try raw.decode().facts.corrections.complaint
            #expect(complaint?.contains("opcode 98") == true)
        }
    }

    @Test("Invalid numbers are reported, and change nothing", arguments: senseless.indices)
    func nonsense(index: Int) throws {
        let (number, parameters) = Self.senseless[index]
        try withRaw(Self.file([2: OpcodeBytes().adding(number, parameters)])) { raw in
            let image = try raw.decode()
            #expect(image.facts.corrections.gains.isEmpty)
            #expect(image.facts.corrections.complaint?.contains("invalid numbers") == true)
            #expect(image.plane.row(47)[63] == 512 + 63 * 7 + 47 * 300)
        }
    }

    private static let senseless: [(Int, [UInt8])] = [
        (3, OpcodeBytes.doubles([.nan, 0, 0, 0, 0, 0.5, 0.5])), (3, OpcodeBytes.doubles([1, 2])),
        (3, OpcodeBytes.doubles([0, 0, 0, 0, 1e300, 0.5, 0.5])), (4, []),
        (5, OpcodeBytes.integers([0, 0xffff_ffff, 0xffff_ffff])),
        (5, OpcodeBytes.integers([0, 0, 1, 0, 0, 0xffff_ffff, 0xffff_ffff])),
        (6, OpcodeBytes.integers([5, 5, 5, 9])), (7, OpcodeBytes.area() + OpcodeBytes.integers([0])),
        (7, OpcodeBytes.area() + OpcodeBytes.integers([70_000])),
        (8, OpcodeBytes.area() + OpcodeBytes.integers([0xffff_ffff])),
        (8, OpcodeBytes.area(pitches: [0, 1]) + OpcodeBytes.integers([0]) + OpcodeBytes.doubles([1])),
        (9, OpcodeBytes.area([0, 0, 0xffff_ffff, 0xffff_ffff]) + map),
        (9, OpcodeBytes.area() + OpcodeBytes.map(points: [0xffff, 0xffff], spacing: [1, 1], origin: [0, 0], [1])),
        (9, OpcodeBytes.area() + OpcodeBytes.map(points: [1, 2], spacing: [1, 0], origin: [0, 0], [1, 1])),
        (9, OpcodeBytes.area() + OpcodeBytes.map(points: [1, 1], spacing: [1, 1], origin: [0, 0], [-1])),
        (9, OpcodeBytes.area() + OpcodeBytes.map(points: [1, 1], spacing: [1, 1], origin: [.infinity, 0], [1])),
        (10, OpcodeBytes.area() + OpcodeBytes.integers([47]) + OpcodeBytes.floats([Float](repeating: 0, count: 47))),
        (13, OpcodeBytes.area() + OpcodeBytes.integers([64])),
    ]

    @Test("A list that exceeds its field is damage", arguments: [[], [0, 0, 0, 1], [0xff, 0xff, 0xff, 0xff]])
    func cut(bytes: [UInt8]) throws {
        let whole = OpcodeBytes().adding(6, OpcodeBytes.integers([0, 0, 8, 8])).list
        for list in [bytes + [0], Array(whole.dropLast())] {
            let plane = Plane<UInt16>(width: 64, height: 48)
            plane.samples.update(repeating: 1000)
            var picture = DNGPicture(plane: plane, layout: .bayer(DNGVariants.phases[0]))
            picture.opcodes = [3: list]
            try withRaw(DNGWriter().file(picture)) { raw in
                let error = #expect(throws: DecodeError.self) { _ = try raw.decode().facts }
                #expect(error?.reason == .corrupt)
            }
        }
    }

    @Test("The Hero6's four maps brighten its corners by a stop", .needs(.realFiles))
    func hero6() throws {
        try withRaw(try RealFiles.contents(of: "Hero6-GOPR0024.dng")) { raw in
            let corrections = try raw.decode().facts.corrections
            #expect(corrections.gains.count == 4)
            #expect(corrections.complaint == nil)
            let corner = corrections.gains.reduce(1) { $0 * $1.factor(x: 0, y: 0, channel: 0) }
            let middle = corrections.gains.reduce(1) { $0 * $1.factor(x: 2000, y: 1500, channel: 0) }
            #expect((1.7...2.1).contains(corner) && (1...1.02).contains(middle), "\(corner) and \(middle)")
        }
    }
}
