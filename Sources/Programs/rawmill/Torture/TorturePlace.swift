import Arguments
import Glibc
import Jobs
import Storage

/// The folders of a tortured cluster, and the command lines of its roles.
struct TorturePlace {
    let folder: String
    let broker: TortureBroker
    /// Of real photos, rendered; nil for files that only their names make RAWs, and no rendering.
    let megapixels: Double?
    /// Some of them do harm to whoever renders them.
    let hasPoison: Bool
    /// A worker that comes back finds its partitions, and the others do not notice; one that goes for good does not give
    /// them up before its session is over.
    let isStatic: Bool

    var isReal: Bool { megapixels != nil }

    var archive: String { "\(folder)/archive" }
    var library: String { "\(folder)/library" }

    /// A member that is silent for so long is counted out.
    static let session = Duration.seconds(6)

    private static let properties = [
        "session.timeout.ms=6000", "heartbeat.interval.ms=500", "fetch.wait.max.ms=50", "reconnect.backoff.max.ms=1000",
    ]

    var roots: [RootName: String] {
        var roots: [RootName: String] = [.library: library]
        if let name = RootName("archive") { roots[name] = archive }
        return roots
    }

    func arguments(_ role: String, _ more: [String] = []) -> [String] {
        let place =
            role == "catalogue"
            ? ["--library", library] : ["--root", "archive=\(archive)", "--root", "library=\(library)"]
        return [role, "--broker", "kafka://\(broker.servers)"] + Self.properties.flatMap { ["--kafka-property", $0] }
            + place + more
    }

    /// Slots of each worker.
    static let slots = 2

    func worker(_ number: Int) -> TortureProcess {
        var options = ["-j", "\(Self.slots)", "--name", "worker-\(number)", "--memory-limit", "256M"]
        options += isReal ? ["--deadline", "10"] : ["--deadline", "1", "--null-renderer"]
        if isStatic { options.append("--static") }
        if hasPoison { options += ["--render-program", renderer] }
        return process("worker-\(number)", "worker", options)
    }

    func process(_ name: String, _ role: String, _ more: [String] = []) -> TortureProcess {
        TortureProcess(name, arguments(role, more), log: "\(logs)/\(name).log")
    }

    var logs: String { "\(folder)/logs" }

    private var renderer: String { "\(folder)/renderer" }

    func makeFolders() throws {
        for path in [library, logs] { _ = try Root(path: path, creating: true) }
        guard hasPoison else { return }
        let script = Array(try TortureRenderer.script().utf8)
        _ = try Root(path: folder).publish(script, at: Array("renderer".utf8), isDurable: false)
        chmod(renderer, 0o700)
    }

    func note(_ lines: [String], in file: String) throws {
        let text = lines.map { $0 + "\n" }.joined()
        _ = try Root(path: folder).publish(Array(text.utf8), at: Array(file.utf8), isDurable: false)
    }
}
