import Arguments
import CommandLineTool
import Glibc
import Telemetry

@main
struct TortureProgram {
    static func main() {
        ConfiguredEnvironment.forget()
        if let status = HelperProcesses.status(CommandLineBytes.arguments) { exit(status) }
        let program = Program(TortureCommand.command, version: Version.number)
        // For packaging: no command could print this.
        if CommandLineBytes.arguments == [Array("manual".utf8)] {
            for page in program.manual { TextOutput.standardOutput.write(page.text) }
            exit(ExitStatus.done)
        }
        CommandRunner(program, versionText: Version.text(of: "rawmill-torture")).main()
    }
}

/// The helper processes of this program: the guard of a cluster, and its poisoned render processes. Each parses its own
/// command line.
enum HelperProcesses {
    /// Runs one to the end of the process.
    ///
    /// - Returns: its exit status; nil if the arguments name none.
    static func status(_ arguments: [[UInt8]]) -> Int32? {
        let words = arguments.map { String(decoding: $0, as: UTF8.self) }
        switch words.first {
        case PoisonedRenderProcess.command: return PoisonedRenderProcess.run(Array(words.dropFirst()))
        case ClusterGuard.command: return ClusterGuard.run(Array(words.dropFirst()))
        default: return nil
        }
    }
}
