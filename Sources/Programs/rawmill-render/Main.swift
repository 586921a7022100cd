import Glibc
import MetadataHost
import RenderHost
import Rendering

/// The program that reads photos: it alone has the libraries that decode and encode pictures and read their metadata.
/// It contains nothing else, so it is small enough to be installed once for each processor level.
@main
struct RenderProgramEntry {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case RenderProcess.command: exit(RenderProcess.run(rest))
        case MetadataProcess.command: exit(MetadataProcess.run(rest))
        case InquiryProcess.command: exit(InquiryProcess.run(rest))
        default:
            let message = "rawmill-render is for rawmill only. Do not start it yourself.\n"
            _ = unsafe message.withCString { unsafe write(STDERR_FILENO, $0, strlen($0)) }
            exit(EX_USAGE)
        }
    }
}
