import Foundation
import Testing

/// Small turns of what `rawmill torture` does in large; Torture.md says what came of those.
@Suite("The torture program", .serialized)
struct TortureProgramTests {
    private func torture(_ scenario: String, _ options: [String]) throws -> Rawmill.Ended {
        let seed = UInt32.random(in: 0 ... .max)
        print("torture \(scenario): seed \(seed)")
        return try Rawmill.run(["torture", "--scenario", scenario, "--seed", "\(seed)"] + options)
    }

    @Test(
        "finds nothing lost, whatever is done to roles, records and brokers",
        arguments: ["kill", "malformed", "errors"])
    func imitation(scenario: String) throws {
        let ended = try torture(scenario, ["--jobs", "200", "--harms", "6", "--patience", "100"])
        #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
        #expect(ended.output.contains("200 accepted = 200 catalogued"))
    }

    @Test("finds that poison fails with its reasons and its neighbours do not, and makes a table of seeds")
    func poison() throws {
        let ended = try Rawmill.run(["torture", "--scenario", "poison", "--seeds", "1-1", "--jobs", "60"])
        #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
        #expect(ended.output.contains("| poison, 1 seeds | 60 |") && ended.output.contains("| 1 of 1 runs |"))
    }

    @Test("says what is broken: here, that nothing came to its end in no time")
    func broken() throws {
        let place = try Workplace()
        let folder = place.folder.appending(path: "torture").path
        let ended = try torture("kill", ["--jobs", "5000", "--harms", "1", "--patience", "1", "--folder", folder])
        #expect(ended.status == 3, "\(ended.output) \(ended.errors)")
        #expect(ended.output.contains("BROKEN  I6") && ended.output.contains("BROKEN  I1"))
    }

    @Test("finds nothing lost over a real Kafka, whatever is harmed", arguments: ClusterBroker.all.filter(\.isReal))
    func everything(broker: ClusterBroker) throws {
        guard case .kafka(let script) = broker else { return }
        let options = ["--jobs", "200", "--harms", "10", "--patience", "150", "--kafka-command", script]
        let ended = try torture("all", options)
        #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
    }
}

extension ClusterBroker {
    var isReal: Bool { if case .mock = self { false } else { true } }
}
