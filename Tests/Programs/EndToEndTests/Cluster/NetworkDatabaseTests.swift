import ExternalTools
import Foundation
import PostgreSQLServer
import Testing

/// The roles of a cluster if the library is on a network file system: the kernel's list of mounts has one more line for
/// them.
@Suite("A database's file on a network", .needs(.mounting))
struct NetworkDatabaseTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func run(_ kind: String, _ arguments: [String]) throws -> (status: Int32, errors: String) {
        let library = workspace.library.path
        try FileManager.default.createDirectory(atPath: library, withIntermediateDirectories: true)
        let mounts = workspace.folder.appending(path: "mounts")
        let real = try String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
        try "\(real)9999 1 0:99 / \(library) rw - \(kind) nas:/photos rw\n".write(
            to: mounts, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        // A chroot is no mount, so the propagation of mounts below it cannot be set.
        let show = "mount --make-private /proc && mount --bind \(mounts.path) /proc/$$/mountinfo"
        process.arguments =
            ["-m", "--propagation", "unchanged", "sh", "-c", "\(show) && exec \"$@\"", "sh"]
            + [Rawmill.program.path] + arguments
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test(
        "is refused to cataloguer and coordinator, with the reason and the remedy",
        arguments: ["nfs4", "cifs", "fuse.sshfs", "9p", "ceph"])
    func refusals(kind: String) throws {
        let library = workspace.library.path
        let broker = ["--broker", "kafka://127.0.0.1:1"]
        let catalogue = try run(kind, ["catalogue", "--library", library] + broker)
        #expect(catalogue.status != 0 && catalogue.errors.contains("is on \(kind), mounted at \(library)"))
        #expect(catalogue.errors.contains("library migrate") && catalogue.errors.contains("--database"))
        #expect(!FileManager.default.fileExists(atPath: library + "/library.sqlite"))
        let coordinator = try run(kind, ["coordinator", "--root", "library=\(library)"] + broker)
        #expect(coordinator.status != 0 && coordinator.errors.contains("--state DIR"))
        #expect(!FileManager.default.fileExists(atPath: library + "/.rawmill/coordinator.sqlite"))
    }

    @Test("serves commands on one machine, which can move it to a server", .needs(.postgreSQL))
    func local() throws {
        try workspace.makeSamples(1)
        #expect(try workspace.convert().status == 0)
        let library = workspace.library.path
        #expect(try run("nfs4", ["status", "--library", library]).status == 0)
        #expect(try run("nfs4", ["library", "verify", "--library", library]).status == 0)
        let address = try PostgreSQLServer.shared.get().addressText()
        let moved = try run("nfs4", ["library", "migrate", "--library", library, "--to", address])
        #expect(moved.status == 0, "\(moved.errors)")
        #expect(!FileManager.default.fileExists(atPath: library + "/.rawmill/coordinator.sqlite"))
        #expect(try run("nfs4", ["audit", "--library", library]).status == 0)
    }
}
