import Digest
import Foundation
import Jobs
import Manifests
import Storage
import Testing

@testable import Worker

/// Rendered files that are made durable and named together.
@Suite struct RenditionNamingTests {
    private func file(_ text: String, at path: String, in library: Root) throws -> UnnamedFile {
        let blank = try BlankFile(for: Array(path.utf8), in: library)
        let digest = try Array(text.utf8).withUnsafeBytes { try blank.fill(with: $0) }
        return try UnnamedFile(blank, existing: .keep, digest: digest, sizeBytes: UInt64(text.utf8.count))
    }

    @Test("The files of all waiting jobs get their names, and each job receives its own result")
    func together() async throws {
        let fixture = try await WorkerFixture()
        let naming = RenditionNaming(library: fixture.library)
        let library = fixture.library
        _ = try library.publish(Array("other".utf8), at: Array("objects/7/photo".utf8))
        let files = try (0..<20).map { index in
            // The name of one was taken after it was written.
            try file("\(index)", at: "objects/\(index)/\(index == 7 ? "late" : "photo")", in: library)
        }
        _ = try library.publish(Array("other".utf8), at: Array("objects/7/late".utf8))
        let results = await withTaskGroup(of: (Int, RenditionNaming.Result).self) { group in
            for (index, file) in files.enumerated() { group.addTask { (index, await naming.name([file])) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for index in 0..<20 {
            #expect(results[index] == (index == 7 ? .taken : .named))
            let text = index == 7 ? "other" : "\(index)"
            let path = "objects/\(index)/\(index == 7 ? "late" : "photo")"
            #expect(try library.contents(of: Array(path.utf8), limitBytes: 100) == Array(text.utf8))
        }
    }

    @Test("A job without files does not wait, and one whose folder cannot be made fails alone")
    func alone() async throws {
        let fixture = try await WorkerFixture()
        let naming = RenditionNaming(library: fixture.library)
        #expect(await naming.name([]) == .named)
        let file = try file("photo", at: "objects/a/1", in: fixture.library)
        _ = try fixture.library.publish([1], at: Array("objects/a".utf8))
        guard case .failed = await naming.name([file]) else {
            Issue.record("the folder's name is a file's")
            return
        }
    }
}

extension ProcessTests {
    /// The same RAW at two paths, rendered at the same moment: one key, two files that name different sources.
    @Suite struct SimultaneousCopiesTests {
        @Test("Both jobs complete, and both manifests name the existing file")
        func copies() async throws {
            let fixture = try await WorkerFixture()
            for index in 0..<4 {
                let raw = try fixture.sample(index)
                let bytes = try fixture.archive.contents(of: raw.file.path.bytes, limitBytes: 1 << 30)
                try await fixture.submit(
                    try ["trip", "best"].map { try fixture.job(try fixture.put(bytes, at: "\($0)/\(index).dng")) })
            }
            let watcher = Watcher()
            let worker = try RenderWorker(
                settings: fixture.settings, transport: fixture.broker, roots: fixture.roots
            ) { watcher.note($0) }
            let running = Task { try await worker.run() }
            try await watcher.wait { _ in watcher.ended.count == 8 }
            worker.stop()
            try await running.value
            var digests: [RelativePath: Set<SHA256Value>] = [:]
            for manifest in watcher.ended {
                let photo = try #require(manifest.outcome.renditions.first?.photo)
                digests[photo.path, default: []].insert(photo.digest)
            }
            #expect(digests.count == 4)
            for (path, named) in digests {
                // The file decides: an earlier manifest may name a replaced one.
                #expect(named.contains(try fixture.library.digest(of: path.bytes).digest))
            }
            #expect(try await fixture.deadLetters().isEmpty)
        }
    }
}

extension Manifest.Outcome {
    fileprivate var renditions: [Rendition] { if case .completed(let frames) = self { frames.renditions } else { [] } }
}
