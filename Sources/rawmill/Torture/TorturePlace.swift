import Arguments
import Jobs
import Samples
import Storage

/// The folders of a tortured cluster, and the command lines of its roles.
struct TorturePlace {
    let folder: String
    let broker: TortureBroker
    /// Real photos, rendered; else files that only their names make RAWs, and no rendering.
    let isReal: Bool

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

    func worker(_ number: Int) -> TortureProcess {
        let renderer = isReal ? [] : ["--null-renderer"]
        return process("worker-\(number)", "worker", ["-j", "2", "--name", "worker-\(number)"] + renderer)
    }

    func process(_ name: String, _ role: String, _ more: [String] = []) -> TortureProcess {
        TortureProcess(name, arguments(role, more), log: "\(logs)/\(name).log")
    }

    var logs: String { "\(folder)/logs" }

    /// Makes the sources of one order, `part`, and answers how many of them can never become a photo.
    func makeSources(_ part: Int, _ numbers: Range<Int>, poison: Bool) throws -> Int {
        _ = try Root(path: library, creating: true)
        _ = try Root(path: logs, creating: true)
        let root = try Root(path: "\(archive)/part-\(part)", creating: true)
        var poisoned = 0
        for number in numbers {
            let isPoison = poison && isReal && (number % 100 == 99 || (number == numbers.lowerBound && part == 0))
            poisoned += isPoison ? 1 : 0
            let bytes = isReal && !isPoison ? Sample.dng(index: number, size: Sample.size(megapixels: 0.3)) : nil
            let name = isReal && !isPoison ? Sample.name(number) : "IMG_\(number).CR2"
            _ = try root.publish(bytes ?? Array("source \(number)".utf8), at: Array(name.utf8), isDurable: false)
        }
        return poisoned
    }
}
