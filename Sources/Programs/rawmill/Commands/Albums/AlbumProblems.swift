import Serving
import Telemetry

extension [AlbumFiles.Problem] {
    func write(to output: TextOutput, asJSON: Bool) {
        for problem in self {
            if asJSON {
                output.write(
                    event: "left-out",
                    [
                        "file": problem.file,
                        "reason": problem.reason,
                    ])
            } else {
                output.write(line: TerminalText.escape("left out: \(problem.file): \(problem.reason)"))
            }
        }
    }
}
