import CommandLineTool
import Glibc
import MetadataHost
import Storage

@main
struct RawmillProgram {
    static func main() {
        let arguments = CommandLineBytes.arguments
        let words = arguments.map { String(decoding: $0, as: UTF8.self) }
        switch words.first {
        // A process that reads photos' metadata, which `library verify` and `library rebuild` start.
        case MetadataProcess.command: exit(MetadataProcess.run(Array(words.dropFirst())))
        case TortureCommand.name: exit(TortureCommand.replaceProcess(arguments: Array(arguments.dropFirst())))
        default:
            OpenFileLimit.raise(to: 8192)
            RawmillCommands.runner.main()
        }
    }
}
