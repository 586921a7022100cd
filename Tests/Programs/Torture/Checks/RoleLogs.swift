import Glibc
import Storage

/// The logs of all roles together.
struct RoleLogs {
    private(set) var rendersEnded = 0
    /// Time at which each job's render was first logged as ended, in seconds since midnight.
    private(set) var jobs: [Substring: Double] = [:]
    /// Partitions that were taken from a worker without its knowledge, so that it could not hand them over.
    private(set) var lostPartitions = 0
    private(set) var refusedCommits = 0
    /// Error lines that the harm does not explain, and lines that are not log lines.
    private(set) var unexplained: [String] = []

    /// - Parameters:
    ///   - explained: error events that the harm explains.
    ///   - fillsDisk: whether the disk of the logs was full meanwhile: a line may then be truncated and directly
    ///     followed by the next.
    init(folder: String, explained: Set<String>, fillsDisk: Bool) throws {
        let root = try Root(path: folder)
        for file in try root.entries(of: []).map(\.name) {
            let bytes = try root.contents(of: file, limitBytes: 1 << 30)
            for bytes in bytes.split(separator: UInt8(ascii: "\n")) {
                let line = String(decoding: bytes, as: UTF8.self)
                for line in fillsDisk ? Self.parts(line) : [line] {
                    add(line, of: String(decoding: file, as: UTF8.self), explained, mayBeCut: fillsDisk)
                }
            }
        }
    }

    var repeatedRenders: Int { rendersEnded - jobs.count }

    /// A truncated line, and the one that follows it.
    private static func parts(_ line: String) -> [String] {
        let starts = line.ranges(of: "time=2").map(\.lowerBound).filter { $0 > line.startIndex }
        return zip([line.startIndex] + starts, starts + [line.endIndex]).map { String(line[$0..<$1]) }
    }

    private mutating func add(_ line: String, of file: String, _ explained: Set<String>, mayBeCut: Bool) {
        let event = Self.field("event", line)
        switch event {
        case "job.completed":
            rendersEnded += 1
            jobs[Self.field("job", line), default: .infinity] = min(
                Self.seconds(line), jobs[Self.field("job", line)] ?? .infinity)
        case "partitions.revoked": lostPartitions += Self.field("lost", line) == "true" ? 1 : 0
        case "commit.refused": refusedCommits += 1
        default: break
        }
        // A role that ends by a fault also prints a message for users. Its last event explains that line too.
        let isEnd = line.hasPrefix("rawmill: ") && explained.contains("role.ended")
        let isBeginning = mayBeCut && ["time=", "rawmill: "].contains { $0.hasPrefix(line) }
        let isError = line.contains(" level=error ") || !(line.hasPrefix("time=") || isBeginning)
        let isCut = mayBeCut && line.hasPrefix("time=") && line.hasSuffix(" event=\(event)")
        if isError, !isEnd, !explained.contains(where: { isCut ? $0.hasPrefix(event) : $0 == event }) {
            unexplained.append("\(file): \(line.prefix(300))")
        }
    }

    private static func field(_ name: String, _ line: String) -> Substring {
        guard let start = line.firstRange(of: " \(name)=")?.upperBound else { return "" }
        return line[start...].prefix { $0 != " " }
    }

    /// The seconds since midnight of `time=2026-11-21T18:30:06.482Z`.
    private static func seconds(_ line: String) -> Double {
        let parts = line.prefix { $0 != " " }.drop { $0 != "T" }.dropFirst().dropLast().split(separator: ":")
        return parts.reduce(0) { $0 * 60 + (Double($1) ?? 0) }
    }
}
