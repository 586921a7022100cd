import Arguments
import Glibc
import Telemetry

@main
struct RawmillProgram {
    static func main() async {
        // A reader that leaves (`| head`) is seen as a failed write, not as this process's end.
        signal(SIGPIPE, SIG_IGN)
        Interrupts.shared.start()
        let status = await CommandLineRun.status(CommandLineBytes.arguments)
        exit(status)
    }
}
