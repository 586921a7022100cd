import Arguments
import CommandLineTool
import Jobs
internal import LibraryTables
import Revisions
import Storage
import Telemetry

enum LibraryReproduceCommand {
    private static let to: Parameter<PathArgument?> = .optional(
        "to", "FOLDER/", completion: .folders,
        help: "New folder for the rendered photos, under their names in the library.")

    static let command: Command = Command(
        "reproduce", summary: "Render photos again and compare the bytes.",
        discussion: """
            The same RAW, recipe and engine give the same file on every machine. Differences are explained: a moved \
            RAW, a changed sidecar, another engine and the release that has it. The library is not changed.

            Exit status: 0 all identical, 3 some differ.
            """,
        examples: [
            .init("rawmill library reproduce 3fa9 --library film", "an asset's photos"),
            .init(
                "rawmill library reproduce --where \"taken = 2019\" --to again/ --library film",
                "keep the rendered photos"),
        ],
        parameters: PhotoNames.all + [to, LibraryOption.json] + WorkerOptions.all
    ) { values in
        let folder = values[LibraryOption.parameter]
        let reviser = try PhotoReviser(library: folder, mode: .read)
        let photos = try PhotoNames.photos(values, reviser)
        let reproduction = try await Reproduction(library: folder, reviser, WorkerOptions.settings(values))
        defer { reproduction.stop() }
        let target = try values[to].map { try OutputFile.free($0.bytes, option: "--to", command: values.command) }
        if let (root, name) = target { try root.createFolders(name) }
        let output = TextOutput.standardOutput
        var sameCount = 0
        for photo in photos {
            let outcome = try await reproduction.outcome(of: photo)
            if case .same = outcome { sameCount += 1 }
            try keep(outcome, of: photo, in: target)
            if values[LibraryOption.json] {
                output.write(
                    event: "reproduced",
                    [
                        "photo": String(decoding: photo.path.bytes, as: UTF8.self),
                        "outcome": word(outcome),
                        "reason": reason(outcome),
                    ])
            } else {
                let reason = reason(outcome).map { ": \($0)" } ?? ""
                output.write(line: TerminalText.escape("\(word(outcome))  \(photo.path)\(reason)"))
            }
        }
        if !values[LibraryOption.json] {
            output.write(line: "\(sameCount) of \(SummaryText.counted(photos.count, "photo")) are identical.")
        }
        return sameCount == photos.count ? ExitStatus.done : ExitStatus.someFailed
    }

    private static func keep(
        _ outcome: Reproduction.Outcome, of photo: PhotoReviser.Photo, in target: (root: Root, name: [UInt8])?
    ) throws {
        guard let (root, name) = target else { return }
        switch outcome {
        case .same(let file), .differs(let file, _):
            let path = name + [UInt8(ascii: "/")] + photo.path.bytes
            _ = try root.publish(try file.contents(limitBytes: 1 << 31), at: path)
        case .impossible: break
        }
    }

    private static func word(_ outcome: Reproduction.Outcome) -> String {
        switch outcome {
        case .same: "same"
        case .differs: "differs"
        case .impossible: "impossible"
        }
    }

    private static func reason(_ outcome: Reproduction.Outcome) -> String? {
        switch outcome {
        case .same: nil
        case .differs(_, let reason), .impossible(let reason): reason
        }
    }
}
