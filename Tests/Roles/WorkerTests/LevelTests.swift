import Digest
import ExternalTools
import Foundation
import Jobs
import Lenses
import Looks
import Manifests
import PictureFormat
import Pixels
import Processes
import RenderJobs
import Samples
import Storage
import Testing

@testable import RenderHost
@testable import Worker

extension ProcessTests {
    /// The render programs of all processor levels that this machine can run.
    @Suite struct LevelTests {
        @Test("The best installed level that can run is chosen; without one, the program for any processor")
        func choice() {
            func best(_ level: Int, _ installed: Int...) -> String? {
                RenderProgram.best(level: level, program: "/x/bin/rawmill") { path in
                    installed.contains { path == "/x/libexec/rawmill/x86-64-v\($0)/rawmill-render" }
                }.level
            }
            #expect(best(4, 2, 3, 4) == "x86-64-v4")
            #expect(best(3, 2, 3, 4) == "x86-64-v3")
            #expect(best(4, 2) == "x86-64-v2")
            #expect(best(1, 2, 3, 4) == nil)
            #expect(best(0, 2, 3, 4) == nil)
            #expect(best(4) == nil)
            func general(_ isInstalled: Bool) -> String {
                RenderProgram.best(level: 4, program: "/x/bin/rawmill") {
                    isInstalled && $0 == "/x/libexec/rawmill/rawmill-render"
                }.path
            }
            #expect(general(true) == "/x/libexec/rawmill/rawmill-render")
            // Where it is built.
            #expect(general(false) == "/x/bin/rawmill-render")
        }

        @Test(
            "A hundred renders at every processor level, with 1 and 2 threads, in new and used processes, give the same bytes",
            .night, .needs(.levelBuilds))
        func sameBytes() async throws {
            var renders = 0
            var seen: [Int: Set<[SHA256Value]>] = [:]
            let programs = try Self.programs()
            let rounds = (100 + 2 * programs.count - 1) / (2 * programs.count)
            for (number, program) in programs.enumerated() {
                for threads in 1...2 {
                    let level = try await LevelFixture(program, threads: threads)
                    // Each process starts with another picture, so that each picture is the first one somewhere.
                    for round in 0..<rounds {
                        let picture = (2 * number + threads + round) % LevelFixture.pictures
                        seen[picture, default: []].insert(try await level.render(picture))
                        renders += 1
                    }
                    await level.slot.retire()
                }
            }
            #expect(renders >= 100)
            #expect(seen.count == LevelFixture.pictures)
            for (picture, digests) in seen { #expect(digests.count == 1, "picture \(picture): \(digests)") }
        }

        /// The general program beside the tests, and those that `Deploy/build-levels` built for this machine's levels.
        private static func programs() throws -> [RenderProgram] {
            var programs = [RenderProgram(path: WorkerFixture.program, level: nil)]
            for level in stride(from: Processor.level, through: 2, by: -1) {
                let name = "x86-64-v\(level)"
                let path = Checkout.folder.appending(path: ".build/rawmill/libexec/rawmill/\(name)/rawmill-render").path
                try #require(FileManager.default.isExecutableFile(atPath: path), "\(name) was not built")
                programs.append(RenderProgram(path: path, level: name))
            }
            try #require(programs.count > 1 || Processor.level < 2, "no level was built")
            return programs
        }
    }
}

/// A render process with its own library and LUT.
private struct LevelFixture {
    /// Pictures of different widths, so that reused memory does not match the next picture. One keeps its size, and two
    /// are scaled down, to even and odd widths, so that vector filters meet whole and partial vectors. The last one has
    /// a lens correction.
    static let pictures = 4
    private static let longEdges: [UInt32?] = [nil, 401, 701, nil]
    private static let orientations: [Orientation] = [.upright, .rotated90Clockwise, .rotated180, .upright]
    let slot: RenderSlot
    private let fixture: WorkerFixture
    private let jobs: [Job]

    init(_ program: RenderProgram, threads: Int) async throws {
        let fixture = try await WorkerFixture()
        let table = Array(Self.table.utf8)
        let look = try Look(file: table, fileName: "film.cube")
        _ = try fixture.library.publish(table, at: LibraryLayout.look(look.digest).bytes)
        let lenses = Self.lenses.bytes
        let lensTable = SHA256Value(of: lenses)
        _ = try fixture.library.publish(lenses, at: LibraryLayout.lensTable(lensTable).bytes)
        let reference = try #require(LookReference(name: look.name, version: look.version, digest: look.digest))
        let film = try LookCatalogue.builtIn.look("nocturne")
        let grain = try #require(LookReference(name: film.name, version: film.version, digest: film.digest))
        jobs = try (0..<Self.pictures).map { index in
            let bytes = Sample.dng(
                index: index, size: Sample.size(megapixels: 0.3 + 0.25 * Double(index)),
                orientation: Self.orientations[index])
            let raw = try fixture.dated(try fixture.put(bytes, at: Sample.name(index)))
            return Job(
                batch: fixture.batch, source: Source(raw: raw, photoBase: raw.file.path.name),
                // Halation and grain have their own loops.
                recipe: Recipe(
                    look: index == 0 ? grain : reference, longEdgePixels: Self.longEdges[index],
                    lensTable: index == 3 ? lensTable : nil),
                lane: .bulk,
                originals: .reference)
        }
        slot = try fixture.slot {
            $0.program = program
            $0.render.threads = threads
        }
        self.fixture = fixture
    }

    /// Lenses of the samples' camera with strong distortion and lateral colour.
    private static var lenses: LensTable {
        let camera = SampleCamera()
        let record = CameraRecord(makers: [camera.make], models: [camera.model], mount: "Mill", cropFactor: 1.5)
        // Each sample has one of these.
        let lenses = [24, 35, 50, 85].map { length in
            LensRecord(
                makers: [camera.make], names: ["Rawmill \(length)mm F2"], mounts: ["Mill"],
                focalLengths: SIMD2(repeating: Float(length)), minAperture: 2,
                sensor: CalibrationSensor(cropFactor: 1.5),
                distortion: [
                    DistortionPoint(model: .ptlens, focalLength: Float(length), terms: SIMD3(0.02, -0.1, 0.03))
                ],
                lateralColour: [
                    LateralColourPoint(
                        focalLength: Float(length), red: SIMD3(1.002, 0, 0), blue: SIMD3(0.999, 0, 0.0003))
                ],
                vignetting: [
                    VignettingPoint(
                        focalLength: Float(length), aperture: 5.6, distance: 1000, terms: SIMD3(-0.6, 0.1, 0))
                ])
        }
        return LensTable(cameras: [record], lenses: lenses)
    }

    /// Renders a picture and removes its files, so that they are written each time.
    ///
    /// - Returns: the digests of the photo and the preview.
    func render(_ picture: Int) async throws -> [SHA256Value] {
        let outcome = await slot.render(jobs[picture], deadline: .seconds(60))
        guard case .replied(let reply, let files) = outcome, case .completed(let renditions) = reply.outcome else {
            throw LevelFailure(outcome: outcome)
        }
        for result in try fixture.library.publish(files) { _ = try result.get() }
        let rendition = try #require(renditions.first)
        #expect((rendition.lens?.hasPrefix("distortion, lateral colour, vignetting") ?? false) == (picture == 3))
        return try [rendition.photo.path, rendition.preview.path].map { path in
            let digest = try fixture.library.digest(of: path.bytes).digest
            try FileManager.default.removeItem(atPath: fixture.library.path + "/" + path.description)
            return digest
        }
    }

    private struct LevelFailure: Error { let outcome: RenderOutcome }

    /// A 3D LUT of 33 points per edge, like most film LUTs. Its channels are curved and mixed, so that no two
    /// neighbours are alike, and each has its own domain, so that swapped channels would show.
    private static var table: String {
        let steps = (0..<33).map { Double($0) / 32 }
        var text = "LUT_3D_SIZE 33\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 0.9 1.1\n"
        for blue in steps {
            for green in steps {
                for red in steps {
                    let grey = 0.3 * red + 0.59 * green + 0.11 * blue
                    let values = [red, green, blue].map { grey + ($0 * $0 * (3 - 2 * $0) - grey) * 1.1 + 0.02 }
                    text += values.map { "\(min(max($0, 0), 1))" }.joined(separator: " ") + "\n"
                }
            }
        }
        return text
    }
}
