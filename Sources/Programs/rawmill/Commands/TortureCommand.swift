import Arguments
import CommandLineTool
import Glibc
import Telemetry

/// `rawmill torture`: replaces this program by rawmill-torture.
enum TortureCommand {
    static let name = "torture"

    /// For the list of commands. `Main` starts the program itself if `torture` is the first argument, and passes on the
    /// rest of the command line.
    static let command: Command = Command(
        name, summary: "Start a test cluster on this machine, inject faults, and check that no photo is lost.",
        discussion: """
            The test program is installed separately: `rawmill torture --help` shows its options.
            """,
        isHidden: true
    ) { _ in replaceProcess(arguments: []) }

    /// Replaces this process by rawmill-torture. On failure, prints the cause and returns the exit status.
    static func replaceProcess(arguments: [[UInt8]]) -> Int32 {
        do {
            // Deploy/build installs it there.
            let path = try InstalledProgram.path(of: "rawmill-torture", in: ["../libexec/rawmill"])
            Interrupts.restoreDefaults()
            let words = unsafe ([Array(path.utf8)] + arguments).map {
                unsafe strdup($0.map(CChar.init(bitPattern:)) + [0])
            }
            unsafe execv(path, words + [nil])
            throw CommandFailure(unsafe "\(path) could not be started: \(String(cString: strerror(errno)))")
        } catch {
            let failure = CommandFailure(error)
            TextOutput.standardError.write(line: "rawmill: \(TerminalText.escape(failure.message))")
            return failure.status
        }
    }
}
