import Arguments
import CommandLineTool
import Telemetry

enum DoctorCommand {
    static let command: Command = Command(
        "doctor", summary: "Check this installation, this machine and a library's folder.",
        discussion: """
            With --library, doctor also tests the folder's file system: it creates a few small files and removes \
            them. It reports problems, which keep Rawmill from working, and advice, which is optional. To check a \
            Kafka cluster, run `rawmill topics check`.

            Exit status: 0 no problem, 3 at least one problem.
            """,
        examples: [.init("rawmill doctor --library /mnt/library", "on a new machine, before its first job")],
        parameters: [StatusCommand.library, LibraryOption.json]
    ) { values in
        let examination = try Examination(library: values[StatusCommand.library])
        let findings = Finding.all(examination)
        if values[LibraryOption.json] {
            DoctorReport.writeJSON(examination, findings, to: .standardOutput)
        } else {
            let output = TextOutput.standardOutput
            for line in DoctorReport.lines(examination, findings, on: output.terminal) { output.write(line: line) }
        }
        return findings.contains { $0.weight == .problem } ? ExitStatus.someFailed : ExitStatus.done
    }
}
