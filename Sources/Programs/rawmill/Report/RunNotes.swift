import Manifests
import Synchronization
import Telemetry

/// Notes at the end of a run on a terminal, apart from failed jobs: skipped files, unreadable sources, photos whose
/// colours cannot be trusted. The first few of each kind are named; a pipe and `--json` name all as they occur.
final class RunNotes: Sendable {
    private struct Kind {
        var first: [String] = []
        var count = 0
    }

    private let kinds = Mutex<[String: Kind]>([:])
    /// The number of photos by camera.
    private let withoutProfile = Mutex<[String: Int]>([:])
    private static let maxNamed = 10
    private static let order = ["unreadable", "degraded", "name-taken", "link", "not-raw"]

    func add(_ kind: String, _ line: String) {
        kinds.withLock { kinds in
            kinds[kind, default: Kind()].count += 1
            if kinds[kind, default: Kind()].first.count < Self.maxNamed { kinds[kind]?.first.append(line) }
        }
    }

    /// A photo of a camera without a profile in --dcp.
    func addWithoutProfile(_ camera: String) { withoutProfile.withLock { $0[camera, default: 0] += 1 } }

    /// A paragraph for each kind.
    func lines(on terminal: Terminal) -> [String] {
        let cameras = withoutProfile.withLock { $0.sorted { ($1.value, $0.key) < ($0.value, $1.key) } }
        let heading = "\n" + Style.yellow.apply("without a camera profile; --dcp lacks these cameras:", on: terminal)
        let profiles = cameras.map { "  \($0.key) (\(SummaryText.counted($0.value, "photo")))" }
        return kindLines(on: terminal) + (profiles.isEmpty ? [] : [heading] + profiles)
    }

    private func kindLines(on terminal: Terminal) -> [String] {
        kinds.withLock { kinds in
            Self.order.flatMap { name -> [String] in
                guard let kind = kinds[name] else { return [] }
                let rest = kind.count - kind.first.count
                let more = rest > 0 ? ["  and \(rest) more: --json lists all"] : []
                return ["\n" + Self.style(name).apply(Self.heading(name), on: terminal)] + kind.first.map { "  \($0)" }
                    + more
            }
        }
    }

    private static func style(_ kind: String) -> Style {
        switch kind {
        case "unreadable": .red
        case "degraded", "name-taken": .yellow
        default: .bold
        }
    }

    private static func heading(_ kind: String) -> String {
        switch kind {
        case "name-taken": "skipped, because their names are taken:"
        default: FileGroup.Kind(rawValue: kind).map { "\($0.heading):" } ?? "\(kind):"
        }
    }
}
