import RenderHost

/// The hidden subcommands: this program as a process that it starts for itself, such as `render-process` for a worker.
/// Each reads its own command line, and has none of what people's commands need.
enum HiddenCommands {
    /// Runs to the end of the process and answers its status; nil for any other command.
    static func status(_ arguments: [[UInt8]]) -> Int32? {
        let words = arguments.map { String(decoding: $0, as: UTF8.self) }
        switch words.first {
        case RenderProcess.command: return RenderProcess.run(Array(words.dropFirst()))
        case TortureRenderer.command: return TortureRenderer.run(Array(words.dropFirst()))
        case TortureGuard.command: return TortureGuard.run(Array(words.dropFirst()))
        default: return nil
        }
    }
}
