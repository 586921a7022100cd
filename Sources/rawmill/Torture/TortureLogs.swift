import Glibc
import Storage

/// What the roles' logs say, all of them together.
struct TortureLogs {
    private(set) var rendersEnded = 0
    /// Jobs whose render was told to have ended, each once.
    private(set) var jobs: Set<String> = []
    private(set) var revocations = 0
    private(set) var refusedCommits = 0
    /// Lines of level error that the harm does not explain, and lines that are none of the log.
    private(set) var unexplained: [String] = []

    init(folder: String, explained: Set<String>) throws {
        let root = try Root(path: folder)
        for file in try root.entries(of: []).map(\.name) {
            let bytes = try root.contents(of: file, limitBytes: 1 << 30)
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                take(String(decoding: line, as: UTF8.self), of: String(decoding: file, as: UTF8.self), explained)
            }
        }
    }

    private mutating func take(_ line: String, of file: String, _ explained: Set<String>) {
        let event = Self.field("event", line)
        switch event {
        case "job.completed":
            rendersEnded += 1
            jobs.insert(Self.field("job", line))
        case "partitions.revoked": revocations += 1
        case "commit.refused": refusedCommits += 1
        default: break
        }
        // A role that ends by a fault says why for people, too: explained where its last event is.
        let isEnd = line.hasPrefix("rawmill: ") && explained.contains("role.ended")
        let isError = line.contains(" level=error ") || !line.hasPrefix("time=")
        if isError, !isEnd, !explained.contains(event) { unexplained.append("\(file): \(line.prefix(300))") }
    }

    private static func field(_ name: String, _ line: String) -> String {
        guard let start = line.firstRange(of: " \(name)=")?.upperBound else { return "" }
        return String(line[start...].prefix { $0 != " " })
    }
}
