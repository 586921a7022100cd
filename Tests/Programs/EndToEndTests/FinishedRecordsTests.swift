import Broker
import Foundation
import Testing

/// The embedded broker keeps exactly the records that runs have not finished.
@Suite struct FinishedRecordsTests {
    private func records(_ workspace: Workspace) async throws -> (left: Int, written: Int64) {
        let path = workspace.library.appending(path: ".rawmill/broker.sqlite").path
        let broker = try await EmbeddedBroker.open(path: path)
        var (left, written) = (0, Int64(0))
        for topic in [Topics.manifests, Topics.results, Topics.removals, Topics.bulkJobs, Topics.interactiveJobs] {
            for range in try await broker.watermarks(topic: topic).values {
                left += range.count
                if topic == Topics.manifests { written += range.upperBound }
            }
        }
        await broker.close()
        return (left, written)
    }

    @Test("A finished run leaves no records of its photos, the next one continues, and a lost database is named")
    func finished() async throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        #expect(try workspace.convert().status == 0)
        #expect(try await records(workspace) == (0, 2))
        try workspace.makeSamples(1, first: 3)
        #expect(try workspace.convert().status == 0)
        #expect(try await records(workspace) == (0, 3))
        #expect(workspace.shownPhotos.count == 3)

        for ending in ["", "-wal", "-shm"] {
            let file = workspace.library.appending(path: "library.sqlite\(ending)")
            try? FileManager.default.removeItem(at: file)
        }
        let refused = try workspace.convert()
        #expect(refused.status == 70, "\(refused.errors)")
        #expect(refused.errors.contains("rawmill library rebuild --library"), "\(refused.errors)")
        let rebuilt = try Rawmill.run(["library", "rebuild", "--library", workspace.library.path])
        #expect(rebuilt.status == 0, "\(rebuilt.errors)")
        let again = try workspace.convert()
        #expect(again.status == 0, "\(again.errors)")
        let listed = try Rawmill.run(["library", "list", "--count", "--library", workspace.library.path])
        #expect(listed.output == "3\n")
    }
}
