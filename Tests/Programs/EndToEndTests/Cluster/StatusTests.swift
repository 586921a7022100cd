import Broker
import Foundation
import Jobs
import Manifests
import Records
import Testing

extension ClusterTests {
    /// `rawmill status` for earlier and later reports of coordinator and workers.
    @Suite struct StatusTests {
        private func batch(_ number: UInt8, open: Int) -> Record {
            let id = BatchID(bytes: [number] + [UInt8](repeating: 0, count: 15))
            let status = BatchStatus(
                batch: id ?? .random(), submittedMilliseconds: Int64(number), look: "neutral@1", lane: .bulk,
                phase: .running, counts: JobCounts(accepted: 1, open: open, catalogued: 1 - open))
            return Record(key: StatusSubject.batch(status.batch).key, value: status.encoded())
        }

        private func worker(_ name: String, secondsAgo: Double) -> Record {
            let then = Int64((Date().timeIntervalSince1970 - secondsAgo) * 1000)
            let status = WorkerStatus(
                worker: name, atMilliseconds: then, slots: 2, currentJobs: [], completed: 3, failed: 0, state: "working"
            )
            return Record(key: Array(name.utf8), value: status.encoded())
        }

        @Test("It leaves out old finished batches, and shows workers without a heartbeat as silent or gone")
        func old() async throws {
            let cluster = try TestCluster(.mock)
            let batches = (1...15).map { batch(UInt8($0), open: $0 == 2 ? 1 : 0) }
            try await cluster.send(batches, to: Topics.status)
            let workers = [
                worker("here", secondsAgo: 0), worker("mute", secondsAgo: 200), worker("lost", secondsAgo: 4000),
            ]
            try await cluster.send(workers, to: Topics.workers)
            let shown = try cluster.run("status")
            #expect(shown.status == 0, "\(shown.errors)")
            let expected = ([2] + (6...15)).map { "batch 0\(String($0, radix: 16))" }
            #expect(shown.lines.filter { $0.hasPrefix("batch ") }.map { String($0.prefix(8)) } == expected)
            #expect(shown.output.contains("4 earlier batches are finished: --all lists all\n"))
            #expect(
                shown.output.contains("worker mute  silent  ") && shown.output.contains("worker lost  gone since 20"))
            #expect(!shown.output.contains("worker here  silent") && !shown.output.contains("worker here  gone"))
            #expect(try cluster.run("status", ["--all"]).lines.filter { $0.hasPrefix("batch ") }.count == 15)
            #expect(try cluster.run("status", ["--json"]).events("batch").count == 15)
        }

        @Test("It distinguishes jobs that the library refused from those whose RAWs a worker does not see")
        func refusals() async throws {
            let cluster = try TestCluster(.mock)
            func file(_ name: String) -> NamedFile { NamedFile(source: Array("archive/\(name)".utf8), message: "Why.") }
            let status = BatchStatus(
                batch: .random(), submittedMilliseconds: 1, look: "neutral@1", lane: .bulk, phase: .running,
                counts: JobCounts(accepted: 3, open: 3), refused: 3, unseen: 2,
                refusal: Refusal(code: Refusal.sourcePresent, message: "The worker w does not see it."),
                files: [
                    FileGroup(kind: .refused, total: 1, files: [file("a")]),
                    FileGroup(kind: .unseen, total: 2, files: [file("b"), file("c")]),
                ])
            let record = Record(key: StatusSubject.batch(status.batch).key, value: status.encoded())
            try await cluster.send([record], to: Topics.status)
            let words = try cluster.run("status").output
            #expect(words.contains("1 open job was refused by the library and is handed out again.\n"))
            #expect(
                words.contains(
                    "2 open jobs have RAWs that a worker does not see and are handed out again. Last reason: "
                        + "The worker w does not see it."), "\(words)")
            #expect(words.contains("not seen by a worker, and handed out again:\n    archive/b"), "\(words)")
            let json = try cluster.run("status", ["--json"])
            let batch = try #require(try json.events("batch").first)
            #expect(batch["refused"] as? Int == 3 && batch["unseen"] as? Int == 2)
            #expect(batch["refusalReason"] as? String == "source-present")
            #expect(try json.events("file").map { $0["kind"] as? String } == ["refused", "unseen", "unseen"])
        }
    }
}
