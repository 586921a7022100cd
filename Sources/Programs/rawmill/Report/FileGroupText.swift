import Jobs
import Manifests
import Telemetry

enum FileGroupText {
    /// A paragraph for each kind.
    ///
    /// - Parameters:
    ///   - maxNames: the number of names of one kind.
    ///   - batch: the batch, for the command that lists more.
    ///   - indent: the start of each line.
    static func lines(
        _ groups: [FileGroup], maxNames: Int = .max, batch: BatchID, indent: String = "  "
    ) -> [String] {
        groups.flatMap { group -> [String] in
            let named = group.files.prefix(maxNames)
            let names = named.map { file in
                "\(indent)  \(TerminalText.escape(file.source)): \(TerminalText.escape(file.message))"
            }
            let rest = more(group, shown: named.count, batch).map { "\(indent)  \($0)" }
            return ["\(indent)\(group.kind.heading):"] + names + (rest.map { [$0] } ?? [])
        }
    }

    /// The command that lists the rest; nil if all are listed.
    private static func more(_ group: FileGroup, shown: Int, _ batch: BatchID) -> String? {
        let rest = max(0, group.total - shown)
        guard rest > 0 else { return nil }
        let id = batch.description.prefix(8)
        return shown < group.files.count
            ? "and \(rest) more: rawmill status \(id)"
            : "and \(rest) more: `rawmill status \(id) --library DIR` lists them on the library's machine"
    }

    /// An event for each kind, and one for each file.
    static func write(_ groups: [FileGroup], of batch: BatchID, to output: TextOutput) {
        for group in groups {
            output.write(
                event: "files",
                [
                    "batch": batch.description,
                    "kind": group.kind.rawValue,
                    "total": group.total,
                    "named": group.files.count,
                ])
            for file in group.files {
                output.write(
                    event: "file",
                    [
                        "batch": batch.description,
                        "kind": group.kind.rawValue,
                        "source": String(decoding: file.source, as: UTF8.self),
                        "message": file.message,
                    ])
            }
        }
    }
}

extension FileGroup.Kind {
    /// Whether plans leave such files out. The others are jobs.
    var isOfPlan: Bool {
        switch self {
        case .missing, .unreadable, .link, .notRaw: true
        case .failed, .degraded, .withoutProfile, .refused, .unseen: false
        }
    }

    /// How its heading looks on a terminal.
    var style: Style {
        switch self {
        case .failed, .unreadable, .missing: .red
        case .degraded, .withoutProfile, .refused, .unseen: .yellow
        case .link, .notRaw: .bold
        }
    }

    /// The heading of the files, without a colon.
    var heading: String {
        switch self {
        case .failed: "failed"
        case .degraded: "degraded; check these"
        case .withoutProfile: "without a camera profile: --dcp lacks their cameras"
        case .refused: "refused by the library, and handed out again"
        case .unseen: "not seen by a worker, and handed out again"
        case .missing: "missing"
        case .unreadable: "unreadable"
        case .link: "links, not followed"
        case .notRaw: "not named as RAW files"
        }
    }
}
