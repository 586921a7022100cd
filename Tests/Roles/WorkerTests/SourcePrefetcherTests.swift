import Foundation
import Jobs
import RenderJobs
import Storage
import Testing

@testable import Worker

@Suite("Announcing the next RAWs") struct SourcePrefetcherTests {
    private let settings = WorkerSettings(name: "w", slots: 2)

    private func source(_ name: String, sizeBytes: UInt64 = 1, root: String = "archive") throws -> Source {
        let file = FileReference(root: try #require(RootName(root)), path: try #require(RelativePath(name)))
        return Source(
            raw: FileStamp(file: file, sizeBytes: sizeBytes, modifiedNanoseconds: 1), photoBase: Array(name.utf8))
    }

    private func prefetcher() throws -> SourcePrefetcher {
        SourcePrefetcher(Roots(["archive": try Root(path: "/proc")]), settings)
    }

    @Test("Each is announced once, for current and next jobs, in any number")
    func once() throws {
        let prefetcher = try prefetcher()
        let sources = try (1...9).map { try source("\($0)") }
        let first = prefetcher.prefetch(sources)
        #expect(!first.isEmpty && first == Array(sources.prefix(first.count)).map(\.raw))
        #expect(prefetcher.prefetch(Array(sources.prefix(first.count))).isEmpty)
    }

    /// A sparse file of any size takes no space in an archive. Reading it ahead would fill memory.
    @Test("A file that no render would read is not read ahead")
    func tooLarge() throws {
        let limit = UInt64(settings.render.within(memoryBytes: settings.memoryLimitBytes).fileBytes)
        let sources = try [source("sparse", sizeBytes: limit + 1), source("whole", sizeBytes: limit)]
        #expect(try prefetcher().prefetch(sources) == [sources[1].raw])
        #expect(try prefetcher().prefetch([source("sparse", sizeBytes: .max)]).isEmpty)
    }

    @Test("Files of an unknown root are not announced")
    func unknownRoot() throws { #expect(try prefetcher().prefetch([source("1", root: "elsewhere")]).isEmpty) }

    /// A prefetcher that opens the files of a source.
    private func opening(
        _ fixture: WorkerFixture, openTime: Duration = .seconds(600)
    ) throws -> (SourcePrefetcher, Source) {
        let raw = try fixture.sample(0)
        let sidecar = try fixture.put(Array("a sidecar".utf8), at: "sample.xmp")
        let source = Source(raw: raw, sidecar: sidecar, photoBase: Array("sample".utf8))
        let prefetcher = SourcePrefetcher(fixture.roots, settings, openTime: openTime)
        #expect(prefetcher.prefetch([source]) == [raw, sidecar])
        return (prefetcher, source)
    }

    /// Renders do not take the files of cancelled jobs.
    @Test("However many files are announced and not taken, few are open")
    func few() async throws {
        let fixture = try await WorkerFixture()
        let prefetcher = SourcePrefetcher(fixture.roots, settings, openTime: .seconds(600))
        for index in 0..<200 {
            let stamp = try fixture.put([1], at: "\(index)")
            let source = Source(raw: stamp, photoBase: stamp.file.path.bytes)
            while prefetcher.prefetch([source]).isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        }
        while prefetcher.openFileCount < 50 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(prefetcher.openFileCount <= 64)
    }

    /// Waits until the prefetcher has a number of open files.
    private func wait(for count: Int, in prefetcher: SourcePrefetcher) async throws {
        while prefetcher.openFileCount != count { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("A render takes the open files, each once")
    func taken() async throws {
        let fixture = try await WorkerFixture()
        let (prefetcher, source) = try opening(fixture)
        try await wait(for: 2, in: prefetcher)
        let files = prefetcher.takeFiles(of: source)
        #expect(Set(files.keys) == Set(source.files))
        #expect(files.allSatisfy { $0.value.path == $0.key.file.path.bytes })
        #expect(prefetcher.takeFiles(of: source).isEmpty)
    }

    /// A card whose photos were rendered can be removed.
    @Test("A file that a render has taken is open as long as the render has it")
    func letGo() async throws {
        let fixture = try await WorkerFixture()
        let (prefetcher, source) = try opening(fixture)
        try await wait(for: 2, in: prefetcher)
        #expect(try openCount(below: fixture.archive.path) == 2)
        do {
            let files = prefetcher.takeFiles(of: source)
            #expect(try openCount(below: fixture.archive.path) == files.count)
        }
        #expect(try openCount(below: fixture.archive.path) == 0)
    }

    /// Files in a folder that this process has open.
    private func openCount(below folder: String) throws -> Int {
        let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return all.count {
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            return path?.hasPrefix(folder + "/") == true
        }
    }

    @Test("Files that no render takes are closed after a while, or at once when the worker ends")
    func closed() async throws {
        let fixture = try await WorkerFixture()
        let (prefetcher, source) = try opening(fixture, openTime: .milliseconds(500))
        try await wait(for: 2, in: prefetcher)
        try await wait(for: 0, in: prefetcher)
        #expect(prefetcher.takeFiles(of: source).isEmpty)
        let (other, _) = try opening(fixture)
        try await wait(for: 2, in: other)
        other.closeFiles()
        #expect(other.openFileCount == 0)
    }
}
