import Develop
import PictureFormat
import Pixels

/// The cost of lens correction: developing with and without it, alternately.
enum LensTiming {
    static func run(_ image: borrowing SensorImage, only: String?) throws {
        let plane = Plane<UInt16>(width: image.plane.width, height: image.plane.height)
        for y in 0..<plane.height { plane.row(y).update(from: image.plane.row(y), count: plane.width) }
        var facts = image.facts
        let given = facts.corrections
        facts.corrections = .none
        let plain = SensorImage(plane: plane, facts: facts)
        var context = DevelopContext()
        for (name, corrections) in try cases(facts) + [("the file's own", given)] where only == nil || only == name {
            var times: [(plain: Double, lens: Double)] = []
            for _ in 0..<7 {
                facts.corrections = corrections
                let copy = Plane<UInt16>(width: plain.plane.width, height: plain.plane.height)
                for y in 0..<copy.height { copy.row(y).update(from: plain.plane.row(y), count: copy.width) }
                let corrected = SensorImage(plane: copy, facts: facts)
                times.append((try milliseconds(plain, &context), try milliseconds(corrected, &context)))
            }
            let plain = Timing.median(times.map(\.plain))
            let ratio = Timing.median(times.map { $0.lens / $0.plain })
            let least = Timing.rounded((times.map(\.lens).min() ?? 0) / (times.map(\.plain).min() ?? 1))
            print("\(name): \(plain) ms without, \(ratio) times with (by the least of both \(least) times)")
        }
    }

    private static func milliseconds(
        _ image: borrowing SensorImage, _ context: inout DevelopContext
    ) throws -> Double {
        let start = Timing.now(1)
        let settings = DevelopSettings(brightness: .asExposed, sharpening: 0.5)
        let size = try context.develop(image, settings: settings).full.size
        return size.width > 0 ? Timing.now(1) - start : 0
    }

    private static func cases(_ facts: SensorFacts) throws -> [(String, SensorCorrections)] {
        let size = facts.crop.size
        let half = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
        let centre = half + SIMD2(Double(facts.crop.x), Double(facts.crop.y))
        func warp(_ planes: [SIMD4<Double>]) -> SensorCorrections {
            let warp = LensWarp(
                centre: centre, distance: (half * half).sum().squareRoot(),
                planes: planes.map { LensWarp.Plane(radial: $0) }, formula: .rectilinear)
            return SensorCorrections(warps: warp.map { [$0] } ?? [])
        }
        let zoom = SIMD4(0.98, -0.06, 0.02, 0)
        guard
            let radial = RadialGain(
                centreX: centre.x, centreY: centre.y, distance: (half * half).sum().squareRoot(),
                coefficients: [0.6, 0.2, 0, 0, 0]), let whole = PixelLattice(facts.crop),
            let gain = SampleGain(area: whole, factor: .radial(radial))
        else { return [] }
        return [
            ("distortion of 5 %", warp([zoom])),
            ("distortion and lateral colour", warp([zoom * 1.0004, zoom, zoom * 0.9997])),
            ("lateral colour alone", warp([1.0004, 1, 0.9997].map { SIMD4($0, 0, 0, 0) })),
            ("wide angle, 25 %", warp([SIMD4(0.95, -0.25, 0.05, 0)])),
            ("vignetting", SensorCorrections(gains: [gain])),
        ]
    }
}
