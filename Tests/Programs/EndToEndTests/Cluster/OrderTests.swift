import Broker
import Foundation
import Jobs
import Records
import Testing

extension ClusterTests {
    /// The sources of an order, the files it leaves out, and its reports.
    @Suite struct OrderTests {
        private func list(_ names: [String], separator: String = "\n", in cluster: TestCluster) throws -> URL {
            let list = cluster.folder.appending(path: "list")
            try Data((names.joined(separator: separator) + separator).utf8).write(to: list)
            return list
        }

        @Test("A list in a file or on standard input names the sources by root or by path", arguments: ["\n", "\0"])
        func lists(separator: String) throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(4)
            let coordinator = try cluster.start("coordinator")
            let archive = cluster.folder.path + "/archive"
            let names = ["\(archive)/shoot/IMG_1.CR2", "archive/shoot/IMG_3.CR2", "\(archive)/shoot/gone.CR2"]
            let list = try list(names, separator: separator, in: cluster)
            let roots = ["--root", "archive=\(archive)"]
            for options in [["--files-from", list.path], ["-"]] {
                let look = options == ["-"] ? "mono" : "neutral"
                let ended = try cluster.run("submit", options + roots + ["--json", "--look", look], input: list)
                let batch = try #require(ended.field("batch") as? String, "\(ended.errors)")
                #expect(
                    try cluster.waitForStatus(batch) { $0["open"] as? Int == 2 && $0["missing"] as? Int == 1 },
                    "\(coordinator.errorsSoFar)")
            }
            let outside = try cluster.run(
                "submit", ["-"] + roots, input: try self.list(["/elsewhere/a.CR2"], in: cluster))
            #expect(outside.status == 64 && outside.errors.contains("/elsewhere/a.CR2 is in none of the roots"))
            let empty = try cluster.run("submit", ["-"] + roots, input: try self.list([""], in: cluster))
            #expect(empty.status == 64 && empty.errors.contains("The list of sources is empty"), "\(empty.errors)")
        }

        @Test("A user who stops waiting for an order learns that the cluster continues it")
        func interruptedWait() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(2)
            let coordinator = try cluster.start("coordinator")
            let waiting = try cluster.begin("submit", ["archive/shoot", "--wait", "--json"])
            #expect(
                waiting.wait(seconds: 60) { waiting.outputSoFar.contains("submitted") }, "\(coordinator.errorsSoFar)")
            waiting.send(SIGINT)
            #expect(waiting.wait(seconds: 30) { !waiting.isRunning })
            let ended = waiting.wait()
            #expect(ended.status == 130 && ended.errors.contains("The cluster continues"), "\(ended)")
        }

        @Test("A list that no record could hold becomes one batch, and the ledger keeps none of it afterwards")
        func longList() async throws {
            let cluster = try TestCluster(.mock)
            let folder = "a folder with a long name, as users give them to their years of work"
            try cluster.makeSources(1500, in: folder)
            let names = (0..<1500).map { "archive/\(folder)/IMG_\($0).CR2" }
            let ended = try cluster.run("submit", ["-", "--json"], input: try list(names, in: cluster))
            let batch = try #require(ended.field("batch") as? String, "\(ended.errors)")
            let sent = try await cluster.records(of: Topics.control, atLeast: 4)
            #expect(sent.count >= 4 && sent.allSatisfy { $0.sizeBytes < RecordLimit.record })
            // The order waits for its coordinator, and is repeated like by a sender whose answer was lost.
            try await cluster.send(sent, to: Topics.control)
            let coordinator = try cluster.start("coordinator")
            #expect(try cluster.waitForStatus(batch) { $0["open"] as? Int == 1500 }, "\(coordinator.errorsSoFar)")
            let batches = try cluster.run("status", ["--json"]).events("batch")
            #expect(batches.count == 1 && batches.first?["accepted"] as? Int == 1500)
        }

        @Test("An order with a lost part is refused, and the part is named")
        func lostPart() async throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(1)
            let coordinator = try cluster.start("coordinator")
            #expect(coordinator.wait(for: "event=role.started"))
            let names = (0..<1500).map { "archive/shoot/\(String(repeating: "x", count: 60))\($0).CR2" }
            let ended = try cluster.run("submit", ["-", "--json"], input: try list(names, in: cluster))
            let batch = try #require(ended.field("batch") as? String, "\(ended.errors)")
            #expect(try cluster.waitForStatus(batch) { $0["state"] as? String == "completed" })
            let submission = try #require(try await cluster.records(of: Topics.control, atLeast: 4).last)
            guard case .submit(let order) = try Control(record: submission.value ?? []) else {
                Issue.record("the last record is no order")
                return
            }
            let torn = ConversionOrder(
                sources: order.sources, sourceParts: 2, recipe: order.recipe, submittedMilliseconds: 1)
            try await cluster.send([Record(key: [], value: Control.submit(torn).encoded())], to: Topics.control)
            #expect(try cluster.waitForStatus("\(torn.batch)") { $0["state"] as? String == "refused" })
            let shown = try cluster.run("status", ["\(torn.batch)"])
            #expect(shown.output.contains("part 1 of 2 is missing. Submit it again."), "\(shown.output)")
        }

        @Test("Several looks are one order with a batch for each, whose jobs of one photo follow each other")
        func severalLooks() async throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(20)
            try Data("x".utf8).write(to: cluster.folder.appending(path: "archive/shoot/notes.txt"))
            let looks = ["--look", "mono", "--look", "sepia", "--look", "invert"]
            let submitted = try cluster.run("submit", ["archive/shoot", "--json"] + looks)
            let batches = try submitted.events("submitted").compactMap { $0["batch"] as? String }
            #expect(Set(batches).count == 3, "\(submitted.errors)")
            #expect(try await cluster.records(of: Topics.control, atLeast: 1).count == 1)
            let coordinator = try cluster.start("coordinator")
            for batch in batches {
                let isPlanned = try cluster.waitForStatus(batch) {
                    $0["open"] as? Int == 20 && $0["notRaw"] as? Int == 1 && $0["state"] as? String == "running"
                }
                #expect(isPlanned, "\(coordinator.errorsSoFar)")
            }
            let jobs = try await cluster.records(of: Topics.bulkJobs, atLeast: 60).map {
                try Job(record: $0.value ?? [])
            }
            let looksOf = Dictionary(grouping: jobs, by: \.source.raw.file.path).mapValues {
                Set($0.map(\.recipe.look.name))
            }
            #expect(looksOf.count == 20 && looksOf.values.allSatisfy { $0.count == 3 })
            #expect(try cluster.run("cancel", [batches[1]]).status == 0)
            let states = try cluster.run("status", ["--json"]).events("batch").compactMap { $0["state"] as? String }
            #expect(states.filter { $0 == "running" }.count == 2 && states.contains("cancelled"))
        }

        @Test("The coordinator leaves out excluded files, and photos with fewer stars")
        func choice() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(4)
            try cluster.makeSources(2, in: "shoot/private")
            let packet = #"<x:xmpmeta><rdf:Description xmp:Rating="4"/></x:xmpmeta>"#
            for number in [0, 1] {
                let sidecar = cluster.folder.appending(path: "archive/shoot/IMG_\(number).xmp")
                try Data(packet.utf8).write(to: sidecar)
            }
            let coordinator = try cluster.start("coordinator")
            let batch = try cluster.submit(
                "archive/shoot", ["--exclude", "private/", "--exclude", "*_1.CR2", "--min-rating", "3"])
            #expect(try cluster.waitForStatus(batch) { $0["open"] as? Int == 1 }, "\(coordinator.errorsSoFar)")
            let other = try cluster.submit("archive/shoot", ["--look", "mono", "--min-rating", "-1"])
            #expect(try cluster.waitForStatus(other) { $0["open"] as? Int == 6 })
        }

        @Test("`status`, `status BATCH` and `submit --wait` name failed and left-out files, in text and JSON")
        func named() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(6)
            let shoot = cluster.folder.appending(path: "archive/shoot")
            try Data("x".utf8).write(to: shoot.appending(path: "notes.txt"))
            try FileManager.default.createSymbolicLink(
                atPath: shoot.path + "/link.CR2", withDestinationPath: "/etc/hostname")
            let roles = try [
                cluster.start("coordinator"), cluster.start("catalogue"), cluster.start("worker", ["-j", "2"]),
            ]
            let ended = try cluster.run("submit", ["archive/shoot", "archive/gone", "--wait"])
            #expect(ended.status == 3)
            let names = ["archive/gone:", "archive/shoot/link.CR2:", "archive/shoot/notes.txt:"]
            for name in names + (0..<6).map({ "archive/shoot/IMG_\($0).CR2: not-raw:" }) {
                #expect(ended.output.contains(name), "\(name) in \(ended.output)")
            }
            let batch = try #require(try cluster.run("status", ["--json"]).events("batch").first?["batch"] as? String)
            let all = try cluster.run("status").output
            for name in names { #expect(all.contains(name), "\(name) in \(all)") }
            #expect(all.contains("and 3 more: rawmill status \(batch.prefix(8))"), "\(all)")
            #expect(try cluster.run("status", [batch]).output.contains("archive/shoot/IMG_5.CR2"))
            let events = try cluster.run("status", ["--json"])
            let kinds = try events.events("files").map { "\($0["kind"] ?? "") \($0["total"] ?? "")" }
            #expect(kinds == ["failed 6", "missing 1", "link 1", "not-raw 1"])
            #expect(try events.events("file").count == 9)

            let local = ["--library", cluster.library.path]
            let kept = try cluster.run("status", local + ["--json", batch], connects: false)
            #expect(try kept.events("problem").compactMap { $0["kind"] as? String } == ["link", "missing", "not-raw"])
            #expect(try kept.events("failed").count == 6 && kept.events("batch").count == 1)
            let text = try cluster.run("status", local, connects: false).output
            for name in ["notes.txt", "link.CR2", "gone"] { #expect(text.contains(name), "\(text)") }
            withExtendedLifetime(roles) {}
        }
    }
}
