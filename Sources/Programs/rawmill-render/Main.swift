import Glibc
import RenderHost

/// The render process as a program of its own, with nothing in it but what rendering needs: small enough to be built
/// and installed once for each processor level.
@main
struct RenderProgramEntry {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        guard words.first == RenderProcess.command else {
            let words = "rawmill-render is started by rawmill. There is nothing to do with it by hand.\n"
            _ = words.withCString { write(STDERR_FILENO, $0, strlen($0)) }
            exit(64)
        }
        exit(RenderProcess.run(Array(words.dropFirst())))
    }
}
