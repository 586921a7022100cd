import Glibc

@main
struct RawmillProgram {
    /// Not `async`: the main thread is the one that waits for signals. (The runtime's own asynchronous main would
    /// leave it suspended with every signal unblocked.)
    static func main() {
        if let status = HiddenCommands.status(CommandLineBytes.arguments) { exit(status) }
        // A reader that leaves (`| head`) is seen as a failed write, not as this process's end.
        signal(SIGPIPE, SIG_IGN)
        Interrupts.shared.block()
        Task.detached {
            exit(await CommandLineRun.status(CommandLineBytes.arguments))
        }
        Interrupts.shared.wait()
    }
}
