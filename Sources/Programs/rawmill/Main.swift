import CommandLineTool
import Glibc
import Storage

@main
struct RawmillProgram {
    static func main() {
        let arguments = CommandLineBytes.arguments
        let words = arguments.map { String(decoding: $0, as: UTF8.self) }
        switch words.first {
        case TortureCommand.name: exit(TortureCommand.replaceProcess(arguments: Array(arguments.dropFirst())))
        default:
            OpenFileLimit.raise(to: 8192)
            FileSizeLimit.raise()
            RawmillCommands.runner.main()
        }
    }
}
