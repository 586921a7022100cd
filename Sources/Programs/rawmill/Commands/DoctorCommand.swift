import Arguments
import CommandLineTool
import Telemetry

/// `rawmill doctor`: what this program, its machine and a library's folder can do, and what is missing.
enum DoctorCommand {
    static let command: Command = Command(
        "doctor", summary: "Examines this installation, this machine and a library's folder, and says what is missing.",
        discussion: """
            --library examines the folder's file system as well: a few small files are made in it, and removed again.

            The status is 3 if there is a problem: something that keeps Rawmill from working as it should. Advice is \
            about what it does without. `rawmill topics check` examines a Kafka cluster.
            """,
        examples: [.init("rawmill doctor --library /mnt/library", "on a new node, before it gets work")],
        parameters: [StatusCommand.library, LibraryOption.json]
    ) { values in
        let examination = try Examination(library: values[StatusCommand.library])
        let findings = Finding.all(examination)
        if values[LibraryOption.json] {
            DoctorReport.writeJSON(examination, findings, to: .standardOutput)
        } else {
            for line in DoctorReport.lines(examination, findings) { TextOutput.standardOutput.write(line: line) }
        }
        return findings.contains { $0.weight == .problem } ? ExitStatus.someFailed : ExitStatus.done
    }
}
