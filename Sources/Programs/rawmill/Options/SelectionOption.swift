import Arguments
import CommandLineTool
import Selection
import Telemetry

/// `--where CONDITION`, for commands that select photos of a library.
enum SelectionOption {
    static let parameter: Parameter<String?> = .optional(
        "where", "CONDITION", group: "Which photos",
        help: "Select photos by a condition: look = 'velvet@1' and camera like 'NIKON%' and taken < 2015.")

    /// The parsed and checked selection; nil without the option. Throws `UsageError` with the place of the mistake.
    static func selection(_ values: ArgumentValues) throws -> Selection? {
        guard let text = values[parameter] else { return nil }
        do throws(SelectionError) { return try Selection(text) } catch {
            throw UsageError("--where, \(TerminalText.escape("\(error)"))", command: values.command)
        }
    }
}
