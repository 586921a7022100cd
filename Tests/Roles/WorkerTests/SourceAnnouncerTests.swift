import Foundation
import Jobs
import RenderJobs
import Storage
import Testing

@testable import Worker

@Suite("Announcing the RAWs that come next") struct SourceAnnouncerTests {
    private let settings = WorkerSettings(name: "w", slots: 2)

    private func source(_ name: String, sizeBytes: UInt64 = 1, root: String = "archive") throws -> Source {
        let file = FileReference(root: try #require(RootName(root)), path: try #require(RelativePath(name)))
        return Source(
            raw: FileStamp(file: file, sizeBytes: sizeBytes, modifiedNanoseconds: 1), photoBase: Array(name.utf8))
    }

    private func announcer() throws -> SourceAnnouncer {
        SourceAnnouncer(Roots(["archive": try Root(path: "/proc")]), settings)
    }

    @Test("Each is announced once, for what begins and for what comes next, however many there are")
    func once() throws {
        let announcer = try announcer()
        let sources = try (1...9).map { try source("\($0)") }
        let first = announcer.announce(sources)
        #expect(!first.isEmpty && first == Array(sources.prefix(first.count)).map(\.raw))
        #expect(announcer.announce(Array(sources.prefix(first.count))).isEmpty)
    }

    /// A sparse file of any size takes no space in an archive. All of it would come into memory.
    @Test("A file that no render would read is not read ahead either")
    func tooLarge() throws {
        let limit = UInt64(settings.render.within(memoryBytes: settings.memoryLimitBytes).fileBytes)
        let sources = try [source("sparse", sizeBytes: limit + 1), source("whole", sizeBytes: limit)]
        #expect(try announcer().announce(sources) == [sources[1].raw])
        #expect(try announcer().announce([source("sparse", sizeBytes: .max)]).isEmpty)
    }

    @Test("Of a root that is not known here, nothing is")
    func unknownRoot() throws { #expect(try announcer().announce([source("1", root: "elsewhere")]).isEmpty) }

    /// An announcer that opens the files of a source.
    private func opening(
        _ fixture: WorkerFixture, openTime: Duration = .seconds(600)
    ) throws -> (SourceAnnouncer, Source) {
        let raw = try fixture.sample(0)
        let sidecar = try fixture.put(Array("a sidecar".utf8), at: "sample.xmp")
        let source = Source(raw: raw, sidecar: sidecar, photoBase: Array("sample".utf8))
        let announcer = SourceAnnouncer(fixture.roots, settings, openTime: openTime)
        #expect(announcer.announce([source]) == [raw, sidecar])
        return (announcer, source)
    }

    /// No render takes the files of cancelled jobs.
    @Test("However many files are announced and not taken, few are open")
    func few() async throws {
        let fixture = try await WorkerFixture()
        let announcer = SourceAnnouncer(fixture.roots, settings, openTime: .seconds(600))
        for index in 0..<200 {
            let stamp = try fixture.put([1], at: "\(index)")
            let source = Source(raw: stamp, photoBase: stamp.file.path.bytes)
            while announcer.announce([source]).isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        }
        while announcer.openFileCount < 50 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(announcer.openFileCount <= 64)
    }

    /// Waits until the announcer has a number of open files.
    private func wait(for count: Int, in announcer: SourceAnnouncer) async throws {
        while announcer.openFileCount != count { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("A render takes the files that are open, each once")
    func taken() async throws {
        let fixture = try await WorkerFixture()
        let (announcer, source) = try opening(fixture)
        try await wait(for: 2, in: announcer)
        let files = announcer.takeFiles(of: source)
        #expect(Set(files.keys) == Set(source.files))
        #expect(files.allSatisfy { $0.value.path == $0.key.file.path.bytes })
        #expect(announcer.takeFiles(of: source).isEmpty)
    }

    /// A card whose photos were rendered can be taken out.
    @Test("A file that a render has taken is open as long as the render has it")
    func letGo() async throws {
        let fixture = try await WorkerFixture()
        let (announcer, source) = try opening(fixture)
        try await wait(for: 2, in: announcer)
        #expect(try openCount(below: fixture.archive.path) == 2)
        do {
            let files = announcer.takeFiles(of: source)
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

    @Test("What no render takes is closed after a while, or at once when the worker ends")
    func closed() async throws {
        let fixture = try await WorkerFixture()
        let (announcer, source) = try opening(fixture, openTime: .milliseconds(500))
        try await wait(for: 2, in: announcer)
        try await wait(for: 0, in: announcer)
        #expect(announcer.takeFiles(of: source).isEmpty)
        let (other, _) = try opening(fixture)
        try await wait(for: 2, in: other)
        other.closeFiles()
        #expect(other.openFileCount == 0)
    }
}
