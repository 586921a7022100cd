import Jobs
import RenderHost

/// A render process in which poison works. The workers of a tortured cluster are told to start this program for their
/// render processes (`rawmill worker --render-program`); the product's render process knows nothing of poison.
enum PoisonedRenderProcess {
    /// The subcommand that a worker starts any render process with.
    static let command = RenderProcess.command

    /// Runs until its worker ends.
    ///
    /// - Parameter arguments: what follows the subcommand.
    /// - Returns: the process's exit status.
    static func run(_ arguments: [String]) -> Int32 {
        RenderProcess.run(arguments) { job in
            Poison(fileName: job.source.raw.file.path.name)?.takeEffect()
        }
    }
}
