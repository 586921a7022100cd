import Foundation
import Testing

/// Small turns of what `rawmill torture` does in large; Torture.md says what came of those.
@Suite("The torture program", .serialized)
struct TortureProgramTests {
    private func begin(_ scenario: String, _ options: [String]) throws -> Running {
        let seed = UInt32.random(in: 0 ... .max)
        print("torture \(scenario): seed \(seed)")
        return try Running(["torture", "--scenario", scenario, "--seed", "\(seed)"] + options)
    }

    /// They run side by side: most of each is waiting for sessions to end and brokers to come back. That of poison makes a
    /// table of seeds by the way.
    @Test("finds nothing lost, whatever is done to roles, records and brokers, and that poison alone fails")
    func everything() throws {
        let poison = try Running(["torture", "--scenario", "poison", "--seeds", "1-1", "--jobs", "60"])
        var turns = try ["kill", "malformed", "errors"].map {
            try begin($0, ["--jobs", "200", "--harms", "6", "--patience", "200"])
        }
        for case .kafka(let script) in ClusterBroker.all {
            let options = ["--jobs", "200", "--harms", "10", "--patience", "200", "--kafka-command", script]
            turns.append(try begin("all", options))
        }
        for turn in turns {
            let ended = turn.wait()
            #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
            #expect(ended.output.contains("200 accepted = "))
        }
        let ended = poison.wait()
        #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
        #expect(ended.output.contains("| poison, 1 seeds | 60 |") && ended.output.contains("| 1 of 1 runs |"))
    }

    @Test("says what is broken and where everybody stands: here, that nothing came to its end in no time")
    func broken() throws {
        let place = try Workplace()
        let folder = place.folder.appending(path: "torture").path
        let options = ["--jobs", "5000", "--harms", "1", "--patience", "1", "--folder", folder]
        let ended = try begin("kill", options).wait()
        #expect(ended.status == 3, "\(ended.output) \(ended.errors)")
        #expect(ended.output.contains("BROKEN  I6") && ended.output.contains("BROKEN  I1"))
        let diagnosis = try String(contentsOfFile: folder + "/diagnosis.txt", encoding: .utf8)
        for words in ["orders are known", "rawmill.control: the coordinator behind in", "worker-3, started"] {
            #expect(ended.output.contains(words) && diagnosis.contains(words))
        }
    }

    @Test("ends the cluster it started when it is interrupted")
    func interrupted() throws {
        let ended = try cutOff(by: SIGINT)
        #expect(ended.status == 130, "\(ended.output) \(ended.errors)")
        #expect(ended.errors.contains("Interrupted."))
    }

    @Test("takes the cluster it started with it when it is killed")
    func killed() throws {
        #expect(try cutOff(by: SIGKILL).status == -SIGKILL)
    }

    /// Sends the signal in the midst of a torture; nothing of its cluster may be left.
    private func cutOff(by signal: Int32) throws -> Rawmill.Ended {
        let place = try Workplace()
        let folder = place.folder.appending(path: "torture").path
        let torture = try begin("kill", ["--jobs", "2000", "--harms", "1000", "--folder", folder])
        #expect(torture.wait { torture.outputSoFar.contains("kill: ") })
        // Itself and the roles at least.
        let processes = ProcessTree.naming(folder)
        #expect(processes.count > 2)
        torture.send(signal)
        let ended = torture.wait()
        #expect(ProcessTree.areGone(ProcessTree.naming(folder) + processes, within: 30))
        return ended
    }
}
