import ExternalTools
import Foundation
import SeededRandom
import Testing

/// One call to the file system fails, or that one and all later ones, at any place: while databases are opened, photos
/// named, originals moved.
@Suite struct FailingDiskTests {
    enum Kind: CaseIterable { case library, folder, copiedOriginals, movedOriginals }

    private static let errors = [EIO, ENOSPC, EACCES, ESTALE, EROFS]
    /// Number of failing calls in each test.
    private static let points = Int(ProcessInfo.processInfo.environment["RAWMILL_FAILING_CALLS"] ?? "") ?? 8

    @Test(
        "Whichever call to the disk fails, a run ends with a report, and the next one completes it", .night,
        arguments: Kind.allCases)
    func anyCall(kind: Kind) throws {
        var random = SeededGenerator()
        let workspace = try Workspace()
        try workspace.makeSamples(3, megapixels: 0.05)
        let all = try Trial(kind, workspace, call: 0)
        #expect(try all.start().wait().status == 0)
        let count = all.failing.calls.count
        #expect(count > 300)
        print("\(kind), \(count) calls: seed \(random.seed)")
        for _ in 0..<Self.points {
            let trial = try Trial(
                kind, workspace, call: Int.random(in: 1...count, using: &random),
                error: Self.errors.randomElement(using: &random) ?? EIO, isLasting: Bool.random(using: &random))
            let running = try trial.start()
            #expect(running.wait(seconds: 60) { !running.isRunning }, "\(trial.failing): it waits")
            running.send(SIGKILL)
            let first = running.wait()
            #expect([0, 3, 64, 70].contains(first.status), "\(trial.failing): \(first.status) \(first.errors)")
            #expect(first.status == 0 || !(first.output + first.errors).isEmpty, "\(trial.failing)")
            let next = try trial.next()
            #expect(next.status == 0, "\(trial.failing): \(first.errors)\nthen: \(next.output)\(next.errors)")
            #expect(trial.photos.count == 3, "\(trial.failing): \(first.errors)\nthen: \(next.output)\(next.errors)")
            guard kind != .folder else { continue }
            let verified = try Rawmill.run("library", "verify", "--library", trial.library.path)
            #expect(verified.output.contains("Checked 3 photos, 3 previews"), "\(trial.failing)")
            #expect(verified.status == 0, "\(trial.failing): \(verified.output)")
        }
    }

    /// A root is recognised by some of its files. A run that had to leave an original in place removed it at the next
    /// start, and then took the empty folder for another one.
    @Test("An original that could not be removed is removed by the next run, which succeeds", .night)
    func leftOriginal() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1, megapixels: 0.05)
        let all = try Trial(.movedOriginals, workspace, call: 0)
        #expect(try all.start().wait().status == 0)
        let calls = all.failing.calls
        // The call after the last naming removes the original.
        let named = try #require(calls.lastIndex { $0.contains(" linkat ") })
        let removing = calls[named...].filter { $0.contains(" \(all.raw.path)") }.prefix(14)
        var left = 0
        for call in removing.compactMap({ $0.split(separator: " ").first.flatMap { Int($0) } }) {
            let trial = try Trial(.movedOriginals, workspace, call: call)
            let first = try trial.start().wait()
            if FileManager.default.fileExists(atPath: trial.raw.appending(path: "sample-0001.dng").path) { left += 1 }
            let next = try trial.next()
            #expect(next.status == 0, "\(trial.failing): \(first.errors)\nthen: \(next.output)\(next.errors)")
            #expect(trial.workspaceFiles(trial.raw).isEmpty)
        }
        #expect(left > 0)
    }

    /// Albums are only in the tables. A rebuild that temporarily could not read the old ones took them for damaged, and
    /// replaced them by new ones without albums.
    @Test("Whichever call fails while a library is rebuilt, its albums stay", .night)
    func albums() throws {
        var random = SeededGenerator()
        print("rebuilding: seed \(random.seed)")
        let workspace = try Workspace()
        try workspace.makeSamples(2, megapixels: 0.05)
        let first = try Trial(.library, workspace, call: 0)
        #expect(try first.next().status == 0)
        let library = ["--library", first.library.path]
        #expect(try Rawmill.run(["album", "create", "best"] + library).status == 0)
        #expect(try Rawmill.run(["album", "add", "best", "--where", "look = 'neutral@1'"] + library).status == 0)
        let all = FailingCalls(below: first.failing.folder, call: 0)
        #expect(try all.start(["library", "rebuild"] + library).wait().status == 0)
        let calls = all.calls.enumerated().filter { $1.contains("/library.sqlite") && !$1.contains(".rebuild") }
        #expect(calls.count > 30)
        for (index, _) in calls.shuffled(using: &random).prefix(3 * Self.points) {
            let failing = FailingCalls(
                below: first.failing.folder, call: index + 1, error: Self.errors.randomElement(using: &random) ?? EIO,
                isLasting: Bool.random(using: &random))
            let rebuilt = try failing.start(["library", "rebuild"] + library).wait()
            #expect([0, 3, 64, 70].contains(rebuilt.status), "\(failing): \(rebuilt.status) \(rebuilt.errors)")
            let shown = try Rawmill.run(["album", "show", "best"] + library)
            #expect(
                shown.lines.count { $0.contains("sample-000") } == 2, "\(failing): \(rebuilt.output)\(rebuilt.errors)")
        }
    }

    @Test(
        "Killed at any call, a command that changes a library leaves one that repair can complete", .night,
        arguments: [
            ["library", "verify", "--repair"], ["library", "rebuild"], ["library", "restore"], ["library", "remove"],
            ["library", "prune", "--yes"], ["undo"], ["album", "delete", "best", "--yes"],
        ])
    func killed(command: [String]) throws {
        var random = SeededGenerator()
        let workspace = try Workspace()
        try workspace.makeSamples(2, megapixels: 0.05)
        let whole = try Trial(.library, workspace, call: 0)
        #expect(try whole.next().status == 0)
        let photo = "photos/raw/sample-0001.neutral.jpg"
        let library = ["--library", whole.library.path]
        let backup = whole.failing.folder.appending(path: "backup").path
        for step in [
            ["edit", photo, "--exposure", "0.5"], ["album", "create", "best"], ["album", "add", "best", photo],
            ["library", "backup", "--to", backup],
        ] {
            let ended = try Rawmill.run(step + library)
            #expect(ended.status == 0, "\(step): \(ended.errors)")
        }
        let trial = { (call: Int) -> (FailingCalls, [String], [String]) in
            let folder = workspace.folder.appending(path: "killed-\(UUID())")
            try FileManager.default.copyItem(at: whole.failing.folder, to: folder)
            let library = ["--library", folder.appending(path: "film").path]
            var options: [String] = []
            if command.last == "restore" { options = ["--from", folder.appending(path: "backup").path] }
            if command.last == "remove" { options = [photo, "--yes"] }
            if command.last == "undo" { options = [photo] }
            return (FailingCalls(below: folder, call: call, error: 0), command + options + library, library)
        }
        let (all, complete, _) = try trial(0)
        let ended = try all.start(complete).wait()
        #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
        let count = all.calls.count
        print("\(command) killed at one of \(count) calls: seed \(random.seed)")
        for _ in 0..<max(3, Self.points / 2) {
            let (failing, arguments, library) = try trial(Int.random(in: 1...count, using: &random))
            _ = try failing.start(arguments).wait()
            let repaired = try Rawmill.run(["library", "verify", "--repair"] + library)
            let verified = try Rawmill.run(["library", "verify"] + library)
            #expect(verified.status == 0, "\(failing): \(repaired.output)\(repaired.errors)\n\(verified.output)")
            if command.first == "library" {
                #expect(try Rawmill.run(["album", "show", "best"] + library).status == 0, "\(failing)")
            }
        }
    }

    /// A run in a separate folder, with separate RAWs.
    private struct Trial {
        let failing: FailingCalls
        let kind: Kind
        let workspace: Workspace

        init(_ kind: Kind, _ workspace: Workspace, call: Int, error: Int32 = EIO, isLasting: Bool = false) throws {
            let folder = workspace.folder.appending(path: "trial-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: workspace.raw, to: folder.appending(path: "raw"))
            failing = FailingCalls(below: folder, call: call, error: error, isLasting: isLasting)
            self.kind = kind
            self.workspace = workspace
        }

        var raw: URL { failing.folder.appending(path: "raw") }
        var library: URL { failing.folder.appending(path: "film") }
        var photos: [String] {
            workspaceFiles(library).filter {
                $0.hasSuffix(".jpg") && !$0.contains(".rawmill") && !$0.contains("objects")
            }
        }

        func workspaceFiles(_ folder: URL) -> [String] { workspace.files(below: folder) }

        private var command: [String] {
            let destination =
                switch kind {
                case .library: ["--library", library.path]
                case .folder: ["--out", library.path, "--state", library.path + ".state"]
                case .copiedOriginals: ["--library", library.path, "--originals", "copy"]
                case .movedOriginals: ["--library", library.path, "--originals", "move"]
                }
            return ["convert", raw.path, "-j", "2"] + destination
        }

        func start() throws -> Running { try failing.start(command) }
        func next() throws -> Rawmill.Ended { try Rawmill.run(command) }
    }
}
