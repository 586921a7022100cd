import ColourScience
import PictureFormat
import Pixels
import Testing

@testable import Develop
@testable import DevelopKernels

@Suite("Warps") struct WarpTests {
    private static let size = PixelSize(width: 640, height: 480)
    private static let layouts: [SensorLayout] =
        Sensors.phases.map { .bayer($0) } + [Sensors.xTrans, .monochrome, .linearRGB]

    /// A lens and the name of its fault.
    struct Lens: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let planes: [LensWarp.Plane]
        var formula = LensWarp.Formula.rectilinear

        func warp(_ size: PixelSize) throws -> LensWarp {
            let half = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
            return try #require(
                LensWarp(
                    centre: half, distance: (half * half).sum().squareRoot(), planes: planes, formula: formula))
        }
    }

    private static func plane(_ k: Double...) -> LensWarp.Plane {
        LensWarp.Plane(radial: SIMD4(k[0], k[1], k[2], k[3]))
    }

    static let lenses = [
        Lens(testDescription: "barrel", planes: [plane(0.97, -0.06, 0.02, 0)]),
        Lens(testDescription: "pincushion", planes: [plane(1, 0.05, -0.02, 0.01)]),
        Lens(testDescription: "strong barrel", planes: [plane(0.95, -0.22, 0.04, 0)]),
        Lens(
            testDescription: "off the axis",
            planes: [.init(radial: SIMD4(1, -0.03, 0, 0), tangential: SIMD2(0.01, -0.008))]),
        Lens(
            testDescription: "lateral colour",
            planes: [plane(1.0015, -0.02, 0, 0), plane(1, -0.02, 0, 0), plane(0.999, -0.02, 0, 0)]),
        Lens(testDescription: "odd powers", planes: [plane(1.02, -0.01, -0.03, 0.008)], formula: .cubic),
        Lens(testDescription: "fisheye", planes: [plane(0.9, -0.05, 0, 0)], formula: .fisheye),
        Lens(testDescription: "a camera's table", planes: cameraTables, formula: .table),
    ]

    /// Knots of a Sony, twice as far from 1, and a little farther for red.
    private static let cameraTables = [1.0002, 1, 1].compactMap { colour in
        let knots: [Double] = [-5, -1, 4, 11, 18, 26, 35, 43, 49, 54, 55, 51, 40, 21, -11, -50]
        return RadialTable(knots.map { colour * (1 + $0 / 8192) }, first: 0.5 / 15, step: 1.0 / 15)
    }.map { LensWarp.Plane(table: $0) }

    private static func develop(
        _ facts: SensorFacts, threads: Int = 1, correctsLens: Bool = true, longEdge: Int? = nil,
        value: (Int, Int) -> Int
    ) throws -> Bytes {
        var context = DevelopContext()
        let settings = DevelopSettings(
            brightness: .asExposed, longEdge: longEdge, noiseReduction: 0, correctsLens: correctsLens,
            subsampling: .none, threads: threads)
        return Bytes(try context.develop(Sensors.image(facts, value: value), settings: settings).full)
    }

    @Test("A cached warp gives the same bytes as a new one, and another lens, crop or colour has its own")
    func remembered() throws {
        func picture(_ context: inout DevelopContext, _ lens: Lens, _ layout: SensorLayout, _ size: PixelSize) throws
            -> Bytes
        {
            let settings = DevelopSettings(brightness: .asExposed, noiseReduction: 0, subsampling: .none)
            let image = Sensors.image(try Self.facts(layout, lens, size)) { x, y in 300 + (x * 37 + y * 91) % 900 }
            return Bytes(try context.develop(image, settings: settings).full)
        }
        let (bayer, small) = (Self.layouts[0], PixelSize(width: 200, height: 160))
        let shots: [(Lens, SensorLayout, PixelSize)] = [
            (Self.lenses[0], bayer, small), (Self.lenses[0], bayer, small), (Self.lenses[4], bayer, small),
            (Self.lenses[4], .monochrome, small), (Self.lenses[0], bayer, small.transposed),
            (Self.lenses[0], bayer, small),
        ]
        var warm = DevelopContext()
        for (lens, layout, size) in shots {
            var cold = DevelopContext()
            #expect(try picture(&warm, lens, layout, size) == picture(&cold, lens, layout, size))
        }
    }

    private static func facts(_ layout: SensorLayout, _ lens: Lens, _ size: PixelSize = size) throws -> SensorFacts {
        var facts = Sensors.facts(layout, size)
        facts.whiteBalance = [1, 1, 1]
        facts.corrections.warps = [try lens.warp(size)]
        return facts
    }

    /// Light that a lens shows in a channel, 0…1, by the place in the corrected picture.
    private static func seen(
        _ facts: SensorFacts, through warp: LensWarp, _ light: @escaping (SIMD2<Double>, Int) -> Double
    ) -> (Int, Int) -> Int {
        { x, y in
            let channel = facts.layout.channel(x: x, y: y)
            let place = SIMD2(Double(x / facts.layout.samplesPerPixel), Double(y))
            return 64 + Int(400 + 2000 * light(origin(of: place, warp.motion(channel: channel)), channel))
        }
    }

    /// The place with this source, by fixed-point iteration.
    private static func origin(of place: SIMD2<Double>, _ motion: LensWarp.Motion) -> SIMD2<Double> {
        var found = place
        for _ in 0..<25 {
            let source = motion.source(.init(repeating: found.x), .init(repeating: found.y))
            found += place - SIMD2(source.x[0], source.y[0])
        }
        return found
    }

    /// Bright lines 40 pixels apart, 4 wide and soft, as a lens shows them.
    private static func grid(_ facts: SensorFacts, _ warp: LensWarp) -> (Int, Int) -> Int {
        seen(facts, through: warp) { place, _ in
            func line(_ coordinate: Double) -> Double {
                let offset = coordinate - (coordinate / 40).rounded() * 40
                return max(0, 1 - (offset / 4) * (offset / 4))
            }
            return max(line(place.x), line(place.y))
        }
    }

    /// Rings of two colours, finer towards the edges, by the place in the corrected picture.
    private static func rings(_ place: SIMD2<Double>, _ channel: Int) -> Double {
        let from = place - SIMD2(Double(size.width), Double(size.height)) / 2
        let square = (from * from).sum()
        let wave = 0.5 + 0.4 * cosine(square / 4400)
        let colour = from.x * from.y > 0 ? [0.8, 1, 0.6] : [0.6, 0.9, 1]
        return wave * colour[channel]
    }

    /// Cosine of `turns` circles. The system library's last bits differ between machines.
    private static func cosine(_ turns: Double) -> Double {
        let x = abs(turns - turns.rounded()) * 4 - 1
        return -x * (1.5707 - x * x * (0.6459 - x * x * (0.0796 - x * x * 0.0043)))
    }

    /// Lateral colour only, and with distortion: red by a pixel at the corners, blue by less.
    static let colouredLenses = [
        Lens(
            testDescription: "lateral colour alone",
            planes: [plane(1.0025, 0, 0, 0), plane(1, 0, 0, 0), plane(0.9985, 0, 0, 0)]),
        Lens(
            testDescription: "lateral colour and barrel",
            planes: [plane(0.9725, -0.06, 0.02, 0), plane(0.97, -0.06, 0.02, 0), plane(0.9685, -0.06, 0.02, 0)]),
    ]

    /// Moved after interpolation of the mosaic, three quarters of the error would remain: green's detail would be in
    /// the wrong places of red and blue.
    @Test("Separated colours of a lens are aligned, and edges have no fringes", arguments: colouredLenses)
    func together(lens: Lens) throws {
        let facts = try Self.facts(.bayer(Sensors.phases[0]), lens)
        let achromatic = Lens(testDescription: "", planes: [lens.planes[1]])
        let whole = try Self.facts(facts.layout, achromatic)
        let truth = try Self.develop(whole, value: Self.seen(whole, through: whole.corrections.warps[0], Self.rings))
        let shown = Self.seen(facts, through: facts.corrections.warps[0], Self.rings)
        func error(_ picture: Bytes) -> Double {
            var sum = 0
            for y in 20..<Self.size.height - 20 {
                for x in 20..<Self.size.width - 20 {
                    let index = y * Self.size.width + x
                    let (cb, cr) = (
                        Int(picture.cb[index]) - Int(truth.cb[index]), Int(picture.cr[index]) - Int(truth.cr[index])
                    )
                    sum += cb * cb + cr * cr
                }
            }
            return Double(sum).squareRoot()
        }
        let (left, fault) = (
            error(try Self.develop(facts, value: shown)),
            error(try Self.develop(facts, correctsLens: false, value: shown))
        )
        #expect(left < 0.2 * fault, "\(left / fault)")
    }

    @Test("If green does not move, no pixel moves after interpolation of the mosaic")
    func greenStays() throws {
        let facts = try Self.facts(.bayer(Sensors.phases[0]), Self.colouredLenses[0])
        let plan = try #require(WarpPlan(facts, facts.corrections))
        #expect(plan.field == nil && plan.alignment != nil && plan.area == facts.crop)
        // Other sensors move each colour afterwards, as do lenses whose colours are many pixels apart.
        for layout in [Sensors.xTrans, .linearRGB] {
            let facts = try Self.facts(layout, Self.colouredLenses[0])
            let plan = try #require(WarpPlan(facts, facts.corrections))
            #expect(plan.field?.planes == 3 && plan.alignment == nil)
        }
        let apart = Lens(
            testDescription: "", planes: [Self.plane(1.05, 0, 0, 0), Self.plane(1, 0, 0, 0), Self.plane(0.95, 0, 0, 0)])
        let far = try Self.facts(.bayer(Sensors.phases[0]), apart)
        let farPlan = try #require(WarpPlan(far, far.corrections))
        #expect(farPlan.field?.planes == 3 && farPlan.alignment == nil)
    }

    @Test(
        "A sample comes from the place of its colour, within a fiftieth of a pixel", arguments: lenses + colouredLenses
    )
    func distances(lens: Lens) throws {
        let size = PixelSize(width: 1500, height: 1000)
        let phase = try #require(BayerPhase(Sensors.phases[1]))
        let facts = try Self.facts(.bayer(Sensors.phases[1]), lens, size)
        let warp = facts.corrections.warps[0]
        for channel in [0, 2] {
            let lattice = ColourLattice(facts.crop, phase, channel: channel)
            let grid = AlignmentGrid(facts.corrections, facts.crop, channel: channel)
            let field = try #require(grid.field(lattice))
            var offsets = (
                across: [Int32](repeating: 0, count: field.columns), down: [Int32](repeating: 0, count: field.columns)
            )
            for row in stride(from: 16, to: lattice.size.height - 16, by: 31) {
                field.across(0, row, into: &offsets.across)
                field.down(0, row, into: &offsets.down)
                for column in stride(from: 8, to: lattice.size.width - 8, by: 8 * 7) {
                    let place = SIMD2(Double(lattice.x + 2 * column), Double(lattice.y + 2 * row))
                    let origin = Self.origin(of: place, warp.motion(channel: 1))
                    // Only visible places must be right.
                    guard origin.x > 0, origin.y > 0, origin.x < 1499, origin.y < 999 else { continue }
                    let motion = warp.motion(channel: channel)
                    let found = motion.source(.init(repeating: origin.x), .init(repeating: origin.y))
                    let scale = 2 / Double(WarpField.unit)
                    let worst = max(
                        abs(found.x[0] - place.x - Double(offsets.across[column / 8]) * scale),
                        abs(found.y[0] - place.y - Double(offsets.down[column / 8]) * scale))
                    #expect(worst < 0.02, "\(worst) pixels at \(place)")
                }
            }
        }
    }

    /// The centre of the line near `middle`, from its light above the dark between lines.
    private static func centre(_ values: [UInt8], _ middle: Int) -> Double {
        let range = middle - 7...middle + 7
        let dark = Double(range.map { values[$0] }.min() ?? 0)
        let weights = range.map { ($0, max(Double(values[$0]) - dark - 8, 0)) }
        return weights.reduce(0) { $0 + Double($1.0) * $1.1 } / weights.reduce(0) { $0 + $1.1 }
    }

    @Test("A grid seen through a known lens is straight within half a pixel", arguments: lenses)
    func straight(lens: Lens) throws {
        let facts = try Self.facts(.bayer(Sensors.phases[0]), lens)
        let picture = try Self.develop(facts, value: Self.grid(facts, lens.warp(Self.size)))
        let (width, height) = (Self.size.width, Self.size.height)
        var worst = 0.0
        for line in 1..<15 {
            for y in stride(from: 20, to: height - 10, by: 40) {
                let row = (0..<width).map { picture.luma[y * width + $0] }
                worst = max(worst, abs(Self.centre(row, 40 * line) - Double(40 * line)))
            }
        }
        for line in 1..<11 {
            for x in stride(from: 20, to: width - 10, by: 40) {
                let column = (0..<height).map { picture.luma[$0 * width + x] }
                worst = max(worst, abs(Self.centre(column, 40 * line) - Double(40 * line)))
            }
        }
        #expect(worst < 0.5, "\(worst) pixels")
        // The uncorrected grid is not straight.
        let plain = try Self.develop(facts, correctsLens: false, value: Self.grid(facts, lens.warp(Self.size)))
        #expect(plain != picture)
    }

    @Test("Between the points of its grid, an offset is right within a fiftieth of a pixel", arguments: lenses)
    func offsets(lens: Lens) throws {
        let size = PixelSize(width: 1500, height: 1000)
        let facts = try Self.facts(Sensors.xTrans, lens, size)
        let plan = try #require(WarpPlan(facts, facts.corrections))
        let warp = facts.corrections.warps[0]
        let field = try #require(plan.field)
        var (down, across) = ([Int32](repeating: 0, count: field.columns), [Int32](repeating: 0, count: field.columns))
        func at(_ x: Int, _ offsets: [Int32]) -> Double {
            let (point, share) = (x / 8, Double(x % 8) / 8)
            let value = Double(offsets[point]) + (Double(offsets[point + 1]) - Double(offsets[point])) * share
            return value / Double(WarpField.unit)
        }
        var worst = 0.0
        for channel in 0..<field.planes {
            for y in stride(from: 3, to: size.height, by: 37) {
                field.down(channel, y, into: &down)
                for x in stride(from: 4, to: size.width, by: 41) {
                    let motion = warp.motion(channel: field.planes == 1 ? 1 : channel)
                    let exact = motion.source(.init(repeating: Double(x)), .init(repeating: Double(y)))
                    let row = Double(y) + at(x, down)
                    worst = max(worst, abs(row - exact.y[0]))
                    guard (1..<Double(field.source.height - 2)).contains(row) else { continue }
                    // Both steps: the row's neighbours, each stretched by its own offsets.
                    let upper = Int(row)
                    field.across(channel, upper, into: &across)
                    let first = at(x, across)
                    field.across(channel, upper + 1, into: &across)
                    let column = Double(x) + first + (at(x, across) - first) * (row - Double(upper))
                    worst = max(worst, abs(column - exact.x[0]))
                }
            }
        }
        #expect(worst < 0.02, "\(worst) pixels")
    }

    @Test("The bytes are the same for any number of threads, for every sensor and size", arguments: layouts)
    func threads(layout: SensorLayout) throws {
        let size = PixelSize(width: 613, height: 203)
        var random = Sensors.Random(state: 3)
        let values = (0..<4096).map { _ in Int.random(in: 64...4000, using: &random) }
        func value(_ x: Int, _ y: Int) -> Int { values[(x * 31 + y * 517) & 4095] }
        for (lens, orientation) in zip(
            Self.lenses[0..<3] + Self.colouredLenses,
            [Orientation.upright, .rotated90Clockwise, .rotated180, .mirroredVertically, .upright])
        {
            var facts = try Self.facts(layout, lens, size)
            facts.orientation = orientation
            for edge in [nil, 150] {
                let one = try Self.develop(facts, longEdge: edge, value: value)
                for threads in [2, 4] {
                    #expect(try Self.develop(facts, threads: threads, longEdge: edge, value: value) == one)
                }
            }
        }
    }

    @Test("An even picture stays even and keeps its colours", arguments: layouts)
    func even(layout: SensorLayout) throws {
        let facts = try Self.facts(layout, Self.lenses[0])
        let corrected = try Self.develop(facts) { x, y in 700 + 300 * layout.channel(x: x, y: y) }
        let plain = try Self.develop(facts, correctsLens: false) { x, y in 700 + 300 * layout.channel(x: x, y: y) }
        for plane in [\Bytes.luma, \.cb, \.cr] {
            let differences = zip(plain[keyPath: plane], corrected[keyPath: plane]).map { abs(Int($0) - Int($1)) }
            #expect(differences.max() ?? 0 <= 1)
        }
    }

    @Test("The picture's edges come from lit pixels beyond it")
    func margins() throws {
        let lens = Self.lenses[1]
        var facts = try Self.facts(.bayer(Sensors.phases[0]), lens)
        let inner = PixelSize(width: 600, height: 440)
        facts.crop = PixelRect(x: 20, y: 20, size: inner)
        facts.corrections.area = PixelRect(x: 0, y: 0, size: Self.size)
        let plan = try #require(WarpPlan(facts, facts.corrections))
        #expect(plan.area.x < 20 && plan.area.y < 20 && plan.area.size.width > 610)
        facts.corrections.area = nil
        let narrow = try #require(WarpPlan(facts, facts.corrections))
        #expect(narrow.area == facts.crop)
    }

    @Test(
        "A warp that folds the picture, or leads far away, is not applied, and the picture reports it", arguments: 0..<4
    )
    func impossible(index: Int) throws {
        let coefficients: [(Double, Double, Double, Double)] = [
            (-1, 0, 0, 0), (1, -3, 0, 0), (900, 0, 0, 0), (0, 0, 0, 0),
        ]
        let k = coefficients[index]
        let lens = Lens(testDescription: "", planes: [Self.plane(k.0, k.1, k.2, k.3)])
        let facts = try Self.facts(.bayer(Sensors.phases[0]), lens)
        var context = DevelopContext()
        let image = Sensors.image(facts) { _, _ in 1000 }
        let found = try context.develop(image).facts
        #expect(found.missingCorrections?.contains("lens") == true)
    }
}
