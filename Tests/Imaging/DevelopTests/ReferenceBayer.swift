import PictureFormat
import Pixels

@testable import DevelopKernels

/// A grid of numbers with a margin, so that every sample has neighbours.
struct GridOf<Value> {
    let size: PixelSize
    let margin: Int
    private var values: [Value]

    init(_ size: PixelSize, margin: Int, _ value: (Int, Int) -> Value) {
        self.size = size
        self.margin = margin
        values = []
        for y in -margin..<size.height + margin {
            for x in -margin..<size.width + margin { values.append(value(x, y)) }
        }
    }

    subscript(x: Int, y: Int) -> Value { values[(y + margin) * (size.width + 2 * margin) + x + margin] }
}

typealias Grid = GridOf<Float>
typealias IntegerGrid = GridOf<Int>

/// Edge-directed interpolation of a Bayer mosaic pixel by pixel: a slow and simple reference for the kernels on half
/// rows. They share only the light of a sample (`SampleLevels`, `HighlightReconstruction`, `HighlightHues`) and its
/// root (`FixedPointRoots`).
struct ReferenceBayer {
    private let phase: BayerPhase
    private let crop: PixelRect
    /// The cube of the integer root of light 1.
    private let scale: Float
    /// Integer cube roots of light.
    private let roots: IntegerGrid
    /// Green minus the other colour, at red and blue.
    private let differences: IntegerGrid

    init(_ image: borrowing SensorImage, phase: BayerPhase, levels: SampleLevels, hues: HighlightHues) {
        let crop = image.facts.crop
        var light: [[Float]] = []
        for y in 0..<crop.size.height {
            let row = image.plane.row(crop.y + y)
            light.append(
                (0..<crop.size.width).map { x in
                    let channel = Self.channel(phase, crop, x, y)
                    let black = levels.blackLevel(x: crop.x + x, y: crop.y + y)
                    return (Float(row[crop.x + x]) - black) * levels.scale[channel]
                })
        }
        let reflected = { (x: Int, y: Int) -> Float in
            light[Self.reflect(y, crop.size.height)][Self.reflect(x, crop.size.width)]
        }
        let highlights = HighlightReconstruction(clip: levels.clip, hues: hues)
        let encoding = FixedPointRoots(clip: levels.clip)
        roots = IntegerGrid(crop.size, margin: 10) { x, y in
            Int(encoding.root(Self.restored(highlights, hues, phase, crop, x, y, reflected)))
        }
        differences = Self.makeDifferences(roots, crop.size) { Self.channel(phase, crop, $0, $1) == 1 }
        self.phase = phase
        self.crop = crop
        scale = encoding.cube
    }

    /// 0 red, 1 green, 2 blue. The picture may begin at any sample of the pattern.
    private static func channel(_ phase: BayerPhase, _ crop: PixelRect, _ x: Int, _ y: Int) -> Int {
        let right = (crop.x + x - phase.redX) & 1
        let down = (crop.y + y - phase.redY) & 1
        return right + down
    }

    private static func reflect(_ index: Int, _ count: Int) -> Int {
        let period = 2 * (count - 1)
        let i = ((index % period) + period) % period
        return i < count ? i : period - i
    }

    /// Highlights are reconstructed in squares that begin at red.
    private static func restored(
        _ highlights: HighlightReconstruction, _ hues: HighlightHues, _ phase: BayerPhase, _ crop: PixelRect, _ x: Int,
        _ y: Int,
        _ light: (Int, Int) -> Float
    ) -> Float {
        let left = x - ((crop.x + x - phase.redX) & 1)
        let top = y - ((crop.y + y - phase.redY) & 1)
        let (r, b) = (light(left, top), light(left + 1, top + 1))
        var hue: (red: Float, green: Float, blue: Float) = (0, 0, 0)
        hues.fill(x: crop.x + left, step: 2, y: crop.y + top, count: 1, &hue.red, &hue.green, &hue.blue)
        let upper = highlights.restore(r, light(left + 1, top), b, hue: hue)
        let lower = highlights.restore(r, light(left, top + 1), b, hue: hue)
        switch (x - left, y - top) {
        case (0, 0): return (upper.0 + lower.0) * 0.5
        case (1, 0): return upper.1
        case (0, 1): return lower.1
        default: return (upper.2 + lower.2) * 0.5
        }
    }

    /// Light, which may be slightly negative.
    func colours(x: Int, y: Int) -> [Float] {
        let d = differences
        let own = roots[x, y]
        let horizontal = half(d[x - 1, y] + d[x + 1, y])
        let vertical = half(d[x, y - 1] + d[x, y + 1])
        let left = half(d[x - 1, y - 1] + d[x - 1, y + 1])
        let other = half(left + half(d[x + 1, y - 1] + d[x + 1, y + 1]))
        switch Self.channel(phase, crop, x, y) {
        case 0: return light(green: own + d[x, y], d[x, y], other)
        case 2: return light(green: own + d[x, y], other, d[x, y])
        default:
            // At green, red is beside it in red rows, and above and below in blue rows.
            let inRedRow = (crop.y + y - phase.redY) & 1 == 0
            return inRedRow ? light(green: own, horizontal, vertical) : light(green: own, vertical, horizontal)
        }
    }

    /// The light of a pixel, by the root of green and the differences of the other colours from it.
    private func light(green: Int, _ greenMinusRed: Int, _ greenMinusBlue: Int) -> [Float] {
        [green - greenMinusRed, green, green - greenMinusBlue].map { root in
            let positive = Float(max(root, 0))
            return positive * positive * positive * (1 / scale) + (-1.0 / 512)
        }
    }
}

private func half(_ sum: Int) -> Int { sum >> 1 }

extension ReferenceBayer {
    /// One direction: at red and blue, the change of the estimated difference, and its smoothed value.
    private struct Direction {
        let change: IntegerGrid
        let smooth: IntegerGrid

        init(_ roots: IntegerGrid, _ size: PixelSize, dx: Int, dy: Int, isGreen: (Int, Int) -> Bool) {
            let estimate = IntegerGrid(size, margin: 8) { x, y in
                let sides = roots[x - dx, y - dy] + roots[x + dx, y + dy]
                let own = roots[x, y] + half(roots[x - 2 * dx, y - 2 * dy] + roots[x + 2 * dx, y + 2 * dy])
                return half(isGreen(x, y) ? own - sides : sides - own)
            }
            change = IntegerGrid(size, margin: 5) { x, y in
                let own = estimate[x, y]
                let (previous, next) = (estimate[x - 2 * dx, y - 2 * dy], estimate[x + 2 * dx, y + 2 * dy])
                let (before, after) = (estimate[x - dx, y - dy], estimate[x + dx, y + dy])
                return min(abs(own - previous) + abs(next - own), 8191) + min(abs(after - before), 8191)
            }
            smooth = IntegerGrid(size, margin: 5) { x, y in
                let own = estimate[x, y]
                return half(own + half(estimate[x - dx, y - dy] + estimate[x + dx, y + dy]) + 1)
            }
        }

        func uncertainty(_ x: Int, _ y: Int) -> Float {
            let around = change[x - 1, y - 1] + change[x + 1, y - 1] + change[x - 1, y + 1] + change[x + 1, y + 1]
            return Float(change[x, y] + (around >> 2)) + 0.25
        }
    }

    /// Of two pairs of difference and change, the one with less change, or their mean if the other changes at most
    /// twice as much, except for rounding.
    private static func steadier(_ a: (Int, Int), _ b: (Int, Int)) -> (Int, Int) {
        let (less, more) = a.1 < b.1 ? (a, b) : (b, a)
        return more.1 < 2 * less.1 + 3 ? (half(less.0 + more.0), less.1) : less
    }

    private static func makeDifferences(_ roots: IntegerGrid, _ size: PixelSize, isGreen: (Int, Int) -> Bool)
        -> IntegerGrid
    {
        let horizontal = Direction(roots, size, dx: 1, dy: 0, isGreen: isGreen)
        let vertical = Direction(roots, size, dx: 0, dy: 1, isGreen: isGreen)
        let blended = IntegerGrid(size, margin: 4) { x, y in
            let a = horizontal.uncertainty(x, y)
            let b = vertical.uncertainty(x, y)
            let (along, across) = (Float(horizontal.smooth[x, y]), Float(vertical.smooth[x, y]))
            let share = b * b / (a * a + b * b)
            return Int((across + (along - across) * share).rounded(.toNearestOrEven))
        }
        return IntegerGrid(size, margin: 2) { x, y in
            func neighbours(_ dx: Int, _ dy: Int, _ change: IntegerGrid) -> (Int, Int) {
                let before = (blended[x - 2 * dx, y - 2 * dy], change[x - 2 * dx, y - 2 * dy])
                return steadier(before, (blended[x + 2 * dx, y + 2 * dy], change[x + 2 * dx, y + 2 * dy]))
            }
            let own = blended[x, y]
            let step = steadier(neighbours(1, 0, horizontal.change), neighbours(0, 1, vertical.change)).0 - own
            return own + (step >> 2)
        }
    }
}
