import CommandLineTool
import Jobs
import Manifests
import RenderHost
import Rendering

/// A render process in which poison works. The workers of a tortured cluster are configured to start this program as
/// their render process (`rawmill worker --render-program`); the product's render process knows no poison.
enum PoisonedRenderProcess {
    /// The subcommand with which a worker starts any render process.
    static let command = RenderProcess.command

    /// Runs until its worker ends.
    ///
    /// - Parameter arguments: arguments after the subcommand.
    /// - Returns: the process's exit status.
    static func run(_ arguments: [String]) -> Int32 {
        let killer = arguments.first.flatMap { Int32($0) }.flatMap { WorkerKiller(worker: $0) }
        do throws(RenderSession.Exit) {
            var session = try RenderSession(arguments: arguments)
            while let request = session.nextRequest() {
                Poison(fileName: request.job.source.raw.file.path.name)?.takeEffect(killer)
                guard session.render(request) else { break }
            }
            return ExitStatus.done
        } catch {
            return error.status
        }
    }
}
