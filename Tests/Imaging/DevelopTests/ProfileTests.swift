import ColourScience
import PictureFormat
import Pixels
import Testing

@testable import Develop

/// Expected numbers are from `Tests/References/profiles.py`.
@Suite("Camera profiles") struct ProfileTests {
    /// A table of numbers from a simple generator, as in the reference.
    static func table(_ hues: Int, _ saturations: Int, _ values: Int, encoded: Bool = false, seed: Int) throws
        -> HueSatMap
    {
        var state = seed
        func number() -> Float {
            state = (state * 75 + 74) % 65_537
            return Float(Double(state) / 65_536)
        }
        let points = (0..<hues * saturations * values).map { _ in
            let (shift, saturation) = (number() * 40 - 20, 0.5 + number())
            return HueSatMap.Point(shift, saturation, 0.75 + number() / 2)
        }
        return try #require(
            HueSatMap(hues: hues, saturations: saturations, values: values, encodesValue: encoded, points: points))
    }

    private static func isClose(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ tolerance: Double = 2e-6) -> Bool {
        let difference = a - b
        return max(difference.max(), -difference.min()) < tolerance
    }

    private static let colours: [SIMD3<Double>] = [
        [0.5, 0.2, 0.1], [0.1, 0.7, 0.3], [0.05, 0.1, 0.9], [0.9, 0.85, 0.02], [0.4, 0.02, 0.3], [0.2, 0.2, 0.2],
    ]

    @Test("A table shifts colours as specified, with and without divisions of value, linear and encoded")
    func moved() throws {
        let expected: [(HueSatMap, [SIMD3<Double>])] = [
            (
                try Self.table(6, 4, 1, seed: 7),
                [
                    [0.497753, 0.277337, 0.191455], [0.086538, 0.710203, 0.183948], [0.332545, 0.354409, 0.875503],
                    [0.839797, 0.65074, 0.0], [0.4221, 0.0, 0.375451], [0.199762, 0.199762, 0.199762],
                ]
            ),
            (
                try Self.table(6, 3, 4, seed: 7),
                [
                    [0.480246, 0.225854, 0.149349], [0.065318, 0.695972, 0.330177], [0.080038, 0.175743, 0.831825],
                    [0.970202, 1.038704, 0.26153], [0.337919, 0.062333, 0.306781], [0.227079, 0.227079, 0.227079],
                ]
            ),
            (
                try Self.table(5, 3, 4, encoded: true, seed: 7),
                [
                    [0.387768, 0.149504, 0.107513], [0.133887, 0.484982, 0.212078], [0.10427, 0.186131, 0.828853],
                    [1.048537, 1.067265, 0.0], [0.396329, 0.0, 0.243629], [0.201441, 0.201441, 0.201441],
                ]
            ),
            (
                try Self.table(1, 2, 3, encoded: true, seed: 7),
                [
                    [0.545385, 0.187123, 0.093191], [0.0, 0.80378, 0.174071], [0.0, 0.293621, 1.119445],
                    [1.141195, 0.829511, 0.0], [0.443029, 0.020548, 0.344596], [0.211603, 0.211603, 0.211603],
                ]
            ),
        ]
        for (map, results) in expected {
            for (colour, result) in zip(Self.colours, results) {
                #expect(
                    Self.isClose(map.moved(colour), result), "\(map.hues)×\(map.saturations)×\(map.values) \(colour)")
            }
        }
    }

    // MARK: - The matrix

    /// A camera under standard light A and D65, with forward matrices and the calibration of one camera.
    static func matrices(maps: [HueSatMap] = []) -> [CameraMatrix] {
        let colour = CameraColourTests.matrices.map(\.xyzToCamera)
        let forward = [
            Matrix3([0.7868, 0.0092, 0.1683, 0.2291, 0.8615, -0.0906, 0.0152, -0.2330, 1.0429]),
            Matrix3([0.6637, 0.1349, 0.1657, 0.2042, 0.8353, -0.0395, 0.0045, -0.1500, 0.9706]),
        ]
        let calibration = [
            Matrix3([1.02, 0.01, 0, 0, 1, 0.005, 0, 0, 0.97]), Matrix3([0.99, 0, 0, 0.01, 1, 0, 0, 0.02, 1.03]),
        ]
        return (0..<2).map { i in
            let product = Matrix3x3(calibration[i].elements) * Matrix3x3(colour[i].elements)
            var matrix = CameraMatrix(
                illuminant: i == 0 ? 17 : 21, xyzToCamera: Matrix3(product.elements.map { Float($0) }))
            matrix.forward = forward[i]
            matrix.calibration = calibration[i]
            matrix.hueSatMap = maps.isEmpty ? nil : maps[i]
            return matrix
        }
    }

    private static let neutral = [0.55, 1, 0.62]
    private static let balanced = [0.4, 0.5, 0.2]

    @Test("A camera's colour becomes XYZ by the forward matrices, mixed by the light, and its calibration")
    func forward() throws {
        let profile = try #require(CameraProfile(Self.matrices()))
        let matrix = try #require(profile.balancedToXYZ(neutral: Self.neutral))
        let xyz = matrix * Self.balanced
        #expect(Self.isClose(SIMD3(xyz[0], xyz[1], xyz[2]), [0.33753, 0.49535, 0.13352], 1e-4), "\(xyz)")
        let white = matrix * [1, 1, 1]
        for (a, b) in zip(white, Chromaticity.d65.xyz) { #expect(abs(a - b) < 1e-6) }
    }

    @Test("Of three lights, those near in temperature and tint count, as in the reference")
    func threeLights() throws {
        let calibration = Matrix3([1.01, 0, 0, 0, 1, 0, 0, 0, 0.99])
        let colour = Matrix3x3([0.60, -0.07, -0.07, -0.80, 1.55, 0.26, -0.18, 0.22, 0.70])
        var third = CameraMatrix(
            illuminant: 255,
            xyzToCamera: Matrix3((Matrix3x3(calibration.elements) * colour).elements.map { Float($0) }))
        third.white = SIMD2(0.3805, 0.3990)
        third.forward = Matrix3([0.70, 0.10, 0.1642, 0.21, 0.85, -0.06, 0.01, -0.20, 1.0151])
        third.calibration = calibration
        let expected: [([Double], SIMD3<Double>)] = [
            ([0.55, 1, 0.62], [0.33861, 0.49484, 0.13444]), ([0.50, 1, 0.50], [0.34197, 0.49393, 0.13663]),
            ([0.44, 1, 0.70], [0.34386, 0.48956, 0.14309]),
        ]
        for order in [Self.matrices() + [third], [third] + Self.matrices().reversed()] {
            let profile = try #require(CameraProfile(order))
            for (neutral, light) in expected {
                let xyz = try #require(profile.balancedToXYZ(neutral: neutral)) * Self.balanced
                #expect(Self.isClose(SIMD3(xyz[0], xyz[1], xyz[2]), light, 1e-4), "\(neutral): \(xyz)")
            }
        }
    }

    @Test("Tables of three lights are mixed like their matrices; far from two lights, only the third one's is used")
    func threeTables() throws {
        let maps = try [11, 23, 5].map { try Self.table(6, 4, 1, seed: $0) }
        var lights = Self.matrices(maps: Array(maps.prefix(2)))
        var third = lights[1]
        third.white = SIMD2(0.3805, 0.3990)
        third.hueSatMap = maps[2]
        lights.append(third)
        let profile = try #require(CameraProfile(lights))
        let own = try #require(profile.neutral(under: Chromaticity(x: 0.3805, y: 0.3990)))
        #expect(profile.hueSatMap(neutral: own) == maps[2])
        let between = try #require(profile.hueSatMap(neutral: Self.neutral))
        for (index, point) in between.points.enumerated() {
            let all = maps.map { $0.points[index] }
            for lane in 0..<3 {
                #expect((all.map { $0[lane] }.min() ?? 0) - 1e-4 <= point[lane])
                #expect(point[lane] <= (all.map { $0[lane] }.max() ?? 0) + 1e-4)
            }
        }
    }

    @Test("The tint of a white is recovered", arguments: [2500.0, 3900, 5000, 6504, 9000])
    func tint(kelvin: Double) {
        for tint in [-60.0, -10, 0, 25, 80] {
            let white = ColourTemperature.white(kelvin: kelvin, tint: tint)
            #expect(abs(ColourTemperature.tint(of: white) - tint) < 2 + abs(tint) / 10, "\(kelvin) \(tint)")
        }
    }

    @Test("Rec. 2020 becomes ProPhoto RGB as in ISO 22028-2, and back")
    func proPhoto() {
        let expected = [
            0.835187, 0.04887, 0.115943, 0.054034, 0.928912, 0.017054, -0.002341, 0.03633, 0.966011,
        ]
        for (a, b) in zip(ProPhotoRGB.fromRec2020.elements, expected) { #expect(abs(a - b) < 2e-6) }
        let white = ProPhotoRGB.toRec2020 * [1, 1, 1]
        #expect(white.allSatisfy { abs($0 - 1) < 1e-9 })
    }

    @Test("A colour's path from the camera via both tables to light follows the specification")
    func wholeWay() throws {
        let maps = [try Self.table(6, 4, 1, seed: 11), try Self.table(6, 4, 1, seed: 23)]
        let profile = try #require(CameraProfile(Self.matrices(maps: maps)))
        let matrix = try #require(profile.balancedToXYZ(neutral: Self.neutral))
        let gain = 1.5
        let mapping = try #require(
            ProfileMapping(
                hueSatMap: profile.hueSatMap(neutral: Self.neutral),
                lookTable: try Self.table(5, 3, 4, encoded: true, seed: 7), gain: gain, colourfulness: nil))
        let light = RGBPrimaries.rec2020.fromXYZ * matrix * gain * Self.balanced
        let found = mapping(SIMD3(light[0], light[1], light[2]))
        #expect(Self.isClose(found, [0.47228, 0.70624, 0.18878], 3e-4), "\(found)")
    }

    @Test("Invalid tables are refused, and tables of different shapes are not mixed")
    func refused() throws {
        let point = HueSatMap.Point(0, 1, 1)
        #expect(HueSatMap(hues: 2, saturations: 2, values: 1, points: [point]) == nil)
        #expect(HueSatMap(hues: 2, saturations: 1, values: 1, points: [point, point]) == nil)
        #expect(HueSatMap(hues: 0, saturations: 2, values: 1, points: []) == nil)
        #expect(HueSatMap(hues: .max, saturations: .max, values: .max, points: [point]) == nil)
        #expect(HueSatMap(hues: 1, saturations: 2, values: 1, points: [point, [.nan, 1, 1]]) == nil)
        let (a, b) = (try Self.table(6, 4, 1, seed: 1), try Self.table(3, 4, 2, seed: 2))
        #expect(a.mixed(0.7, with: b) == a && a.mixed(0.3, with: b) == b)
    }

    // MARK: - Pictures

    /// Six patches of balanced colour.
    private static func picture(
        _ map: HueSatMap?, look: HueSatMap? = nil, brightness: Brightness = .asExposed
    ) throws -> Bytes {
        let size = PixelSize(width: 96, height: 64)
        var facts = Sensors.facts(.linearRGB, size)
        facts.whiteBalance = [1, 1, 1]
        facts.lookTable = look
        facts.matrices[0].hueSatMap = map
        let image = Sensors.image(facts) { x, y in
            let colour = colours[(x / 3 / 16 + y / 32 * 3) % 6]
            return 64 + Int(colour[x % 3] * 0.5 * 3936)
        }
        var context = DevelopContext()
        return Bytes(
            try context.develop(image, settings: DevelopSettings(brightness: brightness, subsampling: .none)).full)
    }

    private static func uniform(_ point: HueSatMap.Point, values: Int = 1) throws -> HueSatMap {
        try #require(
            HueSatMap(
                hues: 6, saturations: 2, values: values, points: [HueSatMap.Point](repeating: point, count: 12 * values)
            ))
    }

    private static func largest(_ a: [UInt8], _ b: [UInt8]) -> Int {
        zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    /// Interpolation in the rendering's table is off by a step or two for strong colours.
    @Test("An identity table changes almost nothing; one that removes saturation leaves grey")
    func neutralTables() throws {
        let plain = try Self.picture(nil)
        for brightness in [Brightness.asExposed, .metered] {
            let plain = try Self.picture(nil, brightness: brightness)
            for values in [1, 3] {
                let same = try Self.picture(Self.uniform([0, 1, 1], values: values), brightness: brightness)
                #expect(Self.largest(plain.luma, same.luma) <= 2)
                #expect(Self.largest(plain.cb, same.cb) <= 3)
                #expect(Self.largest(plain.cr, same.cr) <= 3)
            }
        }
        for grey in [
            try Self.picture(Self.uniform([0, 0, 1])), try Self.picture(nil, look: Self.uniform([0, 0, 1])),
        ] {
            #expect(grey.cb.allSatisfy { abs(Int($0) - 128) <= 1 } && grey.cr.allSatisfy { abs(Int($0) - 128) <= 1 })
            #expect(!plain.cb.allSatisfy { abs(Int($0) - 128) <= 20 })
        }
    }

    @Test("The look table comes second, and includes the exposure")
    func order() throws {
        // The second table reverses the first.
        let back = try Self.picture(Self.uniform([60, 1, 1]), look: Self.uniform([-60, 1, 1]))
        let plain = try Self.picture(nil)
        let turned = try Self.picture(Self.uniform([60, 1, 1]))
        #expect(Self.largest(plain.luma, back.luma) <= 4)
        #expect(Self.largest(plain.cr, turned.cr) > 20)
    }

    @Test("With a strongly waved profile, tables of the rendering are within an 8-bit step on average")
    func fidelity() throws {
        // Six waves around the circle of hues, of ±6 degrees, ±15 % saturation and ±10 % value.
        let points = (0..<90 * 30).map { index -> HueSatMap.Point in
            let (hue, saturation) = (Double(index / 30) / 90, Float(index % 30) / 29)
            let wave = Float((2 * (hue * 6).truncatingRemainder(dividingBy: 1) - 1).magnitude - 0.5)
            return [12 * wave * saturation, 1 + 0.3 * wave * saturation, 1 - 0.2 * wave * saturation]
        }
        let map = try #require(HueSatMap(hues: 90, saturations: 30, values: 1, points: points))
        let mapping = try #require(
            ProfileMapping(hueSatMap: map, lookTable: nil, gain: 1, colourfulness: .usual))
        for (white, contrast) in [(1.2, Contrast.usual), (4, Contrast(steps: 3))] {
            let tone = ToneTableKey(.sRGB, white: white, contrast: contrast)
            let table = RenderingTable(
                IdentityStage(), output: .sRGB, profile: ProfiledTone(mapping: mapping, tone: tone))
            #expect(table.meanError < 1.0 / 255, "\(table.meanError * 255) steps")
        }
    }
}
