import Digest
import Foundation
import Jobs
import Lenses
import Manifests
import Metadata
import Render
import Samples
import Storage
import Testing

@Suite("Lenses of photos") struct LensTests {
    /// A table with a lens of the samples' camera.
    private static func table(lens: String) -> LensTable {
        let camera = SampleCamera()
        return LensTable(
            cameras: [
                CameraRecord(makers: [camera.make], models: [camera.model], mount: "Mill", cropFactor: 1.5)
            ],
            lenses: [
                LensRecord(
                    makers: [camera.make], names: [lens], mounts: ["Mill"], focalLengths: SIMD2(35, 35), minAperture: 2,
                    sensor: CalibrationSensor(cropFactor: 1.5),
                    distortion: [DistortionPoint(model: .ptlens, focalLength: 35, terms: SIMD3(0.01, -0.05, 0.02))],
                    lateralColour: [
                        LateralColourPoint(focalLength: 35, red: SIMD3(1.001, 0, 0), blue: SIMD3(0.999, 0, 0))
                    ],
                    vignetting: [
                        VignettingPoint(focalLength: 35, aperture: 5.6, distance: 1000, terms: SIMD3(-0.6, 0.1, 0))
                    ])
            ])
    }

    private static func render(
        _ fixture: RenderFixture, table: LensTable? = nil, stored: Bool = true,
        change: (inout Recipe) -> Void = { _ in }
    ) throws -> (lens: String?, degraded: String?, picture: [UInt8]) {
        let raw = try fixture.put(RenditionTests.dng(), at: "a.dng")
        let recipe = try RenderFixture.recipe {
            if let bytes = table?.bytes {
                let digest = SHA256Value(of: bytes)
                if stored { _ = try? fixture.library.publish(bytes, at: LibraryLayout.lensTable(digest).bytes) }
                $0.lensTable = digest
            }
            change(&$0)
        }
        let rendition = try #require(try fixture.renditions(try fixture.job(raw, recipe: recipe)).first)
        let file = Array(try Data(contentsOf: fixture.file(rendition.photo.path)))
        // From the frame's header on: the metadata before it differ.
        let start = try #require(
            file.indices.dropLast().last { file[$0] == 0xFF && (file[$0 + 1] == 0xC0 || file[$0 + 1] == 0xDB) })
        return (rendition.lens, rendition.degraded, Array(file[start...]))
    }

    @Test("A known lens is corrected, and the photo states the corrections")
    func known() throws {
        let fixture = try RenderFixture()
        let plain = try Self.render(fixture)
        let corrected = try Self.render(fixture, table: Self.table(lens: "Rawmill 35mm F2"))
        #expect(
            corrected.lens == "distortion, lateral colour, vignetting, as known of Rawmill 35mm F2")
        #expect(corrected.degraded == nil)
        #expect(plain.lens == "not corrected: the recipe names no lens table")
        #expect(plain.picture != corrected.picture)
        let again = try Self.render(RenderFixture(threads: 3), table: Self.table(lens: "Rawmill 35mm F2"))
        #expect(again.picture == corrected.picture)
    }

    @Test("An unknown lens changes no pixel, and the photo states this")
    func unknown() throws {
        let fixture = try RenderFixture()
        let plain = try Self.render(fixture)
        let other = try Self.render(fixture, table: Self.table(lens: "Rawmill 50mm F2"))
        #expect(other.lens == "not corrected: the lens table does not know Rawmill 35mm F2")
        #expect(other.degraded == nil)
        #expect(other.picture == plain.picture)
    }

    @Test("With --lens off no table is read, and the photo does not mention it")
    func off() throws {
        let fixture = try RenderFixture()
        let plain = try Self.render(fixture)
        let off = try Self.render(fixture, table: Self.table(lens: "Rawmill 35mm F2"), stored: false) {
            $0.keepsLens = true
        }
        #expect(off.lens == nil)
        #expect(off.picture == plain.picture)
    }

    @Test("A missing or damaged table fails the job with a reason")
    func missing() throws {
        let fixture = try RenderFixture()
        let table = Self.table(lens: "Rawmill 35mm F2")
        let missing = #expect(throws: Failure.self) { try Self.render(fixture, table: table, stored: false) }
        #expect(missing?.reason == .unknownLook)
        #expect(missing?.message.contains("lens table") == true)
        let place = LibraryLayout.lensTable(SHA256Value(of: table.bytes)).bytes
        _ = try fixture.library.publish(Array("no table".utf8), at: place)
        let damaged = #expect(throws: Failure.self) { try Self.render(fixture, table: table, stored: false) }
        #expect(damaged?.message.contains("damaged") == true)
    }
}
