import TIFF
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

@Suite("Camera profiles and other settings of a DNG") struct ProfileTests {
    private static func facts(_ fields: [TIFFTag: TIFFValue]) throws -> SensorFacts {
        var writer = DNGWriter()
        writer.fields = fields
        let file = writer.file(DNGVariant().picture())
        var facts: SensorFacts?
        try withRaw(file) { facts = try $0.decode().facts }
        return try #require(facts)
    }

    private static func rationals(_ values: [Float]) -> TIFFValue {
        .signedRationals(values.map { Rational($0, per: 1_000_000) })
    }

    private static let forward: [Float] = [0.66, 0.13, 0.17, 0.2, 0.84, -0.04, 0, -0.15, 0.97]
    private static let points: [Float] = (0..<2 * 2 * 3).flatMap { [Float($0), 1, 0.5] }

    @Test("A profile's forward matrix, calibration and tables are read; a single light's are used for the other")
    func profile() throws {
        let facts = try Self.facts([
            .forwardMatrix2: Self.rationals(Self.forward), .profileHueSatMapDims: .longs([2, 2, 3]),
            .profileHueSatMapData1: Self.rationals(Self.points), .profileHueSatMapEncoding: .longs([1]),
            .profileLookTableDims: .longs([2, 2, 3]), .profileLookTableData: Self.rationals(Self.points),
            .cameraCalibration1: Self.rationals([1.02, 0, 0, 0, 1, 0, 0, 0, 0.97]),
            .analogBalance: Self.rationals([2, 1, 1]),
        ])
        #expect(facts.matrices.count == 2)
        for matrix in facts.matrices {
            let forward = try #require(matrix.forward)
            #expect(zip(forward.elements, Self.forward).allSatisfy { abs($0 - $1) < 1e-6 })
            let map = try #require(matrix.hueSatMap)
            #expect(map.hues == 2 && map.saturations == 2 && map.values == 3 && map.encodesValue)
            #expect(map.points[7] == [7, 1, 0.5])
        }
        #expect(abs(facts.matrices[0].calibration.elements[0] - 2.04) < 1e-6)
        #expect(facts.matrices[1].calibration.elements[0] == 2)
        let look = try #require(facts.lookTable)
        #expect(!look.encodesValue && look.points.count == 12)
    }

    /// The third light's matrix, and a light stated by its chromaticity.
    private static func third(_ white: [UInt32]?, illuminant: UInt16 = 255) -> [TIFFTag: TIFFValue] {
        var fields: [TIFFTag: TIFFValue] = [
            .colorMatrix3: rationals([0.9, -0.3, -0.07, -0.42, 1.22, 0.22, -0.07, 0.17, 0.65]),
            .calibrationIlluminant3: .shorts([illuminant]),
            .cameraCalibration3: rationals([1.1, 0, 0, 0, 1, 0, 0, 0, 1]),
        ]
        if let white {
            let numbers = white.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
            fields[.illuminantData3] = .undefined([0, 0] + numbers)
        }
        return fields
    }

    @Test("A third light counts by its number or chromaticity, and is ignored if unknown")
    func thirdLight() throws {
        let fluorescent = try Self.facts(Self.third(nil, illuminant: 14))
        #expect(fluorescent.matrices.map(\.illuminant) == [17, 21, 14])
        #expect(abs((fluorescent.matrices.last?.calibration.elements[0] ?? 0) - 1.1) < 1e-6)
        let stated = try Self.facts(Self.third([3805, 10_000, 3768, 10_000]))
        #expect(stated.matrices.count == 3 && stated.matrices[2].white == SIMD2(0.3805, 0.3768))
        for fields in [
            Self.third(nil), Self.third([3805, 0, 3768, 10_000]), Self.third([9, 10, 9, 10]), Self.third([3805]),
            Self.third(nil, illuminant: 0),
        ] {
            #expect(try Self.facts(fields).matrices.map(\.illuminant) == [17, 21])
        }
    }

    @Test("Tables with inconsistent numbers are ignored")
    func broken() throws {
        for dims: [UInt32] in [[2, 2], [2, 2, 4], [0, 2, 3], [1 << 31, 2, 3], [2]] {
            let facts = try Self.facts([
                .profileHueSatMapDims: .longs(dims), .profileHueSatMapData1: Self.rationals(Self.points),
                .profileLookTableDims: .longs(dims), .profileLookTableData: Self.rationals(Self.points),
                .forwardMatrix1: Self.rationals([0, 0, 0, 0, 0, 0, 0, 0, 0]),
            ])
            #expect(facts.lookTable == nil)
            #expect(facts.matrices.count == 2)
            #expect(facts.matrices.allSatisfy { $0.hueSatMap == nil && $0.forward == nil })
        }
    }

    @Test("The maker's crop is applied, and ignored if invalid")
    func userCrop() throws {
        let whole = PixelRect(x: 0, y: 0, size: PixelSize(width: 64, height: 48))
        func crop(_ edges: [Float]) throws -> PixelRect {
            try Self.facts([.defaultUserCrop: .rationals(edges.map { Rational($0, per: 1000) })]).crop
        }
        #expect(try crop([0, 0, 1, 1]) == whole)
        #expect(
            try crop([0.25, 0.125, 0.75, 0.5])
                == PixelRect(x: 8, y: 12, size: PixelSize(width: 24, height: 24)))
        for edges: [Float] in [[0.5, 0, 0.5, 1], [0, 0.7, 1, 0.2], [0, 0, 1, 1.5], [0, 0, 1]] {
            #expect(try crop(edges) == whole)
        }
    }

    @Test("Noise is that of green; exposure is that of camera and profile")
    func noiseAndExposure() throws {
        let facts = try Self.facts([
            .noiseProfile: Self.rationals([0.001, 0.0001, 0.002, 0.0002, 0.003, 0.0003]),
            .baselineExposure: Self.rationals([0.5]), .baselineExposureOffset: Self.rationals([-0.25]),
        ])
        #expect(facts.noise == StatedNoise(perLight: 0.002, dark: 0.0002))
        #expect(facts.baselineExposure == 0.25)
        #expect(try Self.facts([.noiseProfile: Self.rationals([-1, 0])]).noise == nil)
        #expect(try Self.facts([:]).noise == nil)
    }
}
