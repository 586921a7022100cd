import Arguments
import Glibc
import Telemetry
import Worker

@main
struct RawmillProgram {
    static func main() async {
        // A worker's child is no command for people: it has nobody to talk to but its worker.
        let words = CommandLine.arguments
        if words.count > 1, words[1] == RenderProcess.command { exit(RenderProcess.run(Array(words[2...]))) }
        // A reader that leaves (`| head`) is seen as a failed write, not as this process's end.
        signal(SIGPIPE, SIG_IGN)
        Interrupts.shared.start()
        let status = await CommandLineRun.status(CommandLineBytes.arguments)
        exit(status)
    }
}
