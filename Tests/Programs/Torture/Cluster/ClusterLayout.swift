import CommandLineTool
import Glibc
import Jobs
import Manifests
import Storage

/// The folders of a tortured cluster, and the command lines of its roles.
struct ClusterLayout {
    let folder: String
    let broker: TestBroker
    /// The server of the library's tables and the ledger; nil if they are files.
    let database: TestDatabase?
    /// Size of each photo; nil for files that are RAWs only by name, and are not rendered.
    let megapixels: Double?
    /// Whether some sources harm the process that renders them.
    let hasPoison: Bool
    /// Whether workers are static members of their groups. One that returns keeps its partitions, unnoticed by others;
    /// one that stays away keeps them until its session ends.
    let isStatic: Bool

    var isReal: Bool { megapixels != nil }

    var archive: String { "\(folder)/archive" }
    var library: String { "\(folder)/library" }
    var logs: String { "\(folder)/logs" }

    private static let properties = [
        "session.timeout.ms=6000", "heartbeat.interval.ms=500", "fetch.wait.max.ms=50", "reconnect.backoff.max.ms=1000",
    ]

    /// Path by name.
    var roots: [RootName: String] {
        var roots: [RootName: String] = [.library: library]
        if let name = RootName("archive") { roots[name] = archive }
        return roots
    }

    func openRoots() throws -> Roots {
        var opened: [String: Root] = [:]
        for (name, path) in roots { opened[name.text] = try Root(path: path) }
        return Roots(opened)
    }

    // MARK: - Processes

    /// Slots of each worker.
    static let slots = 2

    func worker(_ number: Int) throws -> RoleProcess {
        var options = ["-j", "\(Self.slots)", "--name", "worker-\(number)", "--memory-limit", "256M"]
        options += isReal ? ["--deadline", "10"] : ["--deadline", "5", "--null-renderer"]
        if isStatic { options.append("--static") }
        if hasPoison { options += ["--render-program", try InstalledProgram.running()] }
        let mounts = WorkerMounts(folder: folder, worker: number)
        try mounts.show(.library, library)
        try mounts.show(.archive, archive)
        return process("worker-\(number)", "worker", options, mounts: mounts)
    }

    /// A role of another library, started on the topics of this one.
    func stranger(_ role: String) throws -> RoleProcess {
        let other = "\(folder)/stranger"
        _ = try Root(path: other, creating: true).makeIdentity(at: Array(LibraryLayout.identity.utf8))
        let log = "\(folder)/stranger-\(role).log"
        return RoleProcess("stranger-\(role)", arguments(role, [], archive: archive, library: other), log: log)
    }

    /// - Parameter mounts: the role's view of the folders; nil for their own paths.
    func process(
        _ name: String, _ role: String, _ options: [String] = [], mounts: WorkerMounts? = nil
    ) -> RoleProcess {
        let arguments = arguments(
            role, options, archive: mounts?.path(.archive) ?? archive, library: mounts?.path(.library) ?? library)
        return RoleProcess(name, arguments, log: "\(logs)/\(name).log", mounts: mounts)
    }

    private func arguments(_ role: String, _ options: [String], archive: String, library: String) -> [String] {
        let folders =
            ["--root", "archive=\(archive)"]
            + (role == "catalogue" ? ["--library", library] : ["--root", "library=\(library)"])
        return [role, "--broker", "kafka://\(broker.servers)"] + Self.properties.flatMap { ["--kafka-property", $0] }
            + folders + (role == "coordinator" || role == "catalogue" ? databaseOption : []) + options
    }

    private var databaseOption: [String] { database.map { ["--database", $0.address] } ?? [] }

    // MARK: - Files

    func makeFolders() throws {
        for path in [library, logs] { _ = try Root(path: path, creating: true) }
    }

    /// Writes lines to a file of the folder.
    func write(_ lines: [String], to file: String) throws {
        let text = lines.map { $0 + "\n" }.joined()
        _ = try Root(path: folder).publish(Array(text.utf8), at: Array(file.utf8), isDurable: false)
    }
}
