import Foundation
import Testing

struct InterruptTests {
    @Test(
        "The first signal finishes current renders and ends resumably; the next run continues",
        arguments: [SIGINT, SIGTERM])
    func once(signal: Int32) throws {
        let workspace = try Workspace()
        try workspace.makeSamples(40)
        let command = ["convert", workspace.raw.path, "--library", workspace.library.path, "-j", "2", "--json"]
        let running = try Running(command)
        #expect(running.wait { running.outputSoFar.contains("\"completed\"") })
        running.send(signal)
        let ended = running.wait()
        #expect(ended.status == 130)
        let done = try ended.events("completed").count
        let summary = try #require(try ended.events("summary").first)
        #expect(done > 0 && done < 40)
        #expect(summary["open"] as? Int == 40 - done)
        #expect(workspace.shownPhotos.count == done)
        let rest = try Rawmill.run(command)
        #expect(rest.status == 0)
        #expect(try rest.events("completed").count == 40 - done)
        #expect(workspace.shownPhotos.count == 40)
        #expect(try workspace.temporaryFiles.isEmpty)
    }

    @Test("The second signal ends at once, and nothing is lost")
    func twice() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(6, megapixels: 6)
        let command = ["convert", workspace.raw.path, "--library", workspace.library.path, "--json"]
        let running = try Running(command)
        #expect(
            running.wait {
                ProcessTree.children(of: running.identifier).count > 0 && running.outputSoFar.contains("planned")
            })
        let children = ProcessTree.children(of: running.identifier)
        // Jobs in flight now never end on their own.
        for child in children { kill(child, SIGSTOP) }
        // Signals of a kind that arrive before the first is handled merge with it: a second one must come later.
        let hasEnded = running.wait {
            running.send(SIGINT)
            usleep(20_000)
            return !running.isRunning
        }
        #expect(hasEnded)
        #expect(running.wait(seconds: 1).status == 130)
        #expect(ProcessTree.areGone(children, within: 120))
        #expect(try Rawmill.run(command).status == 0)
        #expect(workspace.shownPhotos.count == 6)
    }

    @Test("A signal before the plan is made also ends the run")
    func early() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(4)
        let command = ["convert", workspace.raw.path, "--library", workspace.library.path]
        let running = try Running(command)
        usleep(30_000)
        running.send(SIGINT)
        #expect([130, 0, -SIGINT].contains(running.wait().status))
        #expect(try Rawmill.run(command).status == 0)
        #expect(workspace.shownPhotos.count == 4)
    }
}
