import Broker
import Foundation
import Jobs
import Manifests
import Records
import Testing

extension ClusterTests {
    /// Jobs with temporary failures.
    @Suite struct RetryTests {
        @Test("The command sends an order to a cluster's coordinator, which stays if no coordinator takes it in time")
        func command() async throws {
            let cluster = try TestCluster(.mock)
            let early = try cluster.run("retry", ["--reason", "source-missing", "--patience", "0.2"])
            #expect(early.status == 3 && early.output.contains("No coordinator accepted the retry"), "\(early.errors)")
            let coordinator = try cluster.start("coordinator")
            let late = try cluster.run("retry", ["--json"])
            #expect(late.status == 0, "\(late.errors) \(coordinator.errorsSoFar)")
            let event = try #require(try late.events("retried").first)
            #expect(event["carriedOut"] as? Bool == true && event["open"] as? Int == 0)
            let orders = try await cluster.records(of: Topics.control, atLeast: 2).map {
                try Control(record: $0.value ?? [])
            }
            #expect(orders == [.retry(RetryFilter(reason: .sourceMissing)), .retry(RetryFilter())])
        }

        @Test(
            "A job is not retried before its time, and keeps its bytes, with fields of later versions")
        func retries() async throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(1)
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            let batch = try cluster.submit("archive/shoot")
            let record = try #require(try await cluster.records(of: Topics.bulkJobs, atLeast: 1).first)
            // The same job as written by a later version, with a field 900, in its place.
            let later = Record(key: record.key, value: (record.value ?? []) + [0xA0, 0x38, 5], headers: record.headers)
            try await cluster.send([later], to: Topics.bulkJobs)
            try await cluster.passOver(1, of: Topics.bulkJobs)
            #expect(try cluster.run("pause").status == 0)
            let worker = try cluster.start(
                "worker", ["-j", "1", "--null-renderer", "--name", "tries", "--log-level", "debug"])
            #expect(worker.wait(for: "event=worker.paused"))
            let children = ProcessTree.children(of: worker.identifier)
            for child in children { kill(child, SIGSTOP) }
            #expect(try cluster.run("resume").status == 0)
            #expect(worker.wait(for: "event=job.started"), "\(worker.errorsSoFar)")
            for child in children { kill(child, SIGKILL) }

            #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 1 })
            let tries = try await cluster.records(of: Topics.retry, atLeast: 1)
            #expect(tries.map(\.value) == [later.value] && tries.map(\.key) == [later.key])
            let retried = try #require(tries.first)
            #expect(retried.text(of: JobHeader.failures) == "1")
            let notBefore = try #require(retried.text(of: JobHeader.notBefore).flatMap { Int64($0) })
            let manifests = try await cluster.records(of: Topics.manifests, atLeast: 1).map {
                try Manifest(record: $0.value ?? [])
            }
            #expect(manifests.map(\.attempts).max() == 2)
            #expect(manifests.allSatisfy { $0.attempts < 2 || $0.finishedMilliseconds >= notBefore })
            #expect(worker.errorsSoFar.contains("event=job.retried"))
            withExtendedLifetime(roles) {}
        }
    }
}
