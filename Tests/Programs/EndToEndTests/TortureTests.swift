import Foundation
import SeededRandom
import Testing

/// Kill -9 at random moments, repeatedly; then a last complete run, and the invariants.
///
/// `RAWMILL_TORTURE_ROUNDS` sets the number of kills (default 12), `RAWMILL_TORTURE_SEED` repeats a run.
@Suite(.serialized) struct TortureTests {
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    private enum Victim: CaseIterable {
        /// Everything at once, in any order.
        case tree
        /// Only the program: its render processes must notice.
        case program
        /// One render process: the run continues.
        case renderer
    }

    private static let photos = 8
    private static let slots = 2

    @Test("After a kill at any moment, every job ends once, every file is complete, and the bytes are the same")
    func kills() async throws {
        let seed = Self.number("RAWMILL_TORTURE_SEED") ?? .random(in: 0...UInt64.max)
        let rounds = Int(Self.number("RAWMILL_TORTURE_ROUNDS") ?? 12)
        print("torture: \(rounds) rounds, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let workspace = try Workspace()
        try workspace.makeSamples(Self.photos, megapixels: 0.5)
        try Data("no RAW at all".utf8).write(to: workspace.raw.appending(path: "strange.nef"))
        let audit = LibraryAudit(library: workspace.library)
        var killedRenders = 0
        var committed: [String: Int64] = [:]
        for round in 0..<rounds {
            killedRenders += try attack(workspace, round: round, &random)
            guard try audit.hasLedger() else { continue }
            try audit.checkLedger()
            let now = try await audit.checkOffsets()
            for (partition, offset) in committed { #expect(now[partition] ?? 0 >= offset, "\(partition)") }
            committed = now
        }
        try finish(workspace, rounds: rounds)
        try check(audit, workspace, rounds: rounds, killedRenders: killedRenders)
        _ = try await audit.checkOffsets()
    }

    /// Each round requests another exposure: new work in addition to the unfinished work of earlier rounds.
    private func command(_ workspace: Workspace, round: Int, library: URL? = nil) -> [String] {
        [
            "convert", workspace.raw.path, "--library", (library ?? workspace.library).path, "-j", "\(Self.slots)",
            "--json",
            "--exposure", "\(Double(round % 50) / 10)",
        ]
    }

    /// - Returns: the number of renders that may have been lost.
    private func attack(_ workspace: Workspace, round: Int, _ random: inout SeededGenerator) throws -> Int {
        let running = try Running(command(workspace, round: round))
        usleep(UInt32.random(in: 0...700_000, using: &random))
        let victim = Victim.allCases.randomElement(using: &random) ?? .tree
        let children = ProcessTree.children(of: running.identifier)
        var lost = Self.slots
        switch victim {
        case .tree: for process in ([running.identifier] + children).shuffled(using: &random) { kill(process, SIGKILL) }
        case .program: running.send(SIGKILL)
        case .renderer:
            if let child = children.randomElement(using: &random) { kill(child, SIGKILL) }
            usleep(UInt32.random(in: 0...700_000, using: &random))
            running.send(SIGKILL)
            lost += 1
        }
        _ = running.wait()
        #expect(ProcessTree.areGone(children, within: 60), "round \(round): render processes outlive their parent")
        return lost
    }

    /// One more run, which completes the unfinished work.
    private func finish(_ workspace: Workspace, rounds: Int) throws {
        let ended = try Rawmill.run(command(workspace, round: rounds - 1))
        // The invalid file may have failed before the last kill.
        #expect([0, 3].contains(ended.status), "\(ended.errors)")
        #expect(try ended.events("summary").first?["open"] as? Int == 0)
    }

    private func check(_ audit: LibraryAudit, _ workspace: Workspace, rounds: Int, killedRenders: Int) throws {
        try audit.checkLedger()
        try audit.checkFiles()
        try audit.checkQuiet()
        #expect(try audit.jobs(in: 0, 1, 5).isEmpty)
        #expect(try audit.failedPaths() == ["strange.nef"])
        #expect(workspace.shownPhotos.count == Self.photos)
        let jobs = try audit.jobs(in: 0, 1, 2, 3, 4, 5).count
        let started = try audit.startedRenders()
        print("torture: \(jobs) jobs, \(started) renders, at most \(killedRenders) killed")
        #expect(started <= jobs + killedRenders)
        let verified = try Rawmill.run("library", "verify", "--library", workspace.library.path, "--json")
        #expect(verified.status == 0, "\(verified.output)")
        let found = try audit.digests()
        let calm = workspace.folder.appending(path: "calm")
        #expect(try Rawmill.run(command(workspace, round: rounds - 1, library: calm)).status == 3)
        let reference = try LibraryAudit(library: calm).digests()
        #expect(reference.count == Self.photos)
        for (key, digest) in reference { #expect(found[key] == digest) }
    }
}
