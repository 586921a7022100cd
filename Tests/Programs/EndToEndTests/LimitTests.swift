import ExternalTools
import Foundation
import Testing

/// Effects of the machine's control groups on a run.
@Suite(.serialized) struct LimitTests {
    /// - Returns: the maximum number of concurrent render processes of a run in the group.
    private func renderProcesses(_ limit: ControlGroup.Limit) throws -> Int {
        let workspace = try Workspace()
        try workspace.makeSamples(6, megapixels: 4)
        let group = try ControlGroup(limit)
        let process = group.process(
            Rawmill.program.path, ["convert", workspace.raw.path, "--library", workspace.library.path])
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        var most = 0
        while process.isRunning {
            most = max(most, ProcessTree.children(of: process.processIdentifier).count)
            usleep(5000)
        }
        #expect(process.terminationStatus == 0)
        #expect(workspace.shownPhotos.count == 6)
        return most
    }

    @Test("A run whose control group has one processor starts one render process", .needs(.controlGroups))
    func processor() throws { #expect(try renderProcesses(.processor(microseconds: 100_000)) == 1) }

    @Test("A run with too few threads ends, and names the limit to raise", .needs(.otherUsers))
    func threads() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1, megapixels: 0.05)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: workspace.folder.path)
        // The limit counts all processes of a user, so no other test runs as this one.
        let user = OtherUser(number: 61_234, groups: [], rawmill: try OtherUser.install(in: workspace.folder))
        let (process, errors) = (Process(), Pipe())
        process.executableURL = OtherUser.program
        process.arguments =
            user.arguments(running: "/bin/bash") + ["-c", "ulimit -u 12; exec \"$0\" \"$@\"", user.rawmill]
            + ["convert", workspace.raw.path, "--library", workspace.library.path, "-j", "2"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let told = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 70, "\(told)")
        #expect(told.contains("ulimit -u"), "\(told)")
    }

    @Test("A run that may only write small files ends, and blames no photo; with a higher limit it continues")
    func fileSize() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2, megapixels: 4)
        func convert(_ kibibytes: String) throws -> (status: Int32, output: String) {
            let command = #"ulimit \#(kibibytes); "$0" convert "$1" --library "$2" 2>&1; echo "status $?""#
            let output = try ExternalTool.run(
                "bash", ["-c", command, Rawmill.program.path, workspace.raw.path, workspace.library.path])
            let status = output.split(separator: "\n").last.flatMap { Int32($0.dropFirst(7)) }
            return (try #require(status, "\(output)"), output)
        }
        for limit in ["-f 100", "-f 3000"] {
            let (status, output) = try convert(limit)
            #expect(status != 0 && status != 3 && output.contains("ulimit -f"), "\(limit): \(output)")
            #expect(!output.contains("decoder-crashed"), "\(limit): \(output)")
        }
        // A soft limit that the process may raise itself has no effect.
        #expect(try convert("-S -f 100").status == 0)
        #expect(workspace.shownPhotos.count == 2)
    }

    @Test("A run whose control group has memory for one render starts one render process", .needs(.controlGroups))
    func memory() throws { #expect(try renderProcesses(.memory(bytes: 1 << 30)) == 1) }
}
