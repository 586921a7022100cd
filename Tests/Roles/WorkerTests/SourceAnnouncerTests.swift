import Jobs
import Render
import Storage
import Testing

@testable import Worker

@Suite("Announcing the RAWs that come next") struct SourceAnnouncerTests {
    private let settings = WorkerSettings(name: "w", slots: 2)

    private func source(_ name: String, sizeBytes: UInt64 = 1, root: String = "archive") throws -> FileStamp {
        let file = FileReference(root: try #require(RootName(root)), path: try #require(RelativePath(name)))
        return FileStamp(file: file, sizeBytes: sizeBytes, modifiedNanoseconds: 1)
    }

    private func announcer() throws -> SourceAnnouncer {
        SourceAnnouncer(Roots(["archive": try Root(path: "/proc")]), settings)
    }

    @Test("Each is announced once, for what begins and for what comes next, however many there are")
    func once() throws {
        let announcer = try announcer()
        let sources = try (1...9).map { try source("\($0)") }
        let first = announcer.announce(sources)
        #expect(!first.isEmpty && first == Array(sources.prefix(first.count)))
        #expect(announcer.announce(first).isEmpty)
    }

    /// A sparse file of any size takes no space in an archive. All of it would come into memory.
    @Test("A file that no render would read is not read ahead either")
    func tooLarge() throws {
        let limit = UInt64(settings.render.within(memoryBytes: settings.memoryLimitBytes).fileBytes)
        let sources = try [source("sparse", sizeBytes: limit + 1), source("whole", sizeBytes: limit)]
        #expect(try announcer().announce(sources) == [sources[1]])
        #expect(try announcer().announce([source("sparse", sizeBytes: .max)]).isEmpty)
    }

    @Test("Of a root that is not known here, nothing is")
    func unknownRoot() throws { #expect(try announcer().announce([source("1", root: "elsewhere")]).isEmpty) }
}
