import RenderHost

/// The hidden subcommand `render-process`: this program as the process that renders for a worker. It has its own
/// command line, and none of what people's commands need.
enum RenderProcessEntry {
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
