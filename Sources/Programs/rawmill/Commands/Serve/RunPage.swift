import Arguments
import Catalogue
import CommandLineTool
import Coordinator
import Jobs
import Runs
import Serving
import Telemetry
import Web
import WebService
import Worker

/// The page of one run of `rawmill convert`, served from before its plan until its end. The run also does what users
/// request on the page.
struct RunPage {
    private static let group = "The page"

    static let isWanted: Parameter<Bool> = .flag(
        "serve", group: group,
        help: "Also serve the run and the library on a web page, as `rawmill serve` does.")
    static let listen: Parameter<ListenArgument> = .option(
        "listen", "ADDRESS", default: .page, group: group,
        help: "Address of the page, on this machine only: 127.0.0.1:7420, or 127.0.0.1:0 for a free port."
    )
    static let parameters: [any AnyParameter] = [isWanted, listen]

    private let served: ServedLibrary
    private let owner: RunOwner
    private let server: WebServer

    /// Throws `UsageError` without a library, or if the page would be open to the network.
    static func check(_ values: ArgumentValues, _ destination: RunDestination) throws {
        guard values[isWanted] else { return }
        guard destination.isLibrary else {
            throw UsageError("--serve shows a library: give --library instead of --out.", command: values.command)
        }
        guard values[listen].address.isThisMachine else {
            throw UsageError(
                "--listen \(values[listen].address) is open to the network: use `rawmill serve`, which can require tokens.",
                command: values.command)
        }
    }

    /// Opens the page of an existing library. Throws `CommandFailure` if the address is taken.
    static func open(_ values: ArgumentValues, library folder: String, log: Logger) async throws -> RunPage {
        // Single pictures are rarely requested meanwhile, and the run needs the processors.
        var settings = WorkerOptions.settings(values)
        settings.slots = 1
        let address = values[listen].address
        let access = AccessControl(
            hosts: ["localhost", "127.0.0.1", "::1", address.host] + HostNames.ofThisMachine, tokens: nil)
        let served = try await ServedLibrary(
            folder, isNew: false, settings, cluster: nil, recipes: ServedRecipes(library: folder), access: access,
            version: Version.number, log: log, isReady: true)
        guard let owner = served.owner else { throw CommandFailure("the page has no library") }
        let server: WebServer
        do { server = try WebServer(address, ServeCommand.connections, served.router) } catch {
            throw CommandFailure("\(error)")
        }
        let line = ServeCommand.sentence(address, port: server.port, isEncrypted: false)
        (values[ReportOptions.json] ? TextOutput.standardError : .standardOutput).write(line: line)
        return RunPage(served: served, owner: owner, server: server)
    }

    var observer: any RunObserver { owner.observer }

    /// Serves during `run`, which ends once no request is open.
    func follow(_ run: LibraryRun, _ requests: [RunRequest]) async -> LocalCluster.Outcome {
        await owner.adopt(run, requests)
        let serving = Task { await served.serve(works: false) }
        let ending = Task { await owner.endWhenIdle(run) }
        let outcome = await run.outcome()
        ending.cancel()
        await owner.release()
        served.end()
        await serving.value
        return outcome
    }

    func close() async {
        server.stop()
        await served.close()
    }
}
