import PictureFormat
import Pixels

@testable import DevelopKernels

/// Edge-directed interpolation of an X-Trans mosaic pixel by pixel, without highlights: a slow and simple reference for
/// the kernels on rows. They share only the root of a number (`FixedPointRoots`).
struct ReferenceXTrans {
    private let phase: XTransPhase
    private let crop: PixelRect
    private let fixed: FixedPointRoots
    private let roots: Grid
    private let share: Grid
    private let smoothed: [CFAColour: Grid]

    private static let long: [Float] = [1, 0.8825, 0.6065, 0.3247]
    private static let short: [Float] = [1, 0.4578]

    init(_ image: borrowing SensorImage, phase: XTransPhase, levels: SampleLevels) {
        let crop = image.facts.crop
        let own = phase.at(x: crop.x, y: crop.y)
        var light: [[Float]] = []
        for y in 0..<crop.size.height {
            let row = image.plane.row(crop.y + y)
            light.append(
                (0..<crop.size.width).map { x in
                    let black = levels.blackLevel(x: crop.x + x, y: crop.y + y)
                    return (Float(row[crop.x + x]) - black) * levels.scale[Int(own.colour(x, y).rawValue)]
                })
        }
        let fixed = FixedPointRoots(clip: levels.clip)
        let roots = Grid(crop.size, margin: 10) { x, y in
            let inside = (
                x: Self.mirror(x, crop.size.width, own.x), y: Self.mirror(y, crop.size.height, own.y)
            )
            return Self.bounded(fixed.exactRoot(light[inside.y][inside.x]))
        }
        let estimates = Self.estimates(roots, own)
        let share = Self.share(estimates)
        self.roots = roots
        self.fixed = fixed
        self.share = share
        self.phase = own
        self.crop = crop
        var smoothed: [CFAColour: Grid] = [:]
        for colour in [CFAColour.red, .blue] {
            let plain = Grid(crop.size, margin: 6) { x, y in
                let (h, v) = (estimates.along[x, y], estimates.across[x, y])
                if own.colour(x, y) != colour { return 0 }
                return ((v + (h - v) * (share[x, y] * (1 / 32_767))) - roots[x, y]).rounded(.toNearestOrEven)
            }
            smoothed[colour] = Grid(crop.size, margin: 3) { x, y in
                if own.colour(x, y) != colour { return 0 }
                return Self.mean(plain, own, colour, share, x, y).rounded(.toNearestOrEven)
            }
        }
        self.smoothed = smoothed
    }

    /// The nearest root between 0 and the maximum.
    private static func bounded(_ root: Float) -> Float {
        min(max(root, 0), FixedPointRoots.max).rounded(.toNearestOrEven)
    }

    /// Mirrors at the first and last sample that is the second of three in the pattern.
    private static func mirror(_ index: Int, _ count: Int, _ phase: Int) -> Int {
        let centres = (0..<count).filter { ($0 + phase) % 3 == 1 }
        guard let first = centres.first, let last = centres.last else { return 0 }
        var i = index
        while i < 0 || i >= count { i = i < 0 ? 2 * first - i : 2 * last - i }
        return i
    }

    func colours(x: Int, y: Int) -> [Float] {
        let own = roots[x, y]
        guard let red = smoothed[.red], let blue = smoothed[.blue] else { return [] }
        let green = own + (red[x, y] + blue[x, y])
        let isRed = phase.colour(x, y) == .red
        let isBlue = phase.colour(x, y) == .blue
        let r = isRed ? own : green - Self.mean(red, phase, .red, share, x, y)
        let b = isBlue ? own : green - Self.mean(blue, phase, .blue, share, x, y)
        return [r, green, b].map { value in
            let root = Self.bounded(value)
            return max(root * root * root * (1 / fixed.cube) - 1.0 / 512, 0)
        }
    }
}

extension ReferenceXTrans {
    /// Green along and across at red and blue.
    private static func estimates(_ v: Grid, _ phase: XTransPhase) -> (along: Grid, across: Grid) {
        func between(_ x: Int, _ y: Int, _ dx: Int, _ dy: Int) -> Float {
            (v[x - dx, y - dy] + v[x + dx, y + dy]) * 0.6797 - (v[x - 2 * dx, y - 2 * dy] + v[x + 2 * dx, y + 2 * dy])
                * 0.1797
        }
        func beside(_ x: Int, _ y: Int, _ dx: Int, _ dy: Int) -> Float {
            v[x + dx, y + dy] * 0.8711 + v[x - 2 * dx, y - 2 * dy] * 0.1289
                + (v[x, y] - v[x + 2 * dx, y + 2 * dy]) * 0.3594
        }
        /// Direction from a column or row of the pattern to the centre of its square.
        func inward(_ index: Int) -> Int { index % 3 == 0 ? 1 : -1 }
        let along = Grid(v.size, margin: 8) { x, y in
            if phase.colour(x, y) == .green { return v[x, y] }
            return bounded(phase.row(y) % 3 == 1 ? beside(x, y, inward(phase.column(x)), 0) : between(x, y, 1, 0))
        }
        let across = Grid(v.size, margin: 8) { x, y in
            if phase.colour(x, y) == .green { return v[x, y] }
            return bounded(phase.row(y) % 3 == 1 ? between(x, y, 0, 1) : beside(x, y, 0, inward(phase.row(y))))
        }
        return (along, across)
    }

    private static func share(_ estimates: (along: Grid, across: Grid)) -> Grid {
        let size = estimates.along.size
        let mean = Grid(size, margin: 8) {
            ((estimates.along[$0, $1] + estimates.across[$0, $1]) * 0.5).rounded(.down)
        }
        func activity(_ dx: Int, _ dy: Int) -> Grid {
            Grid(size, margin: 7) { x, y in
                let (before, own, after) = (mean[x - dx, y - dy], mean[x, y], mean[x + dx, y + dy])
                return (after - before).magnitude + ((own + own) - (after + before)).magnitude
            }
        }
        let (along, across) = (activity(1, 0), activity(0, 1))
        func around(_ grid: Grid, _ x: Int, _ y: Int) -> Float {
            let columns = (x - 1...x + 1).map { (grid[$0, y - 1] + grid[$0, y]) + grid[$0, y + 1] }
            return columns[0] + columns[1] + columns[2] + 1.5
        }
        return Grid(size, margin: 6) { x, y in
            let (a, b) = (around(along, x, y), around(across, x, y))
            return (b * b / (a * a + b * b) * 32_767).rounded(.toNearestOrEven)
        }
    }

    /// The weighted mean of a colour's differences, blended from the means along and across the row.
    private static func mean(
        _ d: Grid, _ phase: XTransPhase, _ colour: CFAColour, _ share: Grid, _ x: Int, _ y: Int
    ) -> Float {
        func few(_ x: Int) -> Float { d[x, y] + (d[x, y - 1] + d[x, y + 1]) * short[1] }
        func many(_ x: Int) -> Float {
            ((d[x, y] + (d[x, y - 1] + d[x, y + 1]) * long[1]) + (d[x, y - 2] + d[x, y + 2]) * long[2])
                + (d[x, y - 3] + d[x, y + 3]) * long[3]
        }
        let along =
            ((few(x) + (few(x - 1) + few(x + 1)) * long[1]) + (few(x - 2) + few(x + 2)) * long[2])
            + (few(x - 3) + few(x + 3)) * long[3]
        let across = many(x) + (many(x - 1) + many(x + 1)) * short[1]
        let a = along * (1 / weight(phase, colour, x, y, long, short))
        let b = across * (1 / weight(phase, colour, x, y, short, long))
        return b + (a - b) * (share[x, y] * (1 / 32_767))
    }

    private static func weight(
        _ phase: XTransPhase, _ colour: CFAColour, _ x: Int, _ y: Int, _ weightsX: [Float], _ weightsY: [Float]
    ) -> Float {
        var sum: Float = 0
        for dy in 1 - weightsY.count..<weightsY.count {
            for dx in 1 - weightsX.count..<weightsX.count where phase.colour(x + dx, y + dy) == colour {
                sum += weightsX[abs(dx)] * weightsY[abs(dy)]
            }
        }
        return sum
    }
}
