import Digest
import ExternalTools
import Foundation
import Jobs
import Looks
import Manifests
import PictureFormat
import Pixels
import Render
import Samples
import Storage
import Processes
import Testing

@testable import Worker

extension ProcessTests {
    /// The render programs of all processor levels this machine can run, against each other.
    @Suite struct LevelTests {
        @Test("The best level is taken that is installed and can run; else the program itself")
        func choice() {
            func best(_ level: Int, _ installed: Int...) -> String? {
                RenderProgram.best(level: level, folder: "/x") { path in
                    installed.contains { path == "/x/x86-64-v\($0)/rawmill-render" }
                }.level
            }
            #expect(best(4, 2, 3, 4) == "x86-64-v4")
            #expect(best(3, 2, 3, 4) == "x86-64-v3")
            #expect(best(4, 2) == "x86-64-v2")
            #expect(best(1, 2, 3, 4) == nil)
            #expect(best(0, 2, 3, 4) == nil)
            #expect(best(4) == nil)
            #expect(RenderProgram.best(level: 4, folder: nil) { _ in true }.path == "/proc/self/exe")
        }

        @Test("A hundred renders at every processor level, with 1 and 2 threads, cold and warm, give the same bytes")
        func sameBytes() async throws {
            var renders = 0
            var seen: [Int: Set<[SHA256Value]>] = [:]
            let programs = try Self.programs()
            let rounds = (100 + 2 * programs.count - 1) / (2 * programs.count)
            for (number, program) in programs.enumerated() {
                for threads in 1...2 {
                    let bench = try await LevelBench(program, threads: threads)
                    // Each process begins with another picture, so that each picture is somewhere the first.
                    for round in 0..<rounds {
                        let picture = (2 * number + threads + round) % LevelBench.pictures
                        seen[picture, default: []].insert(try await bench.render(picture))
                        renders += 1
                    }
                    await bench.slot.retire()
                }
            }
            #expect(renders >= 100)
            #expect(seen.count == LevelBench.pictures)
            for (picture, digests) in seen { #expect(digests.count == 1, "picture \(picture): \(digests)") }
        }

        /// The program beside the tests, which any processor runs, and what `Deploy/build-levels` has made.
        private static func programs() throws -> [RenderProgram] {
            var all = [RenderProgram(path: WorkerFixture.program, level: nil)]
            for level in stride(from: Processor.level, through: 2, by: -1) {
                let name = "x86-64-v\(level)"
                let path = Checkout.folder.appending(path: ".build/rawmill/libexec/rawmill/\(name)/rawmill-render").path
                if FileManager.default.isExecutableFile(atPath: path) {
                    all.append(RenderProgram(path: path, level: name))
                } else {
                    try #require(ProcessInfo.processInfo.environment["CI"] == nil, "\(name) was not built")
                    print("\(name) is not judged: Deploy/build-levels has not built it")
                }
            }
            return all
        }
    }
}

/// A render process with a library and a film table of its own.
private struct LevelBench {
    /// Of different widths: what one leaves behind in warm memory is not what the next one needs. And as they are, made
    /// smaller, and made smaller where the first column has no partner: many results of a filter that are worked out at
    /// once, and as many as there can be.
    static let pictures = 3
    private static let longEdges: [UInt32?] = [nil, 401, 701]
    private static let orientations: [Orientation] = [.upright, .rotated90Clockwise, .rotated180]
    let slot: RenderSlot
    private let shop: WorkerFixture
    private let jobs: [Job]

    init(_ program: RenderProgram, threads: Int) async throws {
        let shop = try await WorkerFixture()
        let table = Array(Self.table.utf8)
        let look = try Look(cube: table, fileName: "film.cube")
        _ = try shop.library.publish(table, at: LibraryLayout.look(look.digest).bytes)
        let reference = try #require(LookReference(name: look.name, version: look.version, digest: look.digest))
        jobs = try (0..<Self.pictures).map { index in
            let bytes = Sample.dng(
                index: index, size: Sample.size(megapixels: 0.3 + 0.25 * Double(index)),
                orientation: Self.orientations[index])
            let raw = try shop.dated(try shop.put(bytes, at: Sample.name(index)))
            return Job(
                batch: shop.batch, source: Source(raw: raw, photoBase: raw.file.path.name),
                recipe: Recipe(look: reference, longEdgePixels: Self.longEdges[index]), lane: .bulk,
                originals: .reference)
        }
        slot = try shop.slot {
            $0.program = program
            $0.render.threads = threads
        }
        self.shop = shop
    }

    /// Digests of the photo and the preview, which are then removed, so that they are written each time.
    func render(_ picture: Int) async throws -> [SHA256Value] {
        let outcome = await slot.render(jobs[picture], deadline: .seconds(60))
        guard case .replied(let reply) = outcome, case .completed(let renditions) = reply.outcome else {
            throw LevelFailure(outcome: outcome)
        }
        let rendition = try #require(renditions.first)
        return try [rendition.photo.path, rendition.preview.path].map { path in
            let digest = try shop.library.digest(of: path.bytes).digest
            try FileManager.default.removeItem(atPath: shop.library.path + "/" + path.description)
            return digest
        }
    }

    private struct LevelFailure: Error { let outcome: SlotOutcome }

    /// As many points an edge as films have mostly, curved and crossed, so that no two neighbours are alike; and each
    /// channel has a domain of its own, so that one that took another's would show.
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
