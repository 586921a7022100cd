import Glibc
import RenderHost

/// The render process as a program of its own. It holds only what rendering needs, so it is small enough to be built
/// and installed once for each processor level.
@main
struct RenderProgramEntry {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.first == RenderProcess.command else {
            let message = "rawmill-render is started by rawmill. There is nothing to do with it by hand.\n"
            _ = unsafe message.withCString { unsafe write(STDERR_FILENO, $0, strlen($0)) }
            exit(EX_USAGE)
        }
        exit(RenderProcess.run(Array(arguments.dropFirst())))
    }
}
