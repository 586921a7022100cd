import ExternalTools
import Foundation
import Testing

extension ClusterTests {
    /// The end of roles that were stopped while their Kafka was lost.
    @Suite struct DrainTests {
        @Test("All roles end within their time after Kafka was lost, even with unreported work")
        func loss() throws { try lose(.mock, drainSeconds: 12) }

        @Test("All roles end within 25 s after a real Kafka was lost", .night, .needs(.kafka))
        func lossOfKafka() throws { try lose(.kafka, drainSeconds: 25) }

        @Test("A cataloguer ends at once when it is idle, when Kafka is lost, and when it never was there")
        func idle() throws {
            let cluster = try TestCluster(.mock)
            try endsAtOnce(cluster, "idle", after: 3)
            try endsAtOnce(cluster, "after Kafka was lost", after: 5) { cluster.loseBroker() }
            // By then requests were made, each with more time than the one before.
            try endsAtOnce(cluster, "without Kafka", after: 5)
        }

        @Test("A role that is stopped before it works ends cleanly at any stage", .night)
        func start() throws {
            for pause: UInt32 in [0, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000] {
                // Each time a separate library, and thus separate topics.
                let cluster = try TestCluster(.mock)
                try? FileManager.default.removeItem(at: cluster.library)
                let role = try cluster.start("coordinator")
                // The first thing a coordinator creates.
                #expect(role.wait { FileManager.default.fileExists(atPath: cluster.library.path) })
                usleep(pause)
                role.send(SIGTERM)
                let ended = role.wait(seconds: 60)
                #expect(ended.status == 0, "after \(pause) µs: \(ended.errors)")
            }
        }

        /// - Parameters:
        ///   - seconds: running time before it is stopped.
        ///   - event: happens after it has run for a while.
        private func endsAtOnce(
            _ cluster: TestCluster, _ situation: String, after seconds: UInt32, event: () -> Void = {}
        ) throws {
            // Its metrics also query Kafka.
            let role = try cluster.start("catalogue", ["--listen", "127.0.0.1:0"])
            #expect(role.wait(for: "event=role.started"))
            sleep(2)
            event()
            sleep(seconds - 2)
            let start = Date.now
            role.send(SIGTERM)
            let ended = role.wait(seconds: 10)
            #expect(ended.status == 0, "\(ended.errors.suffix(3000))")
            // Most of it is due to a busy machine.
            #expect(-start.timeIntervalSinceNow < 2, "\(situation)")
        }

        private func lose(_ broker: ClusterBroker, drainSeconds: Int) throws {
            let cluster = try TestCluster(broker)
            try cluster.makeSources(2000)
            let options = ["-j", "2", "--null-renderer", "--drain-time", "\(drainSeconds)"]
            let roles = try [
                cluster.start("coordinator"), cluster.start("catalogue"), cluster.start("worker", options),
            ]
            try cluster.submit("archive/shoot")
            #expect(roles[2].wait(for: "event=job.completed"))
            cluster.loseBroker()
            for role in roles { #expect(role.wait(for: "event=kafka.problem")) }
            for role in roles { role.send(SIGTERM) }
            let start = Date.now
            // Roles without their own option have 25 s; a second or two for a busy machine.
            for (role, seconds) in zip(roles, [25, 25, drainSeconds]) {
                let ended = role.wait(seconds: max(0, Double(seconds) + 4 + start.timeIntervalSinceNow))
                #expect(ended.status == 0, "\(ended.errors.suffix(3000))")
            }
        }
    }
}
