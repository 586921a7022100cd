import CLensfun
import LensDatabase
import PictureFormat
import Pixels
import Testing

@testable import Lenses

/// Compares our arithmetic with Lensfun's, for every lens of Debian's database.
@Suite("Lenses against Lensfun") struct LensfunJudgeTests {
    private static let table = LensfunDatabase.table()
    private static let size = PixelSize(width: 6000, height: 4000)

    /// A Lensfun lens made from ours.
    private final class Judge {
        let lens: UnsafeMutablePointer<lfLens>

        init(_ record: LensRecord) throws {
            lens = try #require(lf_lens_new())
            lens.pointee.CropFactor = record.sensor.cropFactor
            lens.pointee.AspectRatio = record.sensor.aspectRatio
            lens.pointee.CenterX = record.sensor.centre.x
            lens.pointee.CenterY = record.sensor.centre.y
            lens.pointee.MinFocal = record.focalLengths[0]
            lens.pointee.MaxFocal = record.focalLengths[1]
            lens.pointee.Type = LF_RECTILINEAR
            for point in record.distortion {
                var one = lfLensCalibDistortion()
                one.Model =
                    [LF_DIST_MODEL_POLY3, LF_DIST_MODEL_POLY5, LF_DIST_MODEL_PTLENS][Int(point.model.rawValue) - 1]
                one.Focal = point.focalLength
                one.Terms = (point.terms[0], point.terms[1], point.terms[2])
                lf_lens_add_calib_distortion(lens, &one)
            }
            for point in record.lateralColour {
                var one = lfLensCalibTCA()
                one.Model = LF_TCA_MODEL_POLY3
                one.Focal = point.focalLength
                one.Terms = (point.red[0], point.blue[0], point.red[1], point.blue[1], point.red[2], point.blue[2])
                lf_lens_add_calib_tca(lens, &one)
            }
            for point in record.vignetting {
                var one = lfLensCalibVignetting()
                one.Model = LF_VIGNETTING_MODEL_PA
                (one.Focal, one.Aperture, one.Distance) = (point.focalLength, point.aperture, point.distance)
                one.Terms = (point.terms[0], point.terms[1], point.terms[2])
                lf_lens_add_calib_vignetting(lens, &one)
            }
        }

        deinit { lf_lens_destroy(lens) }

        /// Sources of red, green and blue of a pixel, and the factor of its light.
        func correct(_ x: Float, _ y: Float, _ shot: LensShot, _ crop: Float) -> (places: [Float], factor: Float) {
            let size = LensfunJudgeTests.size
            guard let modifier = lf_modifier_new(lens, crop, Int32(size.width), Int32(size.height)) else {
                return ([], 0)
            }
            defer { lf_modifier_destroy(modifier) }
            let flags = Int32(LF_MODIFY_TCA) | Int32(LF_MODIFY_VIGNETTING) | Int32(LF_MODIFY_DISTORTION)
            _ = lf_modifier_initialize(
                modifier, lens, LF_PF_F32, shot.focalLength, shot.aperture, 1000, 1, LF_RECTILINEAR, flags, 0)
            var places: [Float] = [x, y, x, y, x, y]
            if lf_modifier_apply_subpixel_geometry_distortion(modifier, x, y, 1, 1, &places) == 0 {
                places = [x, y, x, y, x, y]
            }
            // The factor is unchanged only well within the range of the number.
            var light: [Float] = [1]
            let role = Int32(LF_CR_INTENSITY.rawValue)
            _ = lf_modifier_apply_color_modification(modifier, &light, x, y, 1, 1, role, 4)
            return (places, light[0])
        }
    }

    /// Shots with a lens at some of its settings, measured and in between.
    private static func shots(_ lens: LensRecord) -> [LensShot] {
        let (short, long) = (max(lens.focalLengths[0], 1), max(lens.focalLengths[1], 1))
        return [Float(0), 0.3, 1].map { share in
            LensShot(
                make: "", model: "", focalLength: short + share * (long - short),
                aperture: max(lens.minAperture, 1) * (1 + share))
        }
    }

    @Test("Every lens of the database is corrected by Lensfun's formulas")
    func everyLens() throws {
        let table = try #require(Self.table, "liblensfun-data-v1 is installed for tests")
        #expect(table.lenses.count > 1000 && table.cameras.count > 800)
        var (worst, worstFactor, count) = (0.0, 0.0, 0)
        for lens in table.lenses {
            let judge = try Judge(lens)
            let crop = lens.sensor.cropFactor * 1.02
            let camera = CameraRecord(makers: ["x"], models: ["y"], mount: "z", cropFactor: crop)
            for shot in Self.shots(lens) {
                let profile = LensProfile(shot, camera, [lens])
                let rect = PixelRect(x: 0, y: 0, size: Self.size)
                for place in [SIMD2<Float>(100, 60), SIMD2(1500, 900), SIMD2(5000, 1900), SIMD2(3300, 3900)] {
                    let truth = judge.correct(place.x, place.y, shot, crop)
                    let warps = profile.warps(rect, scale: 1)
                    for channel in 0..<3 {
                        let found = SensorCorrections(warps: warps).source(
                            .init(repeating: Double(place.x)), .init(repeating: Double(place.y)), channel: channel)
                        // Some formulas of the database lead out of the picture there.
                        let (x, y) = (Double(truth.places[2 * channel]), Double(truth.places[2 * channel + 1]))
                        guard x.magnitude < 20_000, y.magnitude < 20_000 else { continue }
                        worst = max(worst, (found.x[0] - x).magnitude, (found.y[0] - y).magnitude)
                        count += 1
                    }
                    let gain = profile.corrections(rect).gains.first
                    let factor = gain?.factor(x: Int(place.x), y: Int(place.y), channel: 1) ?? 1
                    if truth.factor > 0, truth.factor < 60 {
                        worstFactor = max(worstFactor, Double(abs(factor / truth.factor - 1)))
                    }
                }
            }
        }
        #expect(count > 10_000)
        #expect(worst < 0.02, "\(worst) pixels")
        #expect(worstFactor < 0.001, "\(worstFactor)")
    }

    @Test("A table survives a round trip, and the bytes do not depend on the order of its parts")
    func bytes() throws {
        let table = try #require(Self.table)
        let bytes = table.bytes
        #expect(try LensTable(bytes: bytes) == table)
        let shuffled = LensTable(
            cameras: table.cameras.shuffled(), lenses: table.lenses.shuffled(),
            compatibleMounts: table.compatibleMounts)
        #expect(shuffled.bytes == bytes)
        for length in [0, 5, 17, 100, bytes.count / 2, bytes.count - 1] {
            #expect(throws: LensTableError.self) { try LensTable(bytes: Array(bytes.prefix(length))) }
        }
        #expect(throws: LensTableError.self) { try LensTable(bytes: bytes + [0]) }
        let clock = ContinuousClock()
        print("\(bytes.count) bytes, read in \(clock.measure { _ = try? LensTable(bytes: bytes) })")
    }

    @Test(
        "Names in cameras' spelling lead to the lens",
        arguments: [
            ("Canon", "Canon EOS 5D Mark II", "EF24-105mm f/4L IS USM", "Canon EF 24-105mm f/4L IS USM"),
            ("Canon", "Canon EOS 60D", "EF-S18-55mm f/3.5-5.6 IS II", "Canon EF-S 18-55mm f/3.5-5.6 IS II"),
            ("NIKON CORPORATION", "NIKON D7000", "18.0-105.0 mm f/3.5-5.6", "18-105mm f/3.5-5.6G ED VR"),
            ("NIKON CORPORATION", "NIKON D810", "AF-S NIKKOR 24-70mm f/2.8G ED", "24-70mm f/2.8G ED"),
            ("SONY", "ILCE-7M2", "FE 28-70mm F3.5-5.6 OSS", "Sony FE 28-70mm f/3.5-5.6 OSS"),
            ("SONY", "ILCE-6000", "E PZ 16-50mm F3.5-5.6 OSS", "Sony E PZ 16-50mm f/3.5-5.6 OSS"),
            ("FUJIFILM", "X-T2", "XF18-55mmF2.8-4 R LM OIS", "Fujifilm XF18-55mmF2.8-4 R LM OIS"),
            ("OLYMPUS IMAGING CORP.", "E-M5", "OLYMPUS M.12-50mm F3.5-6.3", "12-50mm f/3.5-6.3"),
            ("Panasonic", "DMC-GX7", "LUMIX G VARIO 14-42/F3.5-5.6 II", "Lumix G Vario 14-42mm f/3.5-5.6 II"),
            ("PENTAX", "PENTAX K-5", "smc PENTAX-DA 18-55mm F3.5-5.6 AL WR", "DA 18-55mm f/3.5-5.6 AL"),
            ("Canon", "Canon EOS 80D", "18-35mm F1.8 DC HSM | Art 013", "Sigma 18-35mm f/1.8 DC HSM [A]"),
            ("Canon", "Canon PowerShot G7 X", "", "Canon G7 X & compatibles"),
            ("FUJIFILM", "X100S", "", "Fujifilm X100 & compatibles (Standard)"),
            // Not another generation, focal length or maker.
            ("Canon", "Canon EOS 60D", "EF-S18-55mm f/3.5-5.6 IS IV", "does not know"),
            ("Canon", "Canon EOS 60D", "EF-S19-55mm f/3.5-5.6 IS II", "does not know"),
            ("NIKON CORPORATION", "NIKON D810", "EF24-105mm f/4L IS USM", "does not know"),
            ("Canon", "Canon EOS 60D", "", "a lens without a name"),
            ("Kodak", "Brownie", "Meniscus 100mm", "no camera Kodak Brownie"),
        ])
    func names(make: String, model: String, lens: String, expected: String) throws {
        let table = try #require(Self.table)
        switch table.find(LensShot(make: make, model: model, lens: lens, focalLength: 20, aperture: 5.6)) {
        case .found(let profile): #expect(profile.name.contains(expected))
        case .unknown(let reason): #expect(reason.contains(expected))
        }
    }
}
